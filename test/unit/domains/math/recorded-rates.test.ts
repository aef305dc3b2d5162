import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parseReply } from "../../../../src/domains/math/parse-reply.ts";
import { readDraft } from "../../../../src/domains/math/read-draft.ts";
import { skillInNode } from "./skill-in-node.ts";

const data = new URL("../../../../../shared/data/answers/", import.meta.url);

interface Row {
  readonly id: string;
  readonly question: string;
  readonly solution: string;
  readonly answer?: string;
  readonly correct?: boolean;
}

/** The context of a skill for a recorded answer, as an import reads it. */
function contextOf({ question, solution, answer }: Row) {
  const { thought, action } = parseReply(solution);
  return { question, draft: readDraft({ question, thought, answer: answer ?? action.arg }) };
}

/** The judged answers of a file with their contexts, each read once for all skills. */
function readFile(file: string) {
  const lines = readFileSync(new URL(file, data), "utf8").trim().split("\n");
  const rows = lines.map((line) => JSON.parse(line) as Row).filter(({ correct }) => correct !== undefined);
  return rows.map((row) => ({ ...row, context: contextOf(row) }));
}

/** Percent of the wrong and of the right answers that a skill holds back. */
function ratesOf(rows: ReturnType<typeof readFile>, name: string) {
  const skill = skillInNode(name);
  const percent = (correct: boolean): number => {
    const own = rows.filter((row) => row.correct === correct);
    return (100 * own.filter(({ context }) => skill(context) !== undefined).length) / own.length;
  };
  return { wrong: percent(false), right: percent(true) };
}

/** Least percent of wrong and greatest of right answers. */
const SCHOOL: Readonly<Record<string, readonly [wrong: number, right: number]>> = {
  "arithmetic-slip": [7, 1],
  "boundary-violation": [2.5, 0.1],
  "units-dimension-mismatch": [1.5, 0.3],
  "final-format-error": [0.3, 0.1],
  "simplification-incomplete": [0, 0.1],
  "case-incompleteness": [0, 0.1],
  overgeneralization: [0, 0.1],
  "algebraic-sign-error": [0, 0.1],
  "substitution-invalid": [0, 0.1],
  "proof-step-gap": [0.5, 0.5],
};
const COMPETITION: typeof SCHOOL = {
  "arithmetic-slip": [15, 1],
  "boundary-violation": [0, 0.3],
  "units-dimension-mismatch": [0, 0.3],
  "final-format-error": [0, 0.3],
  "simplification-incomplete": [0, 0.3],
  "case-incompleteness": [0, 4],
  overgeneralization: [0, 4],
  "algebraic-sign-error": [0, 0.3],
  "substitution-invalid": [0, 0.3],
  "proof-step-gap": [0, 2],
};

describe.skipIf(!existsSync(data))("on recorded answers (skipped without ../shared/data)", () => {
  it.each([
    ["gsm8k-gpt3-even.jsonl", SCHOOL],
    ["math-qwen-even.jsonl", COMPETITION],
  ] as const)("skills fire on few right answers of %s", (file, bars) => {
    const rows = readFile(file);
    for (const [name, [wrong, right]] of Object.entries(bars)) {
      const found = ratesOf(rows, name);
      expect.soft(found.wrong, `${name}, wrong`).toBeGreaterThanOrEqual(wrong);
      expect.soft(found.right, `${name}, right`).toBeLessThanOrEqual(right);
    }
  });

  it("the form of a puzzle's answer is wrong where the answer is, but for one that names another value", () => {
    const skill = skillInNode("final-format-error");
    const rows = readFile("game24-gpt4-900-949.jsonl");
    const differ = rows.filter(({ context, correct }) => (skill(context) === undefined) !== correct);
    expect(differ.map(({ id }) => id)).toEqual(["g24-927-cot-10"]);
  });
});
