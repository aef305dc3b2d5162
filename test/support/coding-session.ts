import { codingAgent } from "../../src/domains/coding-agent/coding-agent.ts";
import type { ProjectCheck } from "../../src/model/coding-context.ts";
import { EPISODE_SCHEMA, type Episode, type Step } from "../../src/model/episode.ts";

/** Facts of a session with a coding agent. */
export const CODING_FACTS = {
  domain: codingAgent.name,
  actionTypes: [...codingAgent.actionTypes],
  searchReturnsText: false,
  maxSteps: 100,
} satisfies Episode["facts"];

/** A session of its own, as the record of a host would have it. */
export function codingSession(question: string, project: readonly ProjectCheck[], steps: Step[]): Episode {
  return {
    schema: EPISODE_SCHEMA,
    id: "session",
    sample: 1,
    questionId: "session",
    outcome: "unjudged",
    length: steps.length,
    question,
    source: "hasp",
    facts: { ...CODING_FACTS, project: [...project] },
    library: [],
    steps,
    stopReason: "final",
  };
}
