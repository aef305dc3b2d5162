import { seededRandom } from "../../model/random.ts";
import type { Estimate, Separation } from "../../model/worth.ts";
import { BOOTSTRAP_SEED, middleOf, RESAMPLES } from "../bootstrap.ts";

/** How often each question is drawn in each resample: one row of `questions` numbers per resample. */
export interface Draws {
  readonly questions: number;
  readonly times: Uint8Array;
}

/** Draws as many questions as there are, with replacement, 2,000 times. The same number of questions gives the same draws. */
export function drawQuestions(questions: number): Draws {
  const random = seededRandom(BOOTSTRAP_SEED);
  const times = new Uint8Array(RESAMPLES * questions);
  for (let i = 0; i < RESAMPLES; i++)
    for (let drawn = 0; drawn < questions; drawn++) {
      const at = i * questions + Math.floor(random() * questions);
      times[at] = (times[at] ?? 0) + 1;
    }
  return { questions, times };
}

/** A judged episode, wrong or right. */
export interface SeparatedEpisode {
  /** Number of its question, from 0. */
  readonly question: number;
  readonly isWrong: boolean;
  /** The change helped or could help a wrong episode, or harmed a right one. */
  readonly isHit: boolean;
  /** The chance that a random trigger makes such a hit here; undefined where it was not worked out. */
  readonly randomHit: number | undefined;
}

/** Columns of the sums of a question. */
const COLUMNS = 8;
const column = { episodes: 0, hits: 1, worked: 2, randomHits: 3 } as const;
/** Columns of the right episodes follow those of the wrong ones. */
const RIGHT = 4;

function sumsOf(episodes: readonly SeparatedEpisode[], questions: number): Float64Array {
  const sums = new Float64Array(questions * COLUMNS);
  const add = (at: number, value: number): void => void (sums[at] = (sums[at] ?? 0) + value);
  for (const { question, isWrong, isHit, randomHit } of episodes) {
    const at = question * COLUMNS + (isWrong ? 0 : RIGHT);
    add(at + column.episodes, 1);
    add(at + column.hits, isHit ? 1 : 0);
    if (randomHit === undefined) continue;
    add(at + column.worked, 1);
    add(at + column.randomHits, randomHit);
  }
  return sums;
}

const share = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);

/** The separation and that of the random trigger, from sums over questions. */
function pointOf(total: Float64Array): { readonly value: number; readonly random: number } {
  const at = (name: keyof typeof column, side: number): number => total[side + column[name]] ?? 0;
  const value = share(at("hits", 0), at("episodes", 0)) - share(at("hits", RIGHT), at("episodes", RIGHT));
  const random =
    share(at("randomHits", 0), at("worked", 0)) - share(at("randomHits", RIGHT), at("worked", RIGHT));
  return { value, random };
}

function totalOf(sums: Float64Array, draws: Draws | undefined, resample: number): Float64Array {
  const total = new Float64Array(COLUMNS);
  for (let question = 0; question * COLUMNS < sums.length; question++) {
    const times = draws === undefined ? 1 : (draws.times[resample * draws.questions + question] ?? 0);
    if (times === 0) continue;
    for (let i = 0; i < COLUMNS; i++)
      total[i] = (total[i] ?? 0) + times * (sums[question * COLUMNS + i] ?? 0);
  }
  return total;
}

const estimate = (value: number, values: Float64Array): Estimate => ({ value, ...middleOf(values) });

/**
 * The share of wrong episodes with help less the share of right ones with harm, beside that of a random trigger which fires
 * as often. Intervals are percentile bootstraps over questions: tries of one question are not independent. Undefined
 * without wrong or without right episodes.
 */
export function separationOf(episodes: readonly SeparatedEpisode[], draws: Draws): Separation | undefined {
  const of = (isWrong: boolean): readonly SeparatedEpisode[] =>
    episodes.filter((one) => one.isWrong === isWrong);
  const [wrong, right] = [of(true), of(false)];
  if (wrong.length === 0 || right.length === 0) return undefined;
  const sums = sumsOf(episodes, draws.questions);
  const { value, random } = pointOf(totalOf(sums, undefined, 0));
  const values = new Float64Array(RESAMPLES);
  const above = new Float64Array(RESAMPLES);
  for (let i = 0; i < RESAMPLES; i++) {
    const drawn = pointOf(totalOf(sums, draws, i));
    values[i] = drawn.value;
    above[i] = drawn.value - drawn.random;
  }
  const hits = (some: readonly SeparatedEpisode[]): number => some.filter(({ isHit }) => isHit).length;
  return {
    ...estimate(value, values),
    wrong: { episodes: wrong.length, helped: hits(wrong) },
    right: { episodes: right.length, harmed: hits(right) },
    random,
    aboveRandom: estimate(value - random, above),
  };
}
