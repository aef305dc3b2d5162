import { expect, test } from "vitest";
import { compareAnswers } from "../../../../../src/domains/math/judge/same-answer.ts";
import { CLEAR, CONTESTED } from "./pairs.ts";

const WORDS = new Map([
  [true, "same"],
  [false, "different"],
  [undefined, "undecided"],
]);

const NAMED = [...CLEAR, ...CONTESTED].map(([given, accepted, same, question = ""]) => ({
  given,
  accepted,
  same,
  question,
}));

test.each(NAMED)("$given and $accepted: $same", ({ given, accepted, same, question }) => {
  expect(WORDS.get(compareAnswers(given, accepted, question).same)).toBe(same);
});

test("there are 200 pairs, 40 of them contested", () => {
  expect(CLEAR.length + CONTESTED.length).toBeGreaterThanOrEqual(200);
  expect(CONTESTED.length).toBeGreaterThanOrEqual(40);
});
