import { describe, expect, it } from "vitest";
import { MATH_ANSWERS, MATH_KEYS } from "../../../../src/domains/math/answer-form.ts";
import { formatAnswer } from "../../../../src/harness/final/answer-format.ts";
import type { TeacherClient } from "../../../../src/harness/teacher.ts";

/** A teacher that answers each call with this reply. */
const saying = (reply: string): TeacherClient =>
  ({ at: () => async () => ({ reply }) }) as unknown as TeacherClient;

const formatted = async (answer: string, reply: string): Promise<string> =>
  (await formatAnswer("How much is it?", answer, saying(reply), { answerFormat: MATH_ANSWERS })).answer;

describe("an answer that a teacher formats", () => {
  it("may lose the words around it", async () => {
    expect(await formatted("The answer is -7.", "-7")).toBe("-7");
    expect(await formatted("\\boxed{\\frac{1}{2}} of the cake", "\\frac{1}{2}")).toBe("\\frac{1}{2}");
    expect(await formatted("it is 12 miles", "12 miles")).toBe("12 miles");
    expect(await formatted("So the average is $5$.", "5")).toBe("5");
    expect(await formatted("The answer: **-7** in total.", "-7")).toBe("-7");
    expect(await formatted("So, it is $x^2 + 1$ for all of them", "x^2 + 1")).toBe("x^2 + 1");
    expect(await formatted("5 apples", "5")).toBe("5");
  });

  it.each([
    ["-7", "7"],
    ["\\frac{1}{2}", "1"],
    ["[0, 1)", "0, 1"],
    ["25\\%", "25"],
    ["3.5", "3"],
    ["x = 12", "2"],
    ["2^{10}", "1024"],
    ["12 apples and 5 pears", "12"],
    ["1,250", "250"],
    [".5", "5"],
    ["a, b", "a"],
    ["a, b", "b"],
    ["B, D", "B"],
    ["x y", "y"],
    ["x:4", "4"],
    ["Paris, Rome", "Rome"],
    ["Paris and Rome", "Rome"],
    ["one:two", "two"],
    ["half of the answer is 5", "5"],
    ["minus 5", "5"],
    ["negative 5", "5"],
    ["It is minus 5", "5"],
    ["half of 5", "5"],
    ["the square root of 5", "5"],
    ["sin x", "x"],
    ["twenty five", "five"],
    ["5 percent", "5"],
    ["5 dozen", "5"],
    ["5 dozen eggs", "5"],
    ["5 units left", "5"],
    ["12 pm", "12"],
    ["5 feet six inches", "5 feet"],
    ["not no", "no"],
    ["It is not 5", "5"],
    ["5 is not the answer", "5"],
    ["5 or more", "5"],
  ])("%s is not %s, and stays as it is", async (answer, reply) => {
    expect(await formatted(answer, reply)).toBe(answer);
  });
});

describe("the keys of math", () => {
  it("are equal for answers that differ in layout alone", () => {
    const one = ["\\dfrac{1}{2}", "$\\frac{1}{2}$", "\\boxed{\\tfrac{1}{2}}", " \\frac{1}{2} "];
    expect(new Set(one.map(MATH_KEYS.answer)).size).toBe(1);
    expect(MATH_KEYS.answer("\\left(1,\\,2\\right)")).toBe(MATH_KEYS.answer("(1,2)"));
  });

  it("differ where values or questions do", () => {
    const answers = ["7", "-7", "1/2", "12", "1 2", "(1, 2)", "[1, 2]", "1, 2", "x", "X"];
    expect(new Set(answers.map(MATH_KEYS.answer)).size).toBe(answers.length);
    const questions = ["Compute arccos 1.", "Compute arccos (-1).", "Compute ARCCOS 1."];
    expect(new Set(questions.map(MATH_KEYS.question)).size).toBe(questions.length);
    expect(MATH_KEYS.question(" Compute\n arccos  1. ")).toBe(MATH_KEYS.question("Compute arccos 1."));
  });
});
