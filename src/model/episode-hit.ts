import type { Episode, Step } from "./episode.ts";
import type { TextQuery } from "./text-query.ts";

/** The texts of an episode that a search looks into. */
export const SEARCH_FIELDS = [
  "question",
  "answer",
  "gold",
  "prompt",
  "thought",
  "action",
  "injected",
  "observation",
  "document",
] as const;
export type SearchField = (typeof SEARCH_FIELDS)[number];

/** The first occurrence in one text of an episode. */
export interface HitPlace {
  readonly field: SearchField;
  /** 0-based step; absent for question, answer and gold. */
  readonly t?: number;
  /** One line around the occurrence. */
  readonly excerpt: string;
  /** The occurrence in `excerpt`: the first character, and how many UTF-16 units. */
  readonly at: number;
  readonly length: number;
}

/** An episode that holds the text that was looked for. */
export interface EpisodeHit {
  /** Position in `episodes.jsonl`. */
  readonly index: number;
  /** Occurrences in all fields. */
  readonly count: number;
  /** Occurrences by field; fields without any are absent. */
  readonly fields: Partial<Readonly<Record<SearchField, number>>>;
  /** The first texts of each field that hold an occurrence: question, answer, gold, then step by step. */
  readonly places: readonly HitPlace[];
}

interface SearchedText {
  readonly field: SearchField;
  readonly t?: number;
  readonly text: string;
}

function actionsOf({ proposals, executed }: Step): string[] {
  const proposed = proposals.map(({ action }) => `${action.type} ${action.arg}`);
  // Most actions run as they were proposed: they count once.
  return [...new Set([...proposed, `${executed.type} ${executed.arg}`])];
}

function textsOfStep(step: Step): [SearchField, readonly string[]][] {
  return [
    ["prompt", step.prompts ?? []],
    ["injected", (step.instructions ?? []).map(({ text }) => text)],
    ["thought", step.proposals.map(({ thought }) => thought)],
    ["action", actionsOf(step)],
    ["injected", step.injected.map(({ text }) => text)],
    ["observation", [step.observation]],
    ["document", (step.documents ?? []).map(({ title, text }) => `${title ?? ""}\n${text}`)],
  ];
}

/** All texts of an episode that a search looks into, in the order in which a person reads them. */
function* searchedTexts(episode: Episode): Generator<SearchedText> {
  yield { field: "question", text: episode.question };
  yield { field: "answer", text: episode.answer ?? "" };
  for (const text of episode.gold ?? []) yield { field: "gold", text };
  for (const step of episode.steps)
    for (const [field, texts] of textsOfStep(step))
      for (const text of texts) yield { field, t: step.t, text };
}

/** UTF-16 units of an excerpt before and after the occurrence. */
const BEFORE = 40;
const AFTER = 100;

const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ");

/** The line around `length` units at `start` of a text, cut between characters, and where the occurrence is in it. */
function excerptOf(text: string, start: number, length: number): Pick<HitPlace, "excerpt" | "at" | "length"> {
  const end = start + length;
  const from = Math.max(0, start - BEFORE);
  const to = Math.min(text.length, end + AFTER);
  const before = text.slice(from, start).replace(/^[\uDC00-\uDFFF]/, "");
  const after = text.slice(end, to).replace(/[\uD800-\uDBFF]$/, "");
  const lead = (from > 0 ? "…" : "") + oneLine(before).trimStart();
  const found = oneLine(text.slice(start, end));
  const tail = oneLine(after).trimEnd() + (to < text.length ? "…" : "");
  return { excerpt: lead + found + tail, at: lead.length, length: found.length };
}

/** All occurrences in an episode; undefined where there is none. `mostPlaces`: how many places of each field are kept. */
export function findInEpisode(
  episode: Episode,
  index: number,
  { pattern }: TextQuery,
  mostPlaces: number,
): EpisodeHit | undefined {
  const fields: Partial<Record<SearchField, number>> = {};
  const places: HitPlace[] = [];
  let count = 0;
  for (const { field, t, text } of searchedTexts(episode)) {
    let first: number | undefined;
    let length = 0;
    let here = 0;
    for (const match of text.matchAll(pattern)) {
      if (here++ > 0) continue;
      first = match.index;
      length = match[0].length;
    }
    if (first === undefined) continue;
    count += here;
    fields[field] = (fields[field] ?? 0) + here;
    if (places.filter((place) => place.field === field).length < mostPlaces)
      places.push({ field, ...(t !== undefined && { t }), ...excerptOf(text, first, length) });
  }
  return count === 0 ? undefined : { index, count, fields, places };
}

/** The plural of each field, for people. */
export const FIELDS_IN_WORDS: Readonly<Record<SearchField, string>> = {
  question: "questions",
  answer: "answers",
  gold: "gold answers",
  prompt: "what a person said",
  thought: "thoughts",
  action: "actions",
  injected: "injected texts",
  observation: "observations",
  document: "documents",
};

/** In how many episodes each field holds the text: `12 in questions, 9 in answers`; empty without hits. */
export function describeFields(hits: Iterable<Pick<EpisodeHit, "fields">>): string {
  const episodes = new Map<SearchField, number>();
  for (const { fields } of hits)
    for (const field of SEARCH_FIELDS)
      if (fields[field] !== undefined) episodes.set(field, (episodes.get(field) ?? 0) + 1);
  return SEARCH_FIELDS.flatMap((field) => {
    const n = episodes.get(field);
    return n === undefined ? [] : [`${n.toLocaleString("en")} in ${FIELDS_IN_WORDS[field]}`];
  }).join(", ");
}
