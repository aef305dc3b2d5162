import { expect, test } from "vitest";
import type { Pair } from "./pairs.ts";
import { named, verdictOf } from "./verdict-of.ts";

const r = String.raw;

const PAIRS: readonly Pair[] = [
  // "and" and "or" between inequalities.
  [r`x \le 1 and x \ge 3`, r`x\le1 or x\ge3`, "undecided"],
  ["x>1 and x<3", "(1,3)", "same"],
  ["x>1 and x<3", "1<x<3", "same"],
  ["x>1 and x<3", "(1,3]", "different"],
  [r`x > 1 \land x < 3`, "(1, 3)", "same"],
  [r`x < 1 \lor x > 3`, r`(-\infty, 1) \cup (3, \infty)`, "same"],
  ["x>1, x<3", "(1,3)", "undecided"],
  ["x>1, x<3", "x<3, x>1", "same"],
  ["x<1 or x>3", "x<1 or x>4", "different"],
  [r`x < 3 or x \ge 3`, r`\mathbb{R}`, "same"],
  ["x < 1 or x = 3", r`(-\infty, 1) \cup \{3\}`, "same"],
  ["x<1 or x>3 and x<5", "x>3 and x<5 or x<1", "undecided"],
  // Several names.
  ["x<3", "y<3", "different"],
  ["x=1 or y=2", "x=1 and y=2", "undecided"],
  ["x=2 or y=7", "(2,7)", "undecided"],
  ["x=2 and y=7", "(2,7)", "same"],
  ["x>1 and y<2", "y<2 and x>1", "same"],
  ["x>1 and y<2", "y<2 or x>1", "undecided"],
  ["x>1 and y<2", "x>1 and y<3", "undecided"],
  ["x=1 and x=3", "x=1 or x=3", "same"],
  ["x=1 or 2", "1, 2", "same"],
  ["x=1 or 2", "x=1 or x=2", "same"],
  ["x=1 or 2 or y=3", "1, 2, 3", "undecided"],
  ["x + 2 = 5", "5", "undecided"],
  ["x + 2 = 5", "x = 3", "same"],
  ["n - 3 = 12", "n = 12", "different"],
  ["p + 2q = 5", "5", "same"],
  ["f(x + 2) = 5", "5", "same"],
  ["a_{n+1} = 5", "5", "same"],
  ["x^2=4", r`x=\pm2`, "undecided"],
  [r`x\in\mathbb{R}`, r`(-\infty,\infty)`, "same"],
  // Rows in square brackets.
  ["[[1, 2], [3, 4]]", r`\begin{pmatrix}1&2\\3&4\end{pmatrix}`, "same"],
  ["[[1, 2], [3, 4]]", r`\begin{pmatrix}1&3\\2&4\end{pmatrix}`, "different"],
  ["[[1, 2], [3, 4]]", "[[1.0, 2], [6/2, 4]]", "same"],
  // Letters of choices.
  ["(A), (C)", "A, C", "same"],
  ["(A) and (C)", "(C), (A)", "same"],
  ["(A), (C)", "A, D", "different"],
  ["(A), (C)", "A", "different"],
  // Braces without backslashes.
  ["{1, 2}", r`\{2, 1\}`, "same"],
  ["{1, 2}", "1, 2", "same"],
  ["{1, 2, 3}", r`\{1, 2\}`, "different"],
  ["{1, 2}", "(1, 2)", "different"],
  ["{5}", "5", "same"],
  ["{1,250}", "1250", "same"],
  ["{1}{2, 3}", r`\{1, 2, 3\}`, "undecided"],
  // Unions.
  [r`[1,2]\cup[2,3]`, "[1,3]", "same"],
  [r`[1,2)\cup(2,3]`, "[1,3]", "different"],
  [r`[1,2]\cup[3,4]`, "[1,4]", "different"],
  [r`(1,2)\cup\{2\}`, "(1,2]", "same"],
  [r`\{1,2\}\cup\{3\}`, r`\{1,2,3\}`, "same"],
  [r`(0,\sqrt2]\cup(\sqrt2,2)`, "(0,2)", "same"],
  [r`(-\infty,0), (2,\infty)`, r`(-\infty,0)\cup(2,\infty)`, "same"],
  [r`[1,2], [2,3]`, r`[1,2]\cup[2,3]`, "same"],
  [r`(1,2], (2,3]`, "(1,3]", "undecided"],
  ["5", r`(-\infty,1)\cup(4,\infty)`, "different"],
  [r`(a,2)\cup(2,b)`, r`(a,2)\cup(2,c)`, "undecided"],
  // Unequal.
  [r`x\neq 2`, r`(-\infty,2)\cup(2,\infty)`, "same"],
  [r`2\neq x`, r`x \ne 2`, "same"],
  [r`x\neq 2`, r`(-\infty,3)\cup(3,\infty)`, "different"],
  [r`x\ne 2, x\ne 3`, r`x\ne 3, x\ne 2`, "same"],
  [r`x\ne 2 and x\ne 3`, r`(-\infty,2)\cup(2,3)\cup(3,\infty)`, "undecided"],
];

test.each(named(PAIRS))("$given and $accepted: $same", ({ given, accepted, same }) => {
  expect(verdictOf(given, accepted)).toBe(same);
  expect(verdictOf(accepted, given)).toBe(same);
});
