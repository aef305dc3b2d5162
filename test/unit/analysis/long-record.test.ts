import { expect, it } from "vitest";
import { judgeRecorded } from "../../../src/analysis/judge.ts";
import { EPISODE_SCHEMA, type Episode } from "../../../src/model/episode.ts";
import type { PfHost } from "../../../src/sandbox/pf-host.ts";

const STEPS = 50_000;

/** A conversation of this many turns, as an importer writes it. */
function longEpisode(): Episode {
  const action = { type: "other", arg: "x" };
  const steps = Array.from({ length: STEPS }, (_, t) => ({
    t,
    thought: "",
    proposals: [{ thought: "", action }],
    executed: action,
    events: [],
    injected: [],
    observation: "x",
    documents: [],
  }));
  return {
    schema: EPISODE_SCHEMA,
    id: "long",
    questionId: "long",
    question: "?",
    source: "import",
    facts: { domain: "agent", actionTypes: ["other"], searchReturnsText: false, maxSteps: STEPS },
    library: [],
    steps,
    length: STEPS,
    stopReason: "imported",
    outcome: "unjudged",
  } as unknown as Episode;
}

it("A long record that no Program Function judges costs no contexts, and runs as it was recorded", async () => {
  const asked: number[] = [];
  const host = {
    fold: async (_ids: readonly string[], questions: readonly unknown[]) => {
      asked.push(questions.length);
      return new Map();
    },
  } as unknown as PfHost;
  const library = { skills: [], active: [], kept: [], diagnostics: [] };
  const judged = await judgeRecorded(longEpisode(), library, host);
  expect(judged).toHaveLength(STEPS);
  expect(judged.filter(({ diverged, events }) => diverged || events.length > 0)).toEqual([]);
  expect(asked).toEqual([0]);
});
