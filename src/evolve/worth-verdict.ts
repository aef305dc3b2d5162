import { countedShare } from "../scoring/exact-interval.ts";
import type { WorthVerdict } from "../model/evolution.ts";
import { enoughQuestions } from "./enough-questions.ts";
import {
  figureOf,
  harmInWords,
  harmShare,
  MOST_HARM,
  MOST_HARM_WORDS,
  sumsInWords,
  type WorthSums,
} from "./held-out-worth.ts";

/** A candidate against a trigger that knows nothing. */
export interface TestResult {
  readonly sums: WorthSums;
  /** See chancesOfBetter. */
  readonly chances: readonly number[];
  readonly p: number;
  /** The least p that as many changed questions can have. */
  readonly attainable: number;
}

export interface Ruling {
  readonly verdict: WorthVerdict;
  /** A sentence. */
  readonly why: string;
  /** About how many held-out questions would do. */
  readonly enough?: number | undefined;
}

/** How many of the changed questions a trigger that knows nothing makes better, on average. */
export const expectedOf = (chances: readonly number[]): number =>
  chances.reduce((sum, chance) => sum + chance, 0);

const undecided = (why: string, enough?: number): Ruling => ({ verdict: "undecided", why, enough });
const refused = (why: string): Ruling => ({ verdict: "refused", why });

/** Why these held-out episodes can show nothing, whatever the candidate does; undefined where they can. */
export function nothingToShow({ better, worse, ties, wrong, right }: WorthSums): string | undefined {
  const questions = better + worse + ties;
  if (questions === 0) return "There is no held-out episode with a verdict";
  if (questions === 1) return "All held-out episodes are of one question";
  if (wrong.episodes === 0) return "No held-out episode is wrong, so nothing could be helped";
  if (right.episodes === 0)
    return "No held-out episode is right, so a trigger that knows nothing would do as well";
  return undefined;
}

const enoughWords = (enough: number | undefined): string =>
  enough === undefined ? "" : `; about ${enough} held-out questions would do`;

/** `isBelow`: p is below the level; undefined where it was not tested, because with so few changed questions it could not be. */
export function worthVerdict(result: TestResult, level: number, isBelow: boolean | undefined): Ruling {
  const { sums, chances, p, attainable } = result;
  const nothing = nothingToShow(sums);
  if (nothing !== undefined) return undecided(`${nothing}: undecided.`);
  const words = sumsInWords(sums);
  const harm = harmInWords(sums);
  if (countedShare(sums.right.harmed, sums.right.episodes).low > MOST_HARM)
    return refused(`${words}: ${harm} is more than ${MOST_HARM_WORDS}, and more than chance explains.`);
  if (chances.length === 0)
    return undecided(`${words}: with no change that matters nothing is known: undecided.`);
  const base = `a trigger that knows nothing would be better on ${figureOf(expectedOf(chances))} of ${chances.length}`;
  const enough = enoughQuestions(sums, chances, level);
  if (isBelow === undefined) {
    const least = `even if all were better, p = ${figureOf(attainable)} would not be below ${figureOf(level)}`;
    return undecided(`${words}; ${base}, and ${least}: undecided${enoughWords(enough)}.`, enough);
  }
  if (!isBelow) {
    const test = `${words}; ${base}: p = ${figureOf(p)} is not below ${figureOf(level)}`;
    return enough === undefined
      ? refused(`${test}.`)
      : undecided(`${test}: undecided${enoughWords(enough)}.`, enough);
  }
  const test = `${words}; ${base}: p = ${figureOf(p)} is below ${figureOf(level)}`;
  if (harmShare(sums) > MOST_HARM)
    return undecided(`${test}, but ${harm} is more than ${MOST_HARM_WORDS}, if by chance: undecided.`);
  return { verdict: "passed", why: `${test}; ${harm}.` };
}
