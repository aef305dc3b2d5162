import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { canRead, compareAnswers } from "../../../../../src/domains/math/judge/same-answer.ts";

const DATA = new URL("../../../../../../shared/data/", import.meta.url);
const isHere = existsSync(DATA);

interface Row {
  readonly id: string;
  readonly question: string;
  readonly gold?: readonly string[];
  /** A number where a row has no `gold`. */
  readonly answer: string | number;
  readonly solution: string;
  readonly correct: boolean;
}

function rowsOf(file: string): readonly Row[] {
  const lines = readFileSync(new URL(file, DATA), "utf8").trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line) as Row);
}

/** The rows on which the judge says otherwise than the record, of the recorded answer or of the whole solution. */
function differences(rows: readonly Row[], part: "answer" | "solution"): readonly string[] {
  return rows.flatMap(({ id, question, gold = [], correct, ...texts }) => {
    const { same } = compareAnswers(String(texts[part]), gold[0] ?? "", question);
    return same === correct || (same === undefined && !correct) ? [] : [`${id}: ${same}`];
  });
}

// docs/math.md explains each difference.
describe.skipIf(!isHere)("recorded verdicts (needs ../shared/data)", () => {
  test("GSM8K: the judge agrees on every answer and every solution", () => {
    const rows = rowsOf("answers/gsm8k-gpt3-even.jsonl");
    expect(differences(rows, "answer")).toEqual([]);
    expect(differences(rows, "solution")).toEqual([]);
  });

  test("MATH: one recorded verdict takes no grouped thousands", () => {
    const rows = rowsOf("answers/math-qwen-even.jsonl");
    const found = differences(rows, "answer");
    expect(found).toHaveLength(1);
    expect(differences(rows, "solution")).toEqual(found);
    const other = rows.find(({ id }) => found[0]?.startsWith(`${id}:`) === true);
    expect(other).toMatchObject({ answer: "10000", gold: ["10{,}000"], correct: false });
  });
});

/** Two ways to write one accepted answer. */
const REWRITTEN = new Set([String.raw`6 | \$6`]);

test
  .skipIf(!isHere)
  .each([
    "answers/gsm8k-gpt3-even.jsonl",
    "answers/math-qwen-even.jsonl",
    "math/aime24.jsonl",
    "math/amc23.jsonl",
  ])(
  "all accepted answers of %s can be read, and no two of them are the same (needs ../shared/data)",
  (file) => {
    const golds = [...new Set(rowsOf(file).map(({ gold, answer }) => gold?.[0] ?? String(answer)))];
    expect(golds.filter((gold) => !canRead(gold))).toEqual([]);
    const alike = golds.flatMap((a, n) =>
      golds
        .slice(n + 1)
        .flatMap((b) => (compareAnswers(a, b, "").same === false ? [] : [[a, b].toSorted().join(" | ")])),
    );
    expect(alike.filter((pair) => !REWRITTEN.has(pair))).toEqual([]);
  },
);
