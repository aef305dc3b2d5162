import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { parseDataset } from "../../../../src/evaluation/datasets.ts";
import { splitOf, splitSizes } from "../../../../src/evaluation/splits.ts";
import { ROOT } from "../../../support/core.ts";

const URL = "https://example.org/wiki";
const read = (text: string, file = "rows.jsonl") => parseDataset(text, file).value;
const line = (row: object): string => JSON.stringify(row);

describe("rows of math data sets", () => {
  it("of AIME keep the answer as it is written", () => {
    const row = line({
      id: 7,
      problem: "Find the number of tiles.",
      solution: "It is 25.",
      answer: "025",
      url: `${URL}/2024_AIME_I_Problems/Problem_3`,
    });
    expect(read(row)).toMatchObject({
      dataset: "aime24",
      questions: [{ id: "7", question: "Find the number of tiles.", gold: ["025"] }],
    });
  });

  it("of AMC have a whole number where another program wrote 27.0, and lose no digit", () => {
    const row = (answer: string): string =>
      `{"id": 3, "problem": "How far?", "answer": ${answer}, "url": "${URL}/2023_AMC_12A_Problems/Problem_1"}`;
    const gold = (answer: string) => read(row(answer))?.questions[0]?.gold;
    expect(read(row("27.0"))?.dataset).toBe("amc23");
    expect(["27.0", "-1.00", "0.5", "0.10"].map(gold)).toEqual([["27"], ["-1"], ["0.5"], ["0.10"]]);
  });

  it("of MATH have the last box of their solution for gold, or their answer, and their level", () => {
    const row = { problem: "What is $3/6$?", level: "Level 1", type: "Prealgebra" };
    const solution = "First \\boxed{3/6}, in lowest terms \\boxed{\\frac{1}{2}}.";
    expect(read(line({ ...row, solution }))).toMatchObject({
      dataset: "math",
      questions: [{ gold: ["\\frac{1}{2}"], meta: { level: "Level 1", type: "Prealgebra" } }],
    });
    const { type: subject, ...others } = row;
    const id = "test/prealgebra/1.json";
    const short = { ...others, subject, level: 1, solution, answer: "\\frac12", unique_id: id };
    expect(read(line(short))).toMatchObject({
      dataset: "math",
      questions: [{ id, gold: ["\\frac12"], meta: { level: 1, type: "Prealgebra" } }],
    });
  });

  it("of GSM8K have what follows the working, without commas between thousands", () => {
    const row = (end: string) => line({ question: "How many?", answer: `4 * 5 = <<4*5=20>>20\n#### ${end}` });
    expect(read(row("20"))).toMatchObject({ dataset: "gsm8k", questions: [{ gold: ["20"] }] });
    expect(read(row("1,234,500"))?.questions[0]?.gold).toEqual(["1234500"]);
    expect(read(line({ question: "Which?", answer: "twenty" }))?.dataset).toBeUndefined();
  });

  const PUZZLE = {
    id: "game24-9",
    question:
      "Make 24 out of the numbers 2, 3, 4 and 12. Use each of them exactly once, with +, -, *, / and brackets. Answer with the expression.",
    gold: ["24"],
    dataset: "game24",
    material: '{"puzzle":[2,3,4,12],"target":24}',
  };

  it("of the Game of 24 become questions, with the numbers for the judge", () => {
    const table =
      "Rank,Puzzles,AMT (s),Solved rate,1-sigma Mean (s),1-sigma STD (s)\n9,2 3 4 12,5,97.00%,5,1\n";
    expect(read(table, "puzzles.csv")).toMatchObject({ dataset: "game24", questions: [PUZZLE] });
    const exported = read(table, "puzzles.csv")?.questions.map(line).join("\n") ?? "";
    expect(read(exported)?.questions).toEqual([PUZZLE]);
  });

  it("of the Game of 24 may be JSON whose questions list the numbers, where the file says what they are", () => {
    const rows = line([{ pid: "9", query: "Make 24 out of [2, 3, 4, 12].", answer: "12*2*(4-3)" }]);
    expect(read(rows, "test/gameof24/data.json")).toMatchObject({ dataset: "game24", questions: [PUZZLE] });
    expect(read(rows, "rows.json")?.dataset).toBeUndefined();
  });

  it("that are none of these are plain questions", () => {
    for (const row of [
      { problem: "What is 2 + 2?", answer: "4" },
      { question: "What is 2 + 2?", answer: "4", level: 1 },
    ])
      expect(read(line(row))?.dataset).toBeUndefined();
  });
});

describe("splits of math data sets", () => {
  const many = (dataset: string) =>
    Array.from({ length: 30 }, (_, i) => ({ id: String(i), question: `What is ${i} + 1?`, dataset }));

  it.each(["aime24", "amc23", "game24"])("%s is all test; its seed comes from the pool", (dataset) => {
    expect(splitSizes(many(dataset), { dataset })).toMatchObject({ test: 30, pool: 0 });
    const { diagnostics } = splitOf(many(dataset), { dataset, split: "seed" });
    expect(diagnostics).toMatchObject([
      { code: "HASP565", next: expect.stringContaining("of the data set math") as string },
    ]);
  });

  it.each(["math", "gsm8k"])("%s is a pool", (dataset) => {
    expect(splitSizes(many(dataset), { dataset })).toMatchObject({ test: 0, pool: 30, seed: 15, val: 15 });
  });
});

const DATA = path.join(ROOT, "../shared/data");

describe("the real files (skipped without ../shared/data)", () => {
  it.skipIf(!existsSync(DATA)).each([
    ["math/aime24.jsonl", "aime24", 30],
    ["math/amc23.jsonl", "amc23", 40],
    ["game24/24-first-900.csv", "game24", 900],
  ])("%s: every row of %s is read", (name, dataset, rows) => {
    const text = readFileSync(path.join(DATA, name), "utf8");
    const { value, diagnostics } = parseDataset(text, name);
    expect(diagnostics).toEqual([]);
    expect(value).toMatchObject({ dataset, rows, passages: [] });
    expect(value?.questions).toHaveLength(rows);
    for (const { gold } of value?.questions ?? []) expect(gold?.[0]).toMatch(/^-?\d+$/);
    const exported = (value?.questions ?? []).map(line).join("\n");
    expect(read(exported)?.questions).toEqual(value?.questions);
  });
});
