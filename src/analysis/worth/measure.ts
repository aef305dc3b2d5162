import { finalActionOf, SEARCH } from "../../model/action-types.ts";
import type { Action } from "../../model/action.ts";
import type { Episode } from "../../model/episode.ts";
import type { ChangeWorth, WorthValue } from "../../model/worth.ts";
import { bringsNew, isKnown, type Evidence } from "./evidence.ts";
import type { Change } from "./changes.ts";
import type { SearchResults } from "./search-results.ts";

/** A label of a person on a step: the recorded action was wrong, or it was good. */
export type StepLabel = "went_wrong_here" | "good";

/** Whether an answer to the question of an episode is right; undefined where nobody knows. */
type IsRight = (answer: string) => Promise<boolean | undefined>;
type Told = Omit<ChangeWorth, "kind">;
const told = (value: WorthValue, why: string): Told => ({ value, why });

async function stopped(draft: string, isRight: IsRight): Promise<Told> {
  const right = await isRight(draft);
  if (right === undefined) return told("not_measured", "Nobody knows whether the answer was right.");
  return right
    ? told("harmed", "A right answer did not end the episode.")
    : told("could_help", "A wrong answer did not end the episode.");
}

/** `before`: whether the answer that would have come was right. */
async function reworded(before: boolean | undefined, answer: string, isRight: IsRight): Promise<Told> {
  const now = await isRight(answer);
  if (before === undefined || now === undefined)
    return told("not_measured", "Nobody knows whether the answers are right.");
  if (before === now) return told("same", now ? "Both answers are right." : "Both answers are wrong.");
  return now
    ? told("helped", "The new answer is right, the old one was not.")
    : told("harmed", "The old answer was right, the new one is not.");
}

function byLabel(label: StepLabel, { isRecorded }: Change): Told {
  const was = label === "good" ? "good" : "wrong";
  // Of a record that was made with the change, the label is about what came of it.
  if (isRecorded)
    return told(label === "good" ? "helped" : "harmed", `A person labelled the changed step ${was}.`);
  return told(label === "good" ? "harmed" : "could_help", `A person labelled the recorded step ${was}.`);
}

/** A search in the place of an action, with what is known of both. */
export interface SearchChange {
  readonly question: string;
  readonly evidence: Evidence;
  /** Evidence that the episode had seen before. */
  readonly seen: ReadonlySet<string>;
  /** Undefined: the action before was no search, so it brings nothing. */
  readonly before: string | undefined;
  readonly after: string;
}

/**
 * Compares what two queries bring that the episode had not seen: gold, or a page that supports it. Without a corpus nobody knows what a query
 * brings that was not made.
 */
export async function compareQueries(
  { question, evidence, seen, before, after }: SearchChange,
  results: SearchResults | undefined,
): Promise<Told> {
  if (results === undefined) return told("not_measured", "There is no corpus to search.");
  if (!isKnown(evidence)) return told("not_measured", "No answer to look for in the results is known.");
  const bring = async (query: string): Promise<boolean> =>
    bringsNew(await results.evidenceFor(query, question, evidence), seen);
  const had = before !== undefined && (await bring(before));
  const has = await bring(after);
  if (had === has) return told("same", has ? "Both searches bring new evidence." : NOTHING_NEW);
  return has
    ? told("helped", "The new search brings new evidence, what it replaces none.")
    : told("harmed", "The replaced search brings new evidence, the new one none.");
}

const NOTHING_NEW = "The new search brings no new evidence, and neither does what it replaces.";

/** Another action in the place of an answer: a right answer is lost whatever that brings, a wrong one is worth what it brings. */
async function replaced(one: Measured, results: SearchResults | undefined): Promise<Told> {
  const { episode, change, evidence, seen, isRight } = one;
  const stop = await stopped(change.before.arg, isRight);
  if (stop.value !== "could_help") return stop;
  const { question } = episode;
  if (change.after?.type !== SEARCH)
    return told(
      "not_measured",
      "A wrong answer did not end the episode; what came in its place is not known.",
    );
  return compareQueries({ question, evidence, seen, before: undefined, after: change.after.arg }, results);
}

/** A change, with all of its episode that the measure reads. */
export interface Measured {
  readonly episode: Pick<Episode, "outcome" | "question" | "facts">;
  readonly isRight: IsRight;
  readonly change: Change;
  readonly evidence: Evidence;
  /** Evidence in the observations before the step. */
  readonly seen: ReadonlySet<string>;
  readonly label: StepLabel | undefined;
}

async function measured(one: Measured, results: SearchResults | undefined): Promise<Told> {
  const { episode, change, evidence, seen, label, isRight } = one;
  const { before, after, kind } = change;
  const finalAction = finalActionOf(episode.facts);
  if (label !== undefined) return byLabel(label, change);
  if (kind === "answer") {
    if (after === undefined) return stopped(before.arg, isRight);
    if (after.type !== finalAction) return replaced(one, results);
    return reworded(await isRight(before.arg), after.arg, isRight);
  }
  if (after?.type === finalAction) {
    const ended = episode.outcome === "correct" ? true : episode.outcome === "wrong" ? false : undefined;
    return reworded(ended, after.arg, isRight);
  }
  if (after?.type !== SEARCH || isOther(before))
    return told("not_measured", "Only searches and answers are measured.");
  const old = before.type === SEARCH ? before.arg : undefined;
  return compareQueries(
    { question: episode.question, evidence, seen, before: old, after: after.arg },
    results,
  );
}

/** Neither a search nor text that is no action. */
const isOther = ({ type }: Action): boolean => type !== SEARCH && type !== "invalid";

/**
 * Measures the worth of a change on its record, without a model. A person's label on the step outranks the measure. Gold is read here alone;
 * no Program Function sees it.
 */
export async function measureChange(one: Measured, results: SearchResults | undefined): Promise<ChangeWorth> {
  return { kind: one.change.kind, ...(await measured(one, results)) };
}
