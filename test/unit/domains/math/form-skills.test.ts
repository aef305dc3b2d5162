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
  readonly question: string;
  readonly solution: string;
  readonly answer: string;
}

/** What a skill says to a draft; undefined where it stays silent. */
function said(name: (typeof NAMES)[number], { question, solution, answer }: Row): string | undefined {
  return skills.get(name)?.({
    question,
    draft: readDraft({ question, thought: solution, answer }),
  });
}

describe("texts", () => {
  const row = (question: string, answer: string, solution = ""): Row => ({ question, answer, solution });

  it("quote a group of permutations and how many there are", () => {
    const solution = "Ordered triples: (1, 2, 3), (3, 2, 1), (1, 4, 5), (5, 4, 1).";
    expect(said("case-incompleteness", row("How many?", "4", solution))).toContain(
      '"(1, 2, 3)", "(3, 2, 1)" (one of 2 such groups) are the same numbers in another order',
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
