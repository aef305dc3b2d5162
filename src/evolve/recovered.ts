import { wasRight } from "../model/outcomes.ts";
import type { DomainKeys } from "../domains/domain.ts";
import type { FailureCluster } from "../model/failure.ts";
import type { NamedRun } from "../trace/placed-episodes.ts";

/** Questions of recorded runs by how their episodes ended. */
export interface RecoveredFailures {
  /** Questions with a judged episode. */
  readonly judged: number;
  /** Questions that failed in one episode, halted included, and were answered right in another; by their keys. */
  readonly questions: ReadonlySet<string>;
  /** The key of a question's text. */
  readonly keyOf: DomainKeys["question"];
}

/** Looks at the heads of episodes alone: another run, or another sample of one run, counts as another episode. */
export function recoveredIn(runs: readonly NamedRun[], keyOf: DomainKeys["question"]): RecoveredFailures {
  const failed = new Set<string>();
  const right = new Set<string>();
  for (const { index } of runs)
    for (const { head } of index.entries) {
      const key = keyOf(head.question);
      const passed = wasRight(head.outcome);
      if (passed !== undefined) (passed ? right : failed).add(key);
    }
  const questions = new Set([...failed].filter((key) => right.has(key)));
  return { judged: new Set([...failed, ...right]).size, questions, keyOf };
}

/** The clusters with those of their episodes whose question was recovered; those that become too small are left out. */
export function clustersOfRecovered(
  clusters: readonly FailureCluster[],
  { questions, keyOf }: RecoveredFailures,
  minClusterSize: number,
): readonly FailureCluster[] {
  return clusters
    .map((cluster) => ({
      ...cluster,
      examples: cluster.examples.filter(({ question }) => questions.has(keyOf(question))),
    }))
    .filter(({ examples }) => examples.length >= minClusterSize);
}
