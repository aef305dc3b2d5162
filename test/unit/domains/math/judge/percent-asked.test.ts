import { expect, test } from "vitest";
import { wantedBy } from "../../../../../src/domains/math/judge/wanted.ts";
import type { Pair } from "./pairs.ts";
import { named, verdictOf } from "./verdict-of.ts";

const r = String.raw;

const PREMISE = "Given that the percent of red balls is 40, what is the probability of two red ones?";
const GIRLS = "If the percentage of girls is 40, how many boys are there?";

const PAIRS: readonly Pair[] = [
  ["25%", "1/4", "same", PREMISE],
  ["25", "1/4", "different", PREMISE],
  ["1/4", "25%", "undecided", PREMISE],
  ["25", "25%", "same", PREMISE],
  ["1/3", "25%", "different", PREMISE],
  ["20%", "20", "different", GIRLS],
  ["20", "20", "same", GIRLS],
  ["25", r`25\%`, "same", "If 5 of 20 pupils walk, what percent do not ride?"],
];

test.each(named(PAIRS))("$given and $accepted: $same, where $question", (row) => {
  expect(verdictOf(row.given, row.accepted, row.question)).toBe(row.same);
});

test.each([
  ["What percent of the pupils walk?", true],
  ["5 of 20 walk. What is the percentage of those who do?", true],
  ["How likely is it, expressed as a percentage, that it rains?", true],
  ["A part of 20 is 5. Find the percent.", true],
  ["How large is that part? Give your answer as a percentage.", true],
  ["Express 1/4 in percent", true],
  ["In percent, how much is 1/4?", true],
  ["How many boys are there if the percentage of girls is 40?", false],
  ["The percentage of girls is 40. How many boys are there?", false],
  ["She wants the percentage of goats to be 30, so how many more does she buy?", false],
  ["When the percent of salt is 4, find the mass of the water.", false],
])("%j asks for a percentage: %s", (question, isAsked) => {
  expect(wantedBy(question).percent).toBe(isAsked);
});
