import { expect, test } from "vitest";
import { readDraft } from "../../../../src/domains/math/read-draft.ts";

function solvedIn(thought: string): readonly string[] {
  const { solved } = readDraft({ question: "", thought, answer: "" });
  return solved.map(({ text, variable, solution, keptSign }) => {
    const kept = keptSign === undefined ? "" : `, kept ${keptSign}`;
    return `${text}: ${variable} = ${solution}${kept}`;
  });
}

const tex = String.raw;

test.each([
  ["4x + 3 = 23", ["4x + 3 = 23: x = 5"]],
  [tex`\(\frac{y}{2} - 1 = 4\)`, [tex`\frac{y}{2} - 1 = 4: y = 10`]],
  ["3(n - 2) = n + 8", ["3(n - 2) = n + 8: n = 7"]],
  ["2k + 1 = 2", ["2k + 1 = 2: k = 1/2"]],
  ["x = 4 + 5 = 9", ["x = 4 + 5: x = 9"]],
  ["3x + 4 = 19 for x.", ["3x + 4 = 19: x = 5"]],
  ["3x + 4 = 19 for X.", ["3x + 4 = 19: x = 5"]],
  [tex`$3x + 4 = 19$ for $x$.`, ["3x + 4 = 19: x = 5"]],
  ["3x + 4 = 19 for x ... 5", ["3x + 4 = 19: x = 5"]],
  ["x^2 = 9", []],
  ["x = x + 1", []],
  ["2x = x + x", []],
  ["x + y = 3", []],
  ["5/x = 2", []],
  ["x ≈ 3.2", []],
  ["she has a dog = 3", []],
])("solves %s", (text, expected) => expect(solvedIn(text)).toEqual(expected));

test.each([
  ["a number", "5x - 8 = 7\n5x = -1", "5x = -1: x = -1/5, kept -8"],
  ["a term with the variable", "8n = 30 - 2n\n6n = 30", "6n = 30: n = 5, kept -2n"],
  ["a number, with a sentence behind", "5x - 8 = 7 for x.\n5x = -1", "5x = -1: x = -1/5, kept -8"],
  ["the number that is computed at once", "t + 4 = 11\nt = 11 + 4", "t = 11 + 4: t = 15, kept 4"],
])("finds %s that kept its sign", (_, text, last) => expect(solvedIn(text).at(-1)).toBe(last));

test.each([
  ["a right step", "5x - 8 = 7\n5x = 15\nx = 3"],
  ["a division", "6x = 18\nx = 3"],
  ["two cases", "x - 6 = 0 or x + 6 = 0, so x = 6 or x = -6"],
  ["a term that was left out", "x + 26 + 13 = 90\nx + 13 = 90"],
  ["a term with the variable that was left out", "x + (1/2)x + (7 + x) = 43\n(3/2)x + 7 = 43"],
  ["another variable", "a + 4 = 11\nb = 15"],
])("says nothing of %s", (_, text) => expect(solvedIn(text).join()).not.toContain("kept"));
