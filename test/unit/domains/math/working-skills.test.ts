import { expect, it } from "vitest";
import { skillText } from "./skill-text.ts";

it("a number without an origin is said to have no equation, and not to have no line", () => {
  const text = skillText(
    "proof-step-gap",
    "How many pears are in 3 crates?",
    "A crate holds 84 pears. 84 * 3 = 252",
  );
  expect(text).toContain("the question does not have it, and no equation before makes it");
});

it.each([
  ["99 / 6 = 16", "99 / 6 makes 16.5."],
  ["50 / 7 = 8", "50 / 7 makes 50/7."],
  ["13.333333333333334 x 7 = 91", "13.333333333333334 x 7 makes about 93.3333."],
  ["12345678901234567890 + 1 = 3", "12345678901234567890 + 1 makes 12345678901234567891."],
])("a slip is told with its value in few digits: %s", (thought, text) =>
  expect(skillText("arithmetic-slip", "q", thought)).toContain(text),
);

it.each([
  ["inches in centimeters", "How long is a rope of 14 inches in cm?", "14 * 2.54 = 35.56"],
  ["digits of pi", "What is the area of a disk of radius 9?", "3.14159 * 81 = 254.46879"],
  ["more digits of pi", "What is the area of a disk of radius 9?", "3.1415927 * 81 = 254.469009"],
  ["two percentages", "What is 70 with 15% tip and 6% tax?", "70 * 1.21 = 84.7"],
  ["pounds of a kilogram", "What do 70 kilograms weigh in pounds?", "70 * 2.205 = 154.35"],
])("everybody knows %s", (_, question, thought) =>
  expect(skillText("proof-step-gap", question, thought)).toBeUndefined(),
);

it.each([
  ["a rate", "What is 70 with tip and tax?", "70 * 1.21 = 84.7"],
  ["a wrong number for pi", "What is the area of a disk of radius 9?", "3.15 * 81 = 255.15"],
])("nobody knows %s", (_, question, thought) =>
  expect(skillText("proof-step-gap", question, thought)).toBeDefined(),
);

it.each([
  ["two cases, spaced otherwise", "Case one is 2t=14 and case two is 2t = -14."],
  ["two cases with negated left sides", "3x = 12\nor\n-3x = 12"],
  ["two factors, one of them solved at once", "2x = 8 or x = -4"],
  ["two factors, with words between", "x + 4 = 9, or else we have x = 13"],
  ["a case that was solved before", "x = 4\nx + 4 = 0\n-2x = -8"],
])("no sign is lost in %s", (_, thought) =>
  expect(skillText("algebraic-sign-error", "q", thought)).toBeUndefined(),
);

it("a sign is lost between mirrored solutions", () => {
  expect(skillText("algebraic-sign-error", "q", "-3x = 12\nx = 4")).toContain("from x = -4 to x = 4");
  expect(skillText("algebraic-sign-error", "q", "x + 4 = 0\n-2x = -8")).toContain("from x = -4 to x = 4");
});

it("a check that fails is told as a failure", () => {
  expect(skillText("verification-missing", "If 4x + 3 = 23, what is x?", "", "6")).toBe(
    'With x = 6, the question\'s equation "4x + 3 = 23" does not hold: it makes 27 on the left and 23 on the right. ' +
      'Solve the equation again and correct your answer "6".',
  );
});

it.each([
  ["with an equation", "If 4x + 3 = 23, what is x?"],
  ["with numbers", "How many of 12 and 7?"],
  ["without numbers", "Is it even?"],
])("a long answer is quoted in part %s", (_, question) => {
  const text =
    skillText("verification-missing", question, "It is 12 and 7.", `${"long ".repeat(40)}answer`) ?? "";
  expect(text).toContain(`"${"long ".repeat(20)}"`);
});
