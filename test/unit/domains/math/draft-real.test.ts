import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readDraft } from "../../../../src/domains/math/read-draft.ts";

const DATA = new URL("../../../../../shared/data/answers/", import.meta.url);

interface Row {
  readonly question: string;
  readonly solution: string;
  readonly answer: string;
  readonly correct: boolean;
}

/** Part of the right and of the wrong answers whose draft has an equation that does not hold. */
function slips(file: string): { readonly right: number; readonly wrong: number } {
  const rows = readFileSync(new URL(file, DATA), "utf8").trim().split("\n");
  const drafts = rows.map((row) => {
    const { question, solution, answer, correct } = JSON.parse(row) as Row;
    const thought = solution.replace(/\nA: [^\n]*$/, "");
    const { equations } = readDraft({ question, thought, answer });
    return { correct, slipped: equations.some(({ holds }) => !holds) };
  });
  const part = (wanted: boolean): number => {
    const some = drafts.filter(({ correct }) => correct === wanted);
    return some.filter(({ slipped }) => slipped).length / some.length;
  };
  return { right: part(true), wrong: part(false) };
}

describe.skipIf(!existsSync(DATA))("equations of real answers (skipped without ../shared/data)", () => {
  test("word problems: right answers are seldom flagged", () => {
    const { right, wrong } = slips("gsm8k-gpt3-even.jsonl");
    expect(right).toBeLessThanOrEqual(0.01);
    expect(wrong).toBeGreaterThanOrEqual(0.07);
  });

  test("LaTeX: right answers are seldom flagged", () => {
    const { right, wrong } = slips("math-qwen-even.jsonl");
    expect(right).toBeLessThanOrEqual(0.01);
    expect(wrong).toBeGreaterThanOrEqual(0.15);
  });
});
