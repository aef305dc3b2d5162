import { expect, test } from "vitest";
import type { Pair } from "./pairs.ts";
import { named, verdictOf } from "./verdict-of.ts";

const r = String.raw;

/** Answers that differ in their blanks alone. */
const BLANKS: readonly Pair[] = [
  ["1 1/2", "11/2", "different"],
  ["3 1/2", "31/2", "different"],
  ["-1 1/2", "-11/2", "different"],
  ["2 1/4 inches", "21/4 inches", "different"],
  ["2 2/3 , 5", "22/3, 5", "different"],
  ["1 2", "12", "undecided"],
  ["1, 250", "1,250", "different"],
  ["no where", "nowhere", "undecided"],
  // Thousands, and what only looks like them.
  ["10 000", "10000", "same"],
  ["1 000 000", "1000000", "same"],
  ["2 125/250", "2125/250", "different"],
  ["10 0000", "100000", "undecided"],
  // Layout.
  [r`\frac 12`, r`\frac12`, "same"],
  [r`2 \cdot 3 x y`, r`2\cdot3xy`, "same"],
  [r`\Biggl( 1 , 2 \Biggr)`, "(1,2)", "same"],
  ["a ? b ?", "a?b?", "same"],
];

test.each(named(BLANKS))("$given and $accepted: $same", ({ given, accepted, same, question }) => {
  expect(verdictOf(given, accepted, question)).toBe(same);
  expect(verdictOf(accepted, given, question)).toBe(same);
});
