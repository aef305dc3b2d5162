import { expect, test } from "vitest";
import type { Pair } from "./pairs.ts";
import { named, verdictOf } from "./verdict-of.ts";

const r = String.raw;

/** Units within an expression, and in the links of a chain. */
const PAIRS: readonly Pair[] = [
  [r`180^\circ - 60^\circ`, r`120^\circ`, "same"],
  [r`180^\circ - 60^\circ`, "120", "same"],
  [r`180^\circ - 60^\circ`, r`100^\circ`, "different"],
  [r`2\cdot 30^\circ`, r`60^\circ`, "same"],
  [r`\frac{180^\circ}{3}`, r`60^\circ`, "same"],
  [r`-30^\circ`, "-30", "same"],
  [r`2 \cdot 30\%`, r`60\%`, "same"],
  [r`2 \cdot 30\%`, r`60\%`, "same", "What percent is it?"],
  [r`100\% - 25\%`, r`75\%`, "same"],
  [r`100\% - 25\%`, "75", "same", "What percent is it?"],
  [r`50\% \cdot 20`, "10", "same"],
  [r`\cos 60^\circ`, r`\frac12`, "same"],
  // Chains.
  [r`180^\circ - 60^\circ = 120^\circ`, "120", "same"],
  [r`180^\circ - 60^\circ = 110^\circ`, "110", "different"],
  [r`\angle A = 180^\circ - 60^\circ = 120^\circ`, r`120^\circ`, "same"],
  [r`100\% - 25\% = 75\%`, r`75\%`, "same"],
  [r`1/4 = 25\%`, r`25\%`, "same"],
  [r`1/4 = 25\%`, r`1/4`, "same"],
  [r`1/4 = 20\%`, r`20\%`, "different"],
  [r`0.5 = 50\%`, "0.5", "same"],
  [r`25 = 25\%`, "25", "undecided"],
  ["1 hour = 60 minutes", "60 minutes", "undecided"],
  ["1 ft = 12 in", "12 in", "undecided"],
  ["1 hour = 60 minutes", "7", "undecided"],
];

test.each(named(PAIRS))("$given and $accepted: $same", ({ given, accepted, same, question }) => {
  expect(verdictOf(given, accepted, question)).toBe(same);
});
