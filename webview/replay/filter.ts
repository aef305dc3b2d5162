import type { EpisodeHead, Outcome } from "../../src/model/episode.ts";
import type { FailurePattern, FoundPattern } from "../../src/model/failure-pattern.ts";
import type { Note } from "../../src/model/note.ts";

/** `failed` is what most people come for: wrong answers and episodes that never gave one. */
export const OUTCOME_FILTERS = ["all", "failed", "wrong", "halted", "correct", "unjudged"] as const;
export type OutcomeFilter = (typeof OUTCOME_FILTERS)[number];

/** `all`, `noted`, `unnoted`, or `is:` and a label. */
export type LabelFilter = "all" | "noted" | "unnoted" | `is:${string}`;

export const SORTS = ["order", "outcome", "longest", "shortest", "question", "notes"] as const;
export type Sort = (typeof SORTS)[number];

/** Which episodes are listed, and in which order. What is left out lets all through. */
export interface EpisodeFilter {
  readonly text: string;
  readonly outcome: OutcomeFilter;
  readonly pattern?: FailurePattern | "all";
  readonly label?: LabelFilter;
  readonly sort?: Sort;
}

export const NO_FILTER = { text: "", outcome: "all", pattern: "all", label: "all" } as const;

/** What is known of episodes besides their heads. */
export interface EpisodeFacts {
  /** By id of the episode. */
  readonly notes: ReadonlyMap<string, readonly Note[]>;
  /** By position; those that were not looked at yet are not there. */
  readonly patterns: ReadonlyMap<number, readonly FoundPattern[]>;
}

const NO_FACTS: EpisodeFacts = { notes: new Map(), patterns: new Map() };

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

function hasLabel(notes: readonly Note[] = [], label: LabelFilter): boolean {
  if (label === "all") return true;
  if (label === "noted" || label === "unnoted") return notes.length > 0 === (label === "noted");
  return notes.some(({ kind }) => `is:${kind}` === label);
}

function passes({ head, index }: ListedEpisode, filter: EpisodeFilter, facts: EpisodeFacts): boolean {
  const { outcome, pattern = "all", label = "all" } = filter;
  if (!hasOutcome(head.outcome, outcome) || !hasLabel(facts.notes.get(head.id), label)) return false;
  return pattern === "all" || (facts.patterns.get(index) ?? []).some(({ name }) => name === pattern);
}

const OUTCOME_ORDER: readonly Outcome[] = ["wrong", "halted", "unjudged", "correct"];

type Compare = (a: ListedEpisode, b: ListedEpisode) => number;

/** Episodes that are equal in what is sorted by keep the order of the file. */
export function comparison(sort: Sort = "order", facts: EpisodeFacts = NO_FACTS): Compare {
  const notes = ({ head }: ListedEpisode): number => facts.notes.get(head.id)?.length ?? 0;
  const place = ({ head }: ListedEpisode): number => OUTCOME_ORDER.indexOf(head.outcome);
  const by: Readonly<Record<Sort, Compare>> = {
    order: () => 0,
    outcome: (a, b) => place(a) - place(b),
    longest: (a, b) => b.head.length - a.head.length,
    shortest: (a, b) => a.head.length - b.head.length,
    question: (a, b) => a.head.question.localeCompare(b.head.question, "en"),
    notes: (a, b) => notes(b) - notes(a),
  };
  return (a, b) => by[sort](a, b) || a.index - b.index;
}

/** Keeps the episodes that pass, and whose question or ids contain every word of `text`, in any case; sorted. */
export function filterEpisodes(
  heads: readonly EpisodeHead[],
  filter: EpisodeFilter,
  facts: EpisodeFacts = NO_FACTS,
): ListedEpisode[] {
  const words = filter.text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  const listed = heads.flatMap((head, index) => {
    if (!passes({ head, index }, filter, facts)) return [];
    const text = `${head.question}\n${head.id}\n${head.questionId}`.toLowerCase();
    return words.every((word) => text.includes(word)) ? [{ index, head }] : [];
  });
  const { sort = "order" } = filter;
  return sort === "order" ? listed : listed.toSorted(comparison(sort, facts));
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

/**
 * The listed episode `by` places from the selected one; from outside the list, the nearest in that direction.
 * `isBefore` says which episodes stand before the selected one; by default, in the order of the file.
 */
export function neighbour(
  listed: readonly ListedEpisode[],
  index: number | undefined,
  by: number,
  isBefore: (episode: ListedEpisode) => boolean = (episode) => episode.index < (index ?? -1),
): number | undefined {
  if (listed.length === 0) return undefined;
  const at = listed.findIndex((episode) => !isBefore(episode));
  const here = at === -1 ? listed.length : at;
  const inList = listed[here]?.index === index;
  const target = inList || by < 0 ? here + by : here + by - 1;
  return listed[Math.min(Math.max(target, 0), listed.length - 1)]?.index;
}
