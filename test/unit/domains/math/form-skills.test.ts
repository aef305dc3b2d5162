import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readDraft } from "../../../../src/domains/math/read-draft.ts";
import { skillInNode } from "./skill-in-node.ts";

const NAMES = [
  "simplification-incomplete",
  "boundary-violation",
  "units-dimension-mismatch",
  "case-incompleteness",
  "overgeneralization",
  "final-format-error",
] as const;
const skills = new Map(NAMES.map((name) => [name, skillInNode(name)]));

interface Row {
  readonly id: string;
  readonly question: string;
  readonly solution: string;
  readonly answer?: string;
  readonly correct?: boolean;
}

/** What a skill says to a draft; undefined where it stays silent. */
function said(name: (typeof NAMES)[number], { question, solution, answer }: Row): string | undefined {
  return skills.get(name)?.({
    question,
    draft: readDraft({ question, thought: solution, answer: answer ?? solution }),
  });
}

describe("texts", () => {
  const row = (question: string, answer: string, solution = ""): Row => ({
    id: "",
    question,
    answer,
    solution,
  });

  it("quote a group of permutations and how many there are", () => {
    const solution = "Ordered triples: (1, 2, 3), (3, 2, 1), (1, 4, 5), (5, 4, 1).";
    expect(said("case-incompleteness", row("How many?", "4", solution))).toContain(
      '"(1, 2, 3)", "(3, 2, 1)" are the same numbers in another order, and so in 2 groups',
    );
  });

  it("quote four cases of many", () => {
    const solution = Array.from({ length: 30 }, (_, at) => `Case ${at}: x = ${at}.`).join("\n");
    const text = said("case-incompleteness", row("How many?", "4", solution));
    expect(text).toContain('The draft lists 30 cases: "Case 0: x = 0.", ');
    expect(text).toContain('"Case 3: x = 3.", ....');
    expect(text).not.toContain("Case 4");
  });

  it("fire together where a draft argues by cases", () => {
    const drafts = [
      "Case 1: a.\nCase 2: b.",
      "n = 1: a\nn = 2: b\nn = 3: c",
      "The pairs (1,2), (2,3), (3,4).",
      "By Vieta it is 4.",
    ];
    const fires = drafts.map((solution) => [
      said("case-incompleteness", row("How many?", "4", solution)) !== undefined,
      said("overgeneralization", row("How many?", "4", solution)) !== undefined,
    ]);
    expect(fires).toEqual([
      [true, true],
      [true, true],
      [true, true],
      [false, false],
    ]);
  });

  it.each([
    ["6", "is not under 6"],
    ["5", undefined],
    ["13/2", "is not under 6"],
    ["-1", undefined],
  ])("compare exact values: %s", (answer, text) => {
    const found = said("boundary-violation", row("What is the largest integer less than 6?", answer));
    expect(found?.includes(text ?? "") ?? undefined).toBe(text === undefined ? undefined : true);
  });
});

const data = new URL("../../../../../shared/data/answers/", import.meta.url);

function rowsOf(file: string): Row[] {
  return readFileSync(new URL(file, data), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Row)
    .filter(({ correct }) => correct !== undefined);
}

/** Wrong and right answers that a skill holds back, and how many there are. */
function rates(
  file: string,
  name: (typeof NAMES)[number],
): { readonly wrong: number; readonly right: number } {
  const rows = rowsOf(file);
  const share = (correct: boolean): number => {
    const own = rows.filter((row) => row.correct === correct);
    const fired = own.filter((row) => said(name, row) !== undefined).length;
    console.info(`${file} ${name}: ${fired} of ${own.length} ${correct ? "right" : "wrong"}`);
    return (100 * fired) / own.length;
  };
  return { wrong: share(false), right: share(true) };
}

describe.skipIf(!existsSync(data))(
  "on recorded answers, percent of wrong and of right ones (skipped without ../shared/data)",
  () => {
    it.each([
      ["boundary-violation", 2.5, 0.1],
      ["units-dimension-mismatch", 1.5, 0.3],
      ["final-format-error", 0.3, 0.1],
      ["simplification-incomplete", 0, 0.1],
      ["case-incompleteness", 0, 0.1],
      ["overgeneralization", 0, 0.1],
    ] as const)("school problems: %s", (name, wrong, right) => {
      const found = rates("gsm8k-gpt3-even.jsonl", name);
      expect(found.wrong).toBeGreaterThanOrEqual(wrong);
      expect(found.right).toBeLessThanOrEqual(right);
    });

    it.each(NAMES)("competition problems: %s", (name) => {
      const arguesByCases = name === "case-incompleteness" || name === "overgeneralization";
      expect(rates("math-qwen-even.jsonl", name).right).toBeLessThanOrEqual(arguesByCases ? 4 : 0.3);
    });

    it("puzzles: every wrong one and no right one, but for one that names another value", () => {
      const rows = rowsOf("game24-gpt4-900-949.jsonl");
      const differ = rows.filter((row) => (said("final-format-error", row) === undefined) !== row.correct);
      expect(differ.map(({ id }) => id)).toEqual(["g24-927-cot-10"]);
    });
  },
);
