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
  ["Solve y^2 = 7.", tex`\sqrt{7}`, ["y^2 = 7, y = \\sqrt{7}: 7 is 7"]],
  ["Solve 4x + 3 = 23.", "6", ["4x + 3 = 23, x = 6: 27 is not 23"]],
  ["Solve the equation for x: 4x + 3 = 23", "5", ["4x + 3 = 23, x = 5: 23 is 23"]],
  ["What value of x satisfies 4x + 3 = 23?", "5", ["4x + 3 = 23, x = 5: 23 is 23"]],
  ["For what value of x is 4x + 3 = 23?", "5", ["4x + 3 = 23, x = 5: 23 is 23"]],
  ["If 4x + 3 = 23, what must x be?", "5", ["4x + 3 = 23, x = 5: 23 is 23"]],
  [
    "What are the solutions of x^2 - 7x + 10 = 0?",
    "2 and 4",
    ["x^2 - 7x + 10 = 0, x = 2: 0 is 0", "x^2 - 7x + 10 = 0, x = 4: -2 is not 0"],
  ],
  ["Find the roots of $x^2-7x+10=0$.", "2, 5", ["x^2-7x+10=0, x = 2: 0 is 0", "x^2-7x+10=0, x = 5: 0 is 0"]],
  ["What positive number y satisfies y^2 = 7? Find y.", tex`$\sqrt{7}$`, ["y^2 = 7, y = \\sqrt{7}: 7 is 7"]],
  ["What is the value of a if 2a - 1 = 8?", "9/2", ["2a - 1 = 8, a = 9/2: 8 is 8"]],
])("puts the answer in: %s %s", (question, answer, expected) =>
  expect(checksIn(question, answer)).toEqual(expected),
);

test.each([
  ["a full stop", "x = 5.", ["5"]],
  ["a sentence", "The answer is 5", ["5"]],
  ["a connective", "Therefore, x = 5", ["5"]],
  ["words in front", "We get x = 5", ["5"]],
  ["a unit", "x = 5 meters", ["5"]],
  ["a unit of LaTeX", tex`5 \text{ cm}`, ["5"]],
  ["degrees", tex`x = 5^\circ`, ["5"]],
  ["money", "$5", ["5"]],
  ["both signs", tex`$x = \pm 5$`, ["5", "-5"]],
  ["both signs behind a number", "1 ± 4", ["1 + 4", "1 - 4"]],
  ["a box", tex`So it is $\boxed{x = 5}$.`, ["5"]],
  ["a set", tex`\boxed{\left\{5, -5\right\}}`, ["5", "-5"]],
  ["a list", tex`x = 5 \text{ or } x = -5`, ["5", "-5"]],
  ["an index", "x_1 = 5, x_2 = -5", ["5", "-5"]],
  ["a chain", tex`x = \frac{10}{2} = 5`, ["5"]],
  ["thousands", "x = 1,250", ["1,250"]],
  ["a number in words", "five", ["five"]],
  ["a remark", "x = 5, since 4*5 + 3 = 23", []],
  ["a percentage", "5%", []],
  ["another variable", "y = 5", []],
  ["a pair", "(5, 2)", []],
])("reads the values of an answer with %s", (_, answer, values) => {
  const { checks } = readDraft({ question: "If 4x + 3 = 23, find x.", thought: "", answer });
  expect(checks.map(({ value }) => value)).toEqual(values);
});

test.each([
  ["something made of it", "If 4x + 3 = 23, what is x + 1?", "6"],
  ["a multiple of it", "If x + 3 = 8, what is 2x?", "10"],
  ["a power of it", "If x + 3 = 8, what is the value of x squared?", "25"],
  ["its square", "If 2x + 3 = 13, what is the square of x?", "25"],
  ["a multiple in words", "If 2x + 3 = 13, what is twice x?", "10"],
  ["a part of its value", "If 2x + 3 = 13, what is half the value of x?", "5/2"],
  ["a remainder", "What is the remainder when x is divided by 4, if 3x = 21?", "3"],
  ["a part of a number", "If 2x = 20, what is x percent of 50?", "5"],
  ["a step on the way to it", "If 2x + 3 = 13, find x. What is x + 4?", "9"],
  ["a step on the way to another thing", "Solve 2x + 3 = 13. What is x + 4?", "9"],
  ["a function of roots", "Let p and q be the roots of x^2 - 7x + 10 = 0. What is p^2 + q^2?", "29"],
  ["a sum of values", "What is the sum of all x with x^2 = 9? Find x.", "0"],
  ["a rounded value", "Solve 3x = 10 for x to the nearest tenth.", "3.3"],
  ["two variables", "If x + y = 9, what is x?", "4"],
  ["another variable", "If 2a = 10 and b = 7, what is c?", "5"],
  ["a function", "If f(x) = 3x + 5, what is x?", "2"],
  ["no value", "If 4x + 3 = 23, what is x?", "I do not know"],
  ["an answer in a variable", "If 4x + 3 = 23, what is x?", "y + 1"],
  ["no equation", "What is x?", "4"],
])("has no check for %s", (_, question, answer) => expect(checksIn(question, answer)).toEqual([]));
