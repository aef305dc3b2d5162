import { domainOfRecord } from "../domains/registry.ts";
import { READ, SEARCH } from "../model/action-types.ts";
import { sameAction } from "../model/action.ts";
import type { EpisodeMeasures, RunMeasure, Spread } from "../model/comparison.ts";
import type { Episode } from "../model/episode.ts";
import { countReplies } from "../model/replies.ts";

/** Costs of an episode, and interventions of its PFs. Counts actions that ran: a step that did not run counts as a step alone. */
export function measureEpisode({ steps, cost, facts }: Episode): EpisodeMeasures {
  const { actionTypes } = domainOfRecord(facts);
  const done = steps.filter(({ notRun }) => notRun === undefined);
  const ran = (type: string): number | undefined => {
    const count = done.filter(({ executed }) => executed.type === type).length;
    return count > 0 || actionTypes.includes(type) ? count : undefined;
  };
  const [searches, reads] = [ran(SEARCH), ran(READ)];
  const applied = done.flatMap(({ events }) => events).filter(({ status }) => status === "applied").length;
  const changed = done.filter(({ proposals, executed }) => {
    const last = proposals.at(-1)?.action;
    return last !== undefined && !sameAction(last, executed);
  }).length;
  const injected = done.reduce((n, step) => n + step.injected.length, 0);
  return {
    steps: steps.length,
    ...(searches !== undefined && { searches }),
    ...(reads !== undefined && { reads }),
    interventions: { applied, changed, injected },
    replies: countReplies(steps),
    ...(cost === undefined ? {} : { cost }),
  };
}

/** One quantity of an episode; undefined where nobody counted. */
export const MEASURE: Readonly<Record<RunMeasure, (of: EpisodeMeasures) => number | undefined>> = {
  steps: ({ steps }) => steps,
  searches: ({ searches }) => searches,
  reads: ({ reads }) => reads,
  applied: ({ interventions }) => interventions.applied,
  dollars: ({ cost }) => cost?.cost,
  tokens: ({ cost }) => cost && cost.inputTokens + cost.outputTokens,
  seconds: ({ cost }) => (cost?.latencyMs === undefined ? undefined : cost.latencyMs / 1_000),
};

/** Sum and median of what is known. */
export function spreadOf(values: readonly (number | undefined)[]): Spread {
  const known = values.filter((value) => value !== undefined).toSorted((a, b) => a - b);
  const [low, high] = [known[(known.length - 1) >> 1], known[known.length >> 1]];
  const median = low === undefined || high === undefined ? undefined : (low + high) / 2;
  return { known: known.length, sum: known.reduce((sum, value) => sum + value, 0), median };
}

/**
 * Exact two-sided sign test, which is McNemar's for paired answers: the chance that fair coins fall at least as unevenly as `won` to
 * `lost`. In logarithms, so that thousands of questions do not run over.
 */
export function signTest(won: number, lost: number): number {
  const n = won + lost;
  let logTerm = -n * Math.LN2;
  let tail = 0;
  for (let i = 0; i <= Math.min(won, lost); i++) {
    tail += Math.exp(logTerm);
    logTerm += Math.log(n - i) - Math.log(i + 1);
  }
  return Math.min(1, 2 * tail);
}
