import { existsSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { judgePuzzle } from "../../../../src/domains/math/game24/judge-puzzle.ts";
import { puzzleOf } from "../../../../src/domains/math/game24/puzzle.ts";
import { mathJudge } from "../../../../src/domains/math/judge/math-judge.ts";
import { solvePuzzle } from "./solve-puzzle.ts";

const data = new URL("../../../../../shared/data/", import.meta.url);

function judged(answer: string, question = "4 5 6 10"): ReturnType<typeof judgePuzzle> {
  return judgePuzzle({ question, answer, gold: undefined });
}

function problemOf(answer: string, question?: string): unknown {
  return judged(answer, question)?.evidence?.["problem"];
}

describe("a question is a puzzle", () => {
  it.each([
    ["four numbers alone", "3 3 8 8", "3 3 8 8"],
    ["four numbers with commas", " 1, 5, 5, 5 ", "1 5 5 5"],
    ["the game by name", "Play the Game of 24 with the numbers 2, 3, 7, and 13.", "2 3 7 13"],
    [
      "the rule in words",
      "Use each of the numbers 7, 7, 3 and 3 exactly once, with any arithmetic operations, to make 24.",
      "7 7 3 3",
    ],
    [
      "the rule, then the numbers",
      "Use the numbers and basic arithmetic operations (+ - * /) to obtain 24.\nInput: 4 9 10 13",
      "4 9 10 13",
    ],
  ])("%s", (_, question, numbers) => {
    expect(puzzleOf(question)?.numbers.join(" ")).toBe(numbers);
    expect(puzzleOf(question)?.target).toBe(24n);
  });

  it.each([
    ["three numbers", "3 8 8"],
    ["five numbers", "1 2 3 4 5"],
    ["a number that is not whole", "1 2 3 4.5"],
    ["another question with a list", "What is the mean of 4, 5, 6 and 10?"],
    ["a count of ways", "How many ways are there to make 24 of 3, 3, 8, 8, using each number once?"],
    ["a question of yes or no", "Is it possible to make 24 of 1, 1, 1, 1, using each number exactly once?"],
    ["two lists", "In the 24 game, who wins, the one with 1, 2, 3, 4 or the one with 5, 6, 7, 8?"],
    ["24 by chance", "A class of 24 makes teams. The teams have 4, 5, 6, 9 members. How is that?"],
  ])("no: %s", (_, question) => {
    expect(puzzleOf(question)).toBeUndefined();
    expect(judgePuzzle({ question, answer: "24", gold: undefined })).toBeUndefined();
  });

  it("by its material, whatever its text says", () => {
    const material = JSON.stringify({ puzzle: [2, 3, 4], target: 10 });
    const about = { question: "Make ten.", gold: ["10"], material };
    expect(judgePuzzle({ ...about, answer: "2 * 3 + 4" })?.passed).toBe(true);
    expect(judgePuzzle({ ...about, answer: "2 + 4 + 4" })?.passed).toBe(false);
    expect(judgePuzzle({ ...about, answer: "10" })?.passed).toBe(false);
  });

  it.each([
    "",
    "{",
    "[4,5,6,10]",
    '{"puzzle":"4 5"}',
    '{"puzzle":[4,5],"target":"24"}',
    '{"puzzle":[],"target":24}',
  ])("no: by the material %j", (material) => {
    expect(judgePuzzle({ question: "Make ten.", answer: "10", gold: undefined, material })).toBeUndefined();
  });

  it.each([
    ["the target", "24", true],
    ["a solution", "4 × 5 + (10 − 6) = 24", true],
    ["anything else", "the mean is 6.25", false],
    ["another number", "25", false],
    ["a sum of other numbers", "12 + 12", false],
    ["an expression that makes something else", "4 + 5 + 6 + 10", false],
  ])("where the accepted answer is %s: %j %s", (_, gold, isPuzzle) => {
    const verdict = judgePuzzle({ question: "4 5 6 10", answer: "4 * 5 + (10 - 6)", gold: [gold] });
    expect(verdict?.passed).toBe(isPuzzle ? true : undefined);
  });
});

describe("a solution is accepted", () => {
  it.each([
    ["plain", "4 * 5 + (10 - 6)"],
    ["with the target", "4 * 5 + (10 - 6) = 24"],
    ["behind a label", "Answer: 4 * 5 + (10 - 6) = 24"],
    ["as the last line", "10 - 6 = 4\nAnswer: 4 * 5 + (10 - 6) = 24\n"],
    ["with signs of print", "4 × 5 + (10 − 6)"],
    ["in LaTeX", "4 \\cdot 5 + \\left(10-6\\right)"],
    ["in a box", "So it is $\\boxed{4 \\times 5+(10-6)}$."],
    ["in a box with its target", "\\boxed{4 \\times 5+(10-6) = 24}"],
    ["with square brackets", "4 * 5 + [10 - 6]"],
    ["with a full stop", "4 * 5 + (10 - 6) = 24."],
    ["between dollar signs", "$4 * 5 + (10 - 6)$"],
  ])("%s", (_, answer) => expect(judged(answer)).toMatchObject({ passed: true, score: 1 }));

  it.each([
    ["fractions in between", "8 / (3 - 8 / 3)", "3 3 8 8"],
    ["fractions of LaTeX", "\\dfrac{8}{3 - \\frac{8}{3}} = 24", "3 3 8 8"],
    ["a division sign", "8 ÷ (3 − 8 \\div 3)", "3 3 8 8"],
    ["the same number three times", "5 * (5 - 1 / 5)", "1 5 5 5"],
  ])("%s", (_, answer, question) => expect(judged(answer, question)?.passed).toBe(true));
});

describe("an answer is rejected with its reason", () => {
  it.each([
    ["a wrong value", "4 + 5 + 6 + 10", "it makes 25"],
    ["a fraction", "(4 + 5) * 6 / 10", "it makes 27/5"],
    ["a number used twice", "(10 - 6) * (5 - 5) * 4", "it uses 5 twice, and the puzzle has it once"],
    ["a number left out", "4 * 6", "it leaves out 5, 10"],
    ["a foreign number", "(10 - 6) * (7 - 4) * 2", "it uses 7, which the puzzle does not have"],
    ["digits put together", "45 - 10 - 6", "it uses 45, which"],
    ["a power", "4 ** 5", "`**` is not an operation"],
    ["a power with a blank", "4 * * 5", "is not an operation"],
    ["a floor division", "(10 // 6) * 4 * 5", "`//` is not an operation"],
    ["a power by caret", "(10 - 6)^(5 - 4)", "`^` is no"],
    ["a factorial", "4! * (6 - 5) + 10", "`!` is no"],
    ["a root", "sqrt(4) * 6", "`s` is no"],
    ["a root of LaTeX", "\\sqrt{4} * 6", "`\\sqrt` is no"],
    ["digits of another script", "4 * 5 + (١٠ - 6)", "`١` is no"],
    ["digits of full width", "４ * 5 + (10 - 6)", "`４` is no"],
    ["a superscript", "4² + 6", "`²` is no"],
    ["hexadecimal digits", "0xA - 6", "`x` is no"],
    ["a decimal", "4 * 5 + (10.0 - 6)", "`.` is no"],
    ["an exponent", "4 * 5 + (1e1 - 6)", "`e` is no"],
    ["a zero in front", "4 * 5 + (10 - 06)", "`06` begins with a zero"],
    ["an underscore", "4 * 5 + (1_0 - 6)", "`_` is no"],
    ["code", "__import__('os')", "`_` is no"],
    ["a sign of one number", "-(-(10 - 6)) + 4 * 5", "a number is due before `-`"],
    ["a plus of one number", "+10 - 6", "a number is due before `+`"],
    ["a sign behind an operation", "(10 - 6) - -20", "a number is due before `-`"],
    ["no operation between brackets", "(10 - 6)(5 + 4)", "no operation in front of `(`"],
    ["no operation between numbers", "10 6 5 4", "no operation in front of `6`"],
    ["an operation at the end", "4 * 5 + (10 - 6) *", "it ends where a number is due"],
    ["a bracket too few", "(4 * 5 + (10 - 6)", "a bracket is not closed"],
    ["a bracket too many", "4 * 5 + (10 - 6))", "a bracket closes that none opened"],
    ["empty brackets", "() + 10", "a number is due before `)`"],
    ["a fraction without braces", "\\frac 10 5", "each in braces"],
    ["two expressions", "4 * 5 + (10 - 6), (10 - 6) * 4", "`,` is no"],
    ["two expressions in words", "4 * 5 + (10 - 6) or 4 * (10 - 6)", "`o` is no"],
    ["another right side", "4 * 5 + (10 - 6) = 48", "it says that it makes `48`"],
    ["a right side near by", "4 * 5 + (10 - 6) = 25", "it says that it makes `25`"],
    ["a right side with more", "4 * 5 + (10 - 6) = 24 (I think)", "it says that it makes"],
    ["no right side", "4 * 5 + (10 - 6) =", "it ends with an equals sign"],
    ["a chain", "4 * 5 + (10 - 6) = 20 + 4 = 24", "more than one equals sign"],
    ["a division by zero", "10 / (5 - 5)", "it divides by zero"],
    ["the target alone", "24", "it leaves out 4, 5, 6, 10"],
    ["nothing", "", "there is no expression"],
    ["blanks", " \n ", "there is no expression"],
    ["prose", "There is no solution.", "`T` is no"],
    ["a wrong last line", "4 * 5 + (10 - 6) = 24\nI am sure.", "`I` is no"],
    ["brackets without end", `${"(".repeat(5_000)}10${")".repeat(5_000)}`, "more than 1,000 characters"],
    ["a number without end", "9".repeat(10_000), "more than 1,000 characters"],
    ["a megabyte", "1+".repeat(500_000), "more than 1,000 characters"],
  ])("%s", (_, answer, problem) => {
    expect(judged(answer)).toMatchObject({ passed: false, score: 0 });
    expect(problemOf(answer)).toContain(problem);
  });

  it("with all its reasons", () => {
    expect(problemOf("5 * 5 + 6 = 31")).toBe(
      "it uses 5 twice, and the puzzle has it once; it leaves out 4, 10; it makes 31; it says that it makes `31`",
    );
  });
});

it("Any text has a verdict", () => {
  const pieces = fc.constantFrom(
    ..."0 4 5 6 10 + - * / ( ) = \\frac { } \\boxed{ $ . , ( ( Answer: \n ² [ ]".split(" "),
  );
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.array(pieces, { maxLength: 40 }).map((all) => all.join("")),
  );
  fc.assert(fc.property(text, (answer) => judged(answer) !== undefined));
});

it("The judge of math judges a puzzle by its rule, with the target as its accepted answer or with none", async () => {
  const { signal } = new AbortController();
  const verdict = (answer: string, gold: readonly string[] | undefined): unknown =>
    mathJudge.judge({ question: "3 3 8 8", answer, gold }, signal);
  expect(await verdict("8 / (3 - 8 / 3)", undefined)).toMatchObject({ judge: "exact_math", passed: true });
  expect(await verdict("8 / (3 - 8 / 3)", ["24"])).toMatchObject({ judge: "exact_math", passed: true });
  expect(await verdict("24", ["24"])).toMatchObject({
    passed: false,
    evidence: { problem: "it uses 24, which the puzzle does not have; it leaves out 3, 3, 8, 8" },
  });
});

it("The accepted answer of a question about the game decides where it does not solve the puzzle", async () => {
  const question =
    "Using the numbers 1, 2, 3, 4 each once with arithmetic operations one can make 24. What is the first whole number that nobody can make so?";
  const { signal } = new AbortController();
  const verdict = (answer: string) => mathJudge.judge({ question, answer, gold: ["29"] }, signal);
  expect(await verdict("29")).toMatchObject({ passed: true });
  expect(await verdict("24")).toMatchObject({ passed: false });
});

const csv = new URL("game24/24-first-900.csv", data);
it.skipIf(!existsSync(csv))("Every puzzle of a public file has an answer that is accepted", () => {
  const puzzles = readFileSync(csv, "utf8")
    .trim()
    .split("\n")
    .slice(1)
    .map((line) => line.split(",")[1] ?? "");
  expect(puzzles).toHaveLength(900);
  for (const question of puzzles) {
    const solution = solvePuzzle(question.split(" ").map(Number)) ?? "";
    expect(judged(solution, question)?.passed, `${question}: ${solution}`).toBe(true);
    expect(judged(`${solution} = 24`, question)?.passed).toBe(true);
    expect(judged(`${solution} + 1 - 1`, question)?.passed).toBe(false);
  }
});

const answers = new URL("answers/game24-gpt4-900-949.jsonl", data);
it.skipIf(!existsSync(answers))(
  "Recorded verdicts agree, but for one answer that names another value",
  () => {
    const rows = readFileSync(answers, "utf8")
      .trim()
      .split("\n")
      .map(
        (line) =>
          JSON.parse(line) as {
            id: string;
            question: string;
            gold: string[];
            solution: string;
            correct?: boolean;
          },
      );
    const passed = (row: (typeof rows)[number]): boolean =>
      judgePuzzle({ question: row.question, answer: row.solution, gold: row.gold })?.passed === true;
    const recorded = rows.filter(({ correct }) => correct !== undefined);
    const others = rows.filter(({ correct }) => correct === undefined);
    expect(recorded).toHaveLength(5_000);
    expect(recorded.filter((row) => passed(row) !== row.correct).map(({ id }) => id)).toEqual([
      "g24-927-cot-10",
    ]);
    const right = others.filter(passed).length;
    console.info(
      `game24: ${right} of ${others.length} without a recorded verdict are right (${(right / others.length) * 100}%)`,
    );
  },
);
