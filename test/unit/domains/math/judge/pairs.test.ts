import { expect, test } from "vitest";
import { CLEAR, CONTESTED } from "./pairs.ts";
import { named, verdictOf } from "./verdict-of.ts";

test.each(named([...CLEAR, ...CONTESTED]))(
  "$given and $accepted: $same",
  ({ given, accepted, same, question }) => {
    expect(verdictOf(given, accepted, question)).toBe(same);
  },
);

test("there are 200 pairs, 40 of them contested", () => {
  expect(CLEAR.length + CONTESTED.length).toBeGreaterThanOrEqual(200);
  expect(CONTESTED.length).toBeGreaterThanOrEqual(40);
});
