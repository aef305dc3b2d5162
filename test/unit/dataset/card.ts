import { CARD_SCHEMA, type DataCard } from "../../../src/model/data-card.ts";
import { DEFAULT_WEIGHTS } from "../../../src/model/signals.ts";

/** The card of one pair. */
export const CARD: DataCard = {
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
  transcripts: 0,
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
