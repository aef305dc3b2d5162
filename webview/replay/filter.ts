import type { EpisodeHead, Outcome } from "../../src/model/episode.ts";
import type { FailurePattern } from "../../src/model/failure-pattern.ts";
import type { Note } from "../../src/model/note.ts";
import { facetHas, type FacetStatus, type PfFacet } from "../../src/model/pf-facet.ts";
import type { EpisodeFacets } from "../../src/protocol/replay.ts";
import { parseFilterText, statusesLike, type FilterText } from "./filter-text.ts";

/** `failed` is what most people come for: wrong answers and episodes that never gave one. */
export const OUTCOME_FILTERS = [
  "all",
  "failed",
  "wrong",
  "halted",
  "correct",
  "unjudged",
  "abandoned",
] as const;
export type OutcomeFilter = (typeof OUTCOME_FILTERS)[number];

/** `all`, `noted`, `unnoted`, or `is:` and a label. */
export type LabelFilter = "all" | "noted" | "unnoted" | `is:${string}`;

export const SORTS = ["order", "outcome", "longest", "shortest", "question", "notes"] as const;
export type Sort = (typeof SORTS)[number];

/** Whose decisions the filter by PF is about: what the run recorded, or what today's library would do. */
export const PF_SOURCES = ["recorded", "today"] as const;
export type PfSource = (typeof PF_SOURCES)[number];

/** Which episodes are listed, and in which order. What is left out lets all through. */
export interface EpisodeFilter {
  readonly text: string;
  readonly outcome: OutcomeFilter;
  readonly pattern?: FailurePattern | "all";
  readonly label?: LabelFilter;
  /** Id of a skill, or `all`. */
  readonly pf?: string;
  /** Of that PF, or of any. */
  readonly status?: FacetStatus | "all";
  readonly pfSource?: PfSource;
  readonly sort?: Sort;
}

/** Lets all through; the order, and whose decisions count, stay as they were chosen. */
export const NO_FILTER = {
  text: "",
  outcome: "all",
  pattern: "all",
  label: "all",
  pf: "all",
  status: "all",
} as const;

/** What is known of episodes besides their heads. */
export interface EpisodeFacts {
  /** By id of the episode. */
  readonly notes: ReadonlyMap<string, readonly Note[]>;
  /** By position; those that were not looked at yet are not there. */
  readonly facets: ReadonlyMap<number, EpisodeFacets>;
  /** By position, those whose contents hold the text of the filter. */
  readonly hits: ReadonlyMap<number, unknown>;
}

const NO_FACTS: EpisodeFacts = { notes: new Map(), facets: new Map(), hits: new Map() };

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

/** The filter names a PF or a status, in the selects or in the text. */
export function filtersPfs({ text, pf = "all", status = "all" }: EpisodeFilter): boolean {
  const { pfs, statuses } = parseFilterText(text);
  return pf !== "all" || status !== "all" || pfs.length > 0 || statuses.length > 0;
}

/** Whole episodes have to be read for the filter: their heads do not tell. */
export function needsFacets(filter: EpisodeFilter): boolean {
  return (filter.pattern ?? "all") !== "all" || filtersPfs(filter);
}

/** Today's library has to be asked. */
export function needsToday(filter: EpisodeFilter): boolean {
  return filter.pfSource === "today" && filtersPfs(filter);
}

/** The status that the filter asks for: a PF that is named without one is meant to have fired. */
export function statusMeant({ text, pf = "all", status = "all" }: EpisodeFilter): FacetStatus | "all" {
  const { pfs, statuses } = parseFilterText(text);
  const isNamed = pf !== "all" || pfs.length > 0;
  return isNamed && status === "all" && statuses.length === 0 ? "fired" : status;
}

/** The PFs of an episode that the filter means, each with every status that it names. */
export function matchingPfs(
  facets: EpisodeFacets | undefined,
  filter: EpisodeFilter,
  { pfs, statuses }: FilterText = parseFilterText(filter.text),
): PfFacet[] {
  const { pf = "all", pfSource = "recorded" } = filter;
  const status = statusMeant(filter);
  return (facets?.[pfSource] ?? []).filter(
    (facet) =>
      (pf === "all" || facet.skillId === pf) &&
      (status === "all" || facetHas(facet, status)) &&
      pfs.every((part) => facet.skillId.toLowerCase().includes(part)) &&
      statuses.every((like) => statusesLike(like).some((one) => facetHas(facet, one))),
  );
}

function passes({ head, index }: ListedEpisode, filter: EpisodeFilter, facts: EpisodeFacts): boolean {
  const { outcome, pattern = "all", label = "all" } = filter;
  if (!hasOutcome(head.outcome, outcome) || !hasLabel(facts.notes.get(head.id), label)) return false;
  return pattern === "all" || (facts.facets.get(index)?.patterns ?? []).some(({ name }) => name === pattern);
}

function hasWords(head: EpisodeHead, { words }: FilterText): boolean {
  if (words.length === 0) return true;
  const text = `${head.question}\n${head.id}\n${head.questionId}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

const OUTCOME_ORDER: readonly Outcome[] = ["wrong", "halted", "unjudged", "correct", "abandoned"];

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

/**
 * Keeps the episodes that pass, and whose question or ids contain every word of `text`, in any case, or whose contents hold it; sorted. `pf:part` and
 * `status:beginning` in the text mean a Program Function, as the fields of their names do.
 */
export function filterEpisodes(
  heads: readonly EpisodeHead[],
  filter: EpisodeFilter,
  facts: EpisodeFacts = NO_FACTS,
): ListedEpisode[] {
  const text = parseFilterText(filter.text);
  const byPf = filtersPfs(filter);
  const listed = heads.flatMap((head, index) => {
    const hasText = hasWords(head, text) || facts.hits.has(index);
    if (!hasText || !passes({ head, index }, filter, facts)) return [];
    return byPf && matchingPfs(facts.facets.get(index), filter, text).length === 0 ? [] : [{ index, head }];
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
