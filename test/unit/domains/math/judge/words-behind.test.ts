import { expect, test } from "vitest";
import type { Pair } from "./pairs.ts";
import { named, verdictOf } from "./verdict-of.ts";

const r = String.raw;

/** A number with words behind it. */
const PAIRS: readonly Pair[] = [
  // Words that calculate, parts, more numbers.
  ["3 hundredths", "3", "undecided"],
  ["3 fifths", "3", "undecided"],
  ["3 fifths", "3/5", "undecided"],
  ["3 quarters", "3", "undecided"],
  ["3 times pi", "3", "undecided"],
  ["3 out of ten", "3", "undecided"],
  ["3 point five", "3", "undecided"],
  ["5 dozen", "5", "undecided"],
  ["5 dozen eggs", "5", "undecided"],
  [r`5\text{ dozen}`, "5", "undecided"],
  [r`5\text{ and a half}`, "5", "undecided"],
  ["$5 dozen", "5", "undecided"],
  ["5 squared", "5", "undecided"],
  ["5 minus x", "5", "undecided"],
  ["5 over pi", "5", "undecided"],
  ["5 less than x", "5", "undecided"],
  ["5 divided by x", "5", "undecided"],
  ["5 choose two", "5", "undecided"],
  ["5th root", "5", "undecided"],
  ["2 to the n", "2", "undecided"],
  ["x = 5 dozen", "5", "undecided"],
  ["5 million two hundred", "5 million", "undecided"],
  ["seven", "7", "same"],
  // Two units, directions, halves of the day.
  ["5 feet six inches", "5 feet", "undecided"],
  ["5 feet six inches", "5", "undecided"],
  ["12 am", "12 pm", "undecided"],
  ["12 p.m.", "12", "undecided"],
  ["5 units left", "5 units right", "undecided"],
  ["5 miles north", "5 miles south", "undecided"],
  ["60 miles", "60 mph", "undecided"],
  ["5 dollars per hour", "$5", "same"],
  // A unit with words behind it.
  ["12 inches long", "12 cm", "different"],
  ["12 inches long", "12", "same"],
  ["25 percent of the pupils", r`25\%`, "same"],
  ["25 percent of the pupils", "1/4", "same"],
  ["8 hours each day", "8 hours", "undecided"],
  ["3 pounds sterling", "£3", "same"],
  // Counted things.
  ["3 apples", "3", "same"],
  ["5 red marbles", "5", "same"],
  ["5 red marbles", "6", "different"],
  ["5 apples left", "5", "same"],
  ["5 in total", "$5", "same"],
  ["5 times", "5", "same"],
  ["5 times a week", "5", "same"],
  [r`5\text{ apples}`, "5", "same"],
];

test.each(named(PAIRS))("$given and $accepted: $same", ({ given, accepted, same, question }) => {
  expect(verdictOf(given, accepted, question)).toBe(same);
  expect(verdictOf(accepted, given, question)).toBe(same);
});
