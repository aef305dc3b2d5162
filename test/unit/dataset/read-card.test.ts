import { describe, expect, it } from "vitest";
import { readCard } from "../../../src/dataset/read-card.ts";
import { CARD_SCHEMA, type DataCard } from "../../../src/model/data-card.ts";
import { DEFAULT_WEIGHTS } from "../../../src/model/signals.ts";

const CARD: DataCard = {
  schema: CARD_SCHEMA,
  file: "a-dpo.jsonl",
  kind: "a-dpo",
  objective: "a",
  domain: "web_search",
  createdAt: "2026-11-20T09:00:00Z",
  rows: 1,
  sources: [{ run: ".hasp/runs/first", episodes: 1, steps: 2, rows: 1 }],
  order: { filter: "rs", floor: 0.25, dpoRevised: false, weights: DEFAULT_WEIGHTS },
  scored: { steps: 2, overFloor: 1, reward: 0.6 },
  bySkill: [{ name: "read_first", rows: 1, weight: 0.6 }],
  byCorrection: [{ name: "modified", rows: 1, weight: 0.6 }],
  families: { timing: 0.5, modality: 0.35, correctness: 0.5, outcome: -0.2 },
  histogram: [0, 0, 0, 0, 0, 0, 1, 0, 0, 0],
  tokens: { prompt: 800, target: 20, longestRow: 90 },
  dropped: [{ reason: "the reward is under the floor", steps: 1 }],
  rendered: 0,
  heldOutQuestions: 0,
  notices: [],
  sample: [
    {
      run: ".hasp/runs/first",
      episode: "e",
      questionId: "q",
      sample: 1,
      step: 2,
      line: 1,
      weight: 0.6,
      skills: "read_first",
      correction: "modified",
      prompt: "…",
      target: "READ doc_0",
      rejected: "FINAL x",
    },
  ],
};

const problem = (text: string): string => {
  const { value, diagnostics } = readCard(text, "x.card.json");
  expect(value).toBeUndefined();
  const [found] = diagnostics;
  expect(found).toMatchObject({ code: "HASP635", severity: "error", file: "x.card.json" });
  expect(found?.next).toMatch(/./);
  return found?.message ?? "";
};

describe("A data card", () => {
  it("is read as it was written", () => {
    const text = JSON.stringify(CARD);
    expect(readCard(text, "x.card.json")).toEqual({ value: CARD, diagnostics: [] });
  });

  it("that was cut off is no JSON", () => {
    expect(problem(JSON.stringify(CARD).slice(0, -9))).toBe(
      "This is no data card: the file is not complete JSON.",
    );
  });

  it.each([
    ["another schema", JSON.stringify({ ...CARD, schema: "hasp.data-card/2" }), "hasp.data-card/2"],
    ["no schema", "{}", "missing"],
    ["no object", "[1]", "missing"],
    ["null", "null", "missing"],
  ])("with %s is foreign", (_what, text, schema) => {
    expect(problem(text)).toBe(
      `This is no data card of HASP: its schema is ${schema}, not hasp.data-card/1.`,
    );
  });

  it("with a field that is gone, of another type, or out of its folder names it", () => {
    const { sample: _gone, ...rest } = CARD;
    expect(problem(JSON.stringify(rest))).toContain("sample");
    expect(problem(JSON.stringify({ ...CARD, rows: "1" }))).toContain("rows");
    expect(problem(JSON.stringify({ ...CARD, file: "../../secret.jsonl" }))).toContain("file");
  });
});
