import { expect, test } from "vitest";
import { readDraft } from "../../../../src/domains/math/read-draft.ts";

function checksIn(question: string, answer: string): readonly string[] {
  const { checks } = readDraft({ question, thought: "", answer });
  return checks.map(({ equation, variable, value, left, right, holds }) => {
    return `${equation}, ${variable} = ${value}: ${left} ${holds ? "is" : "is not"} ${right}`;
  });
}

const tex = String.raw;

test.each([
  ["If 4x + 3 = 23, what is x?", "5", ["4x + 3 = 23, x = 5: 23 is 23"]],
  ["If 4x + 3 = 23, what is x?", "x = 6", ["4x + 3 = 23, x = 6: 27 is not 23"]],
  ["Solve 4x + 3 = 23 for x.", "5", ["4x + 3 = 23, x = 5: 23 is 23"]],
  [tex`Solve $4x + 3 = 23$ for $x$.`, "6", ["4x + 3 = 23, x = 6: 27 is not 23"]],
  [
    tex`Solve for $t$: $\frac{t}{3} - 2 = \frac{1}{3}$.`,
    tex`\boxed{7}`,
    [tex`\frac{t}{3} - 2 = \frac{1}{3}, t = 7: 1/3 is 1/3`],
  ],
  [
    "Find all values of n such that n^2 = 2n + 15.",
    "5 and -3",
    ["n^2 = 2n + 15, n = 5: 25 is 25", "n^2 = 2n + 15, n = -3: 9 is 9"],
  ],
  ["Solve y^2 = 7.", tex`\sqrt{7}`, []],
  ["What positive number y satisfies y^2 = 7? Find y.", tex`$\sqrt{7}$`, ["y^2 = 7, y = \\sqrt{7}: 7 is 7"]],
  ["What is the value of a if 2a - 1 = 8?", "9/2", ["2a - 1 = 8, a = 9/2: 8 is 8"]],
])("puts the answer in: %s %s", (question, answer, expected) =>
  expect(checksIn(question, answer)).toEqual(expected),
);

test.each([
  ["something made of it", "If 4x + 3 = 23, what is x + 1?", "6"],
  ["a multiple of it", "If x + 3 = 8, what is 2x?", "10"],
  ["a sum of values", "What is the sum of all x with x^2 = 9? Find x.", "0"],
  ["a rounded value", "Solve 3x = 10 for x to the nearest tenth.", "3.3"],
  ["two variables", "If x + y = 9, what is x?", "4"],
  ["another variable", "If 2a = 10 and b = 7, what is c?", "5"],
  ["a function", "If f(x) = 3x + 5, what is x?", "2"],
  ["no value", "If 4x + 3 = 23, what is x?", "I do not know"],
  ["an answer in a variable", "If 4x + 3 = 23, what is x?", "y + 1"],
  ["no equation", "What is x?", "4"],
])("has no check for %s", (_, question, answer) => expect(checksIn(question, answer)).toEqual([]));
