import type { EpisodeHead, Outcome } from "../../src/model/episode.ts";

/** `failed` is what most people come for: wrong answers and episodes that never gave one. */
export const OUTCOME_FILTERS = ["all", "failed", "wrong", "halted", "correct", "unjudged"] as const;
export type OutcomeFilter = (typeof OUTCOME_FILTERS)[number];

/** An episode of the list with its place in the file, which stays its identity under every filter. */
export interface ListedEpisode {
  readonly index: number;
  readonly head: EpisodeHead;
}

export function hasOutcome(outcome: Outcome, filter: OutcomeFilter): boolean {
  if (filter === "all") return true;
  if (filter === "failed") return outcome === "wrong" || outcome === "halted";
  return outcome === filter;
}

/** Keeps the episodes of an outcome whose question or ids contain every word of `text`, in any case. */
export function filterEpisodes(
  heads: readonly EpisodeHead[],
  filter: { readonly text: string; readonly outcome: OutcomeFilter },
): ListedEpisode[] {
  const words = filter.text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  return heads.flatMap((head, index) => {
    if (!hasOutcome(head.outcome, filter.outcome)) return [];
    const text = `${head.question}\n${head.id}\n${head.questionId}`.toLowerCase();
    return words.every((word) => text.includes(word)) ? [{ index, head }] : [];
  });
}

/** How many episodes each choice of the outcome filter would leave. */
export function countOutcomes(heads: readonly EpisodeHead[]): ReadonlyMap<OutcomeFilter, number> {
  return new Map(
    OUTCOME_FILTERS.map((filter) => [
      filter,
      heads.filter((head) => hasOutcome(head.outcome, filter)).length,
    ]),
  );
}

/** The listed episode `by` places from the selected one; from outside the list, the nearest in that direction. */
export function neighbour(
  listed: readonly ListedEpisode[],
  index: number | undefined,
  by: number,
): number | undefined {
  if (listed.length === 0) return undefined;
  const at = listed.findIndex((episode) => episode.index >= (index ?? -1));
  const here = at === -1 ? listed.length : at;
  const inList = listed[here]?.index === index;
  const target = inList || by < 0 ? here + by : here + by - 1;
  return listed[Math.min(Math.max(target, 0), listed.length - 1)]?.index;
}
