import { expect, test } from "vitest";
import { wholeMs, type Test } from "../../../../../src/domains/code/judge/tests.ts";

const inside = (limitMs: number, isClass?: true): Test => ({
  name: "tests",
  group: "tests",
  wanted: { kind: "inside", ...(isClass && { isClass }) },
  limitMs,
});

test.each([
  ["of all", [inside(4_000), inside(30_000)], 34_000],
  ["up to two minutes", [inside(90_000), inside(90_000)], 120_000],
  [
    "the longest of a class of unit tests, of which nobody knows how many it has",
    [inside(30_000, true)],
    120_000,
  ],
])("time of tests together: %s", (_, tests, ms) => {
  expect(wholeMs(tests)).toBe(ms);
});
