import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parseReply } from "../../../../src/domains/code/parse-reply.ts";
import { readCode } from "../../../../src/domains/code/read-code.ts";
import { skillInNode } from "../../../support/skill-in-node.ts";

const data = new URL("../../../../../shared/data/", import.meta.url);

type Row = Readonly<Record<string, string>> & { readonly correct?: boolean };

const rowsOf = (file: string): readonly Row[] =>
  readFileSync(new URL(file, data), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Row);

/** The faults that no right program has, but for luck. */
const CERTAIN = ["return-path", "stub-or-entry", "undefined-name", "recursion-base"].map((name) =>
  skillInNode(`code/code-${name}`),
);

function hasFault(question: string, answer: string): boolean {
  const context = { question, code: readCode({ question, answer }) };
  return CERTAIN.some((skill) => skill(context) !== undefined);
}

describe.skipIf(!existsSync(data))("on recorded answers (skipped without ../shared/data)", () => {
  it("the four faults are in many wrong and in next to no right answers", { timeout: 120_000 }, () => {
    const questions = new Map(
      rowsOf("coding/bigcodebench-100-1139.jsonl").map((row) => [
        row["task_id"],
        row["complete_prompt"] ?? "",
      ]),
    );
    const found = { wrong: 0, right: 0 };
    const all = { wrong: 0, right: 0 };
    for (const { question_id: id, solution = "", correct } of rowsOf(
      "answers/bigcodebench-qwen7b-100-1139.jsonl",
    )) {
      const outcome = correct === true ? "right" : "wrong";
      all[outcome]++;
      if (hasFault(questions.get(id) ?? "", parseReply(solution).action.arg)) found[outcome]++;
    }
    expect.soft(found.wrong / all.wrong).toBeGreaterThan(0.1);
    expect.soft(found.right / all.right).toBeLessThan(0.02);
  });

  it("reference solutions parse, and few have a fault", { timeout: 120_000 }, () => {
    const humanEval = rowsOf("coding/humanevalplus-mini-50-163.jsonl").map((row) => {
      return [row["prompt"] ?? "", `${row["prompt"]}${row["canonical_solution"]}`] as const;
    });
    const mbpp = rowsOf("coding/mbppplus-originfmt-50-377.jsonl").map((row) => {
      return [row["prompt"] ?? "", row["code"] ?? ""] as const;
    });
    const solutions = [...humanEval, ...mbpp];
    const problems = solutions.filter(
      ([question, answer]) => readCode({ question, answer }).problem !== undefined,
    );
    expect(problems).toEqual([]);
    const faulty = solutions.filter(([question, answer]) => hasFault(question, answer));
    expect(faulty.length / solutions.length).toBeLessThan(0.02);
  });
});
