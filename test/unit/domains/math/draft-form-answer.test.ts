import { describe, expect, it } from "vitest";
import { readAnswer } from "../../../../src/domains/math/draft/answer.ts";
import { unitName } from "../../../../src/domains/math/draft/units.ts";

const read = (answer: string, thought = ""): ReturnType<typeof readAnswer> => readAnswer(answer, thought);

describe("an answer is read without box, label and dollar signs of LaTeX", () => {
  it.each([
    ["\\boxed{42}", "42"],
    ["So it is $\\boxed{\\frac{1}{2}}$.", "\\frac{1}{2}"],
    ["A: 90,000", "90,000"],
    ["3 + 4 = 7\nAnswer: 7", "7"],
    ["The answer is 5 apples.", "5 apples"],
    ["$18$", "18"],
    ["$18", "$18"],
    ["\\(x = 3\\)", "x = 3"],
    ["  12.50.  ", "12.50"],
    ["first line\nlast line", "last line"],
    ["= 42", "42"],
    ["$\\approx 3.1$", "3.1"],
    ["", ""],
  ])("%j", (answer, text) => expect(read(answer).text).toBe(text));
});

describe("an answer has a form, an exact value and a unit", () => {
  it.each([
    ["17", "integer", "17", undefined],
    ["-12", "integer", "-12", undefined],
    ["1,250", "integer", "1250", undefined],
    ["50,\\!625", "integer", "50625", undefined],
    ["7/2", "fraction", "7/2", undefined],
    ["3\\frac{1}{2}", "fraction", "7/2", undefined],
    ["0.75", "decimal", "3/4", undefined],
    ["25\\%", "percent", "25", "%"],
    ["12.5%", "percent", "25/2", "%"],
    ["\\sqrt{5}", "root", undefined, undefined],
    ["3\\pi", "expression", undefined, undefined],
    ["4a-2", "expression", undefined, undefined],
    ["x = 3", "equation", "3", undefined],
    ["y = 2x + 1", "equation", undefined, undefined],
    ["(1, 2)", "tuple", undefined, undefined],
    ["2 million", "expression", "2000000", undefined],
    ["5 hundred", "expression", "500", undefined],
    ["(x, y) = (1, 2)", "tuple", undefined, undefined],
    ["v = (1, 2)", "tuple", undefined, undefined],
    ["(x, y) = 3", "equation", undefined, undefined],
    ["[0, 1)", "interval", undefined, undefined],
    ["(-\\infty, 3)", "interval", undefined, undefined],
    ["\\{1, 2\\}", "set", undefined, undefined],
    ["1, 2 and 3", "set", undefined, undefined],
    ["no solution", "words", undefined, undefined],
    ["\\text{Yes}", "words", undefined, undefined],
    ["", "none", undefined, undefined],
    ["$5.50", "decimal", "11/2", "$"],
    ["\\$12 per hour", "integer", "12", "$/h"],
    ["5 miles per hour", "integer", "5", "mi/h"],
    ["72\\text{ cm}^2", "integer", "72", "cm^2"],
    ["48^\\circ", "integer", "48", "°"],
    ["5cm", "integer", "5", "cm"],
    ["seven", "integer", "7", undefined],
    ["12 eggs", "integer", "12", undefined],
    ["x = 5 meters", "equation", "5", "m"],
    ["3 1/2 cups of flour", "fraction", "7/2", "cup"],
  ])("%j is %s", (answer, form, value, unit) => {
    const draft = read(answer);
    expect([draft.form, draft.value, draft.unitName]).toEqual([form, value, unit]);
  });
});

describe("a bare answer takes its unit from the end of the thought", () => {
  it.each([
    ["a unit behind the same number", "90", "So the walk takes 90 minutes.", "minutes"],
    ["money in front of it", "36", "She pays 4 * 9 = $36.", "$"],
    ["a number with zeros", "20", "It is <<4*5=20.0>>20.00 pounds.", "pounds"],
    ["a unit of LaTeX", "15", "The area is \\(15 \\text{ feet}\\).", "feet"],
    ["a number between dollar signs", "15", "It is $15$ feet.", "feet"],
    ["a unit that it has twice", "15", "15 feet is right, since 15 feet fit.", "feet"],
    ["a unit behind a verb", "15", "So 15 is the length, that is 15 feet.", "feet"],
  ])("%s", (_, answer, thought, unit) => expect(read(answer, thought).unit).toBe(unit));

  it.each([
    ["another number", "9", "So the walk takes 90 minutes."],
    ["a part of a number", "5", "It weighs 1.5 pounds."],
    ["things without a unit", "15", "He had 15 pounds, and that makes 15 toys."],
    ["a word that is no unit", "15", "She is 15 in June."],
    ["an earlier one of two", "12", "They are 12 pounds each, so she sells 144 / 12 = 12."],
    ["another thing before", "15", "So 15 bags of 15 pounds."],
    ["another unit before", "15", "It takes 15 days for 15 pounds."],
    ["a unit far in front", "15", `It takes 15 minutes. ${"Then we think. ".repeat(30)}`],
  ])("no: %s", (_, answer, thought) => expect(read(answer, thought).unit === "pounds").toBe(false));
});

describe("a simplest form is there where the answer is in another", () => {
  it.each([
    ["6/4", "3/2"],
    ["\\frac{6}{4}", "\\frac{3}{2}"],
    ["-\\frac{6}{4}", "-\\frac{3}{2}"],
    ["8/4", "2"],
    ["3/1", "3"],
    ["0/5", "0"],
    ["2 2/4", "5/2"],
    ["\\sqrt{8}", "2\\sqrt{2}"],
    ["√12", "2√3"],
    ["sqrt(50)/10", "sqrt(2)/2"],
    ["\\sqrt{9}", "3"],
    ["\\frac{1}{\\sqrt{2}}", "\\frac{\\sqrt{2}}{2}"],
    ["\\sqrt{\\frac{1}{2}}", "\\frac{\\sqrt{2}}{2}"],
    ["\\frac{4+2\\sqrt{3}}{6}", "\\frac{2+\\sqrt{3}}{3}"],
    ["\\frac{3\\sqrt{2}}{\\sqrt{6}}", "\\sqrt{3}"],
    ["1 - \\sqrt{20}", "1-2\\sqrt{5}"],
    ["\\frac{2}{4} \\text{ cups}", "\\frac{1}{2}"],
  ])("%s: %s", (answer, simplest) => expect(read(answer).simplest).toBe(simplest));

  it.each([
    "3/2",
    "\\frac{\\sqrt{2}}{2}",
    "2\\sqrt{3}",
    "\\frac{2+\\sqrt{3}}{3}",
    "\\sqrt{2}+\\sqrt{3}",
    "3\\frac{1}{2}",
    "1.50",
    "4/10 or 2/5",
    "\\frac{1}{1+\\sqrt{2}}",
    "\\frac{2x}{4}",
    "2^{10}",
    "\\sqrt[3]{16}",
    "\\frac{6}{0}",
    "7",
    "7/14/2026",
    "12:30",
  ])("none: %s", (answer) => expect(read(answer).simplest).toBeUndefined());
});

it("A unit has one name", () => {
  const names = [
    "mins",
    "ft^2",
    "square feet",
    "sq ft",
    "km/h",
    "mph",
    "miles an hour",
    "$",
    "\\text{ cm}^3",
    "°",
  ];
  expect(names.map(unitName)).toEqual([
    "min",
    "ft^2",
    "ft^2",
    "ft^2",
    "km/h",
    "mi/h",
    "mi/h",
    "$",
    "cm^3",
    "°",
  ]);
  expect(["eggs", "miles per lap", "", "x".repeat(1_000), "constructor"].map(unitName)).toEqual(
    Array.from({ length: 5 }, () => undefined),
  );
});
