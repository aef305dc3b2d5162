import { seededRandom } from "../../model/random.ts";
import { ENOUGH_CHANGES, type Interval, type Separation } from "../../model/worth.ts";
import { BOOTSTRAP_SEED, middleOf, RESAMPLES } from "../../scoring/bootstrap.ts";
import { countedShare } from "../../scoring/exact-interval.ts";

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
  /** The chance that a random trigger makes such a hit here by what it does to answers. */
  readonly randomHit: number;
  /** The same by its searches; undefined where it was not worked out. */
  readonly randomSearched: number | undefined;
}

/** Columns of the sums of a question. */
const column = { episodes: 0, hits: 1, randomHits: 2, worked: 3, randomSearched: 4 } as const;
type Column = keyof typeof column;
/** Columns of the right episodes follow those of the wrong ones. */
const RIGHT = 5;
const COLUMNS = 2 * RIGHT;

function sumsOf(episodes: readonly SeparatedEpisode[], questions: number): Float64Array {
  const sums = new Float64Array(questions * COLUMNS);
  for (const { question, isWrong, isHit, randomHit, randomSearched } of episodes) {
    const add = (name: Column, value: number): void => {
      const at = question * COLUMNS + (isWrong ? 0 : RIGHT) + column[name];
      sums[at] = (sums[at] ?? 0) + value;
    };
    add("episodes", 1);
    add("hits", isHit ? 1 : 0);
    add("randomHits", randomHit);
    if (randomSearched === undefined) continue;
    add("worked", 1);
    add("randomSearched", randomSearched);
  }
  return sums;
}

const share = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);

interface Point {
  readonly helped: number;
  readonly harmed: number;
  readonly value: number;
  readonly random: number;
  readonly aboveRandom: number;
}

/** The shares, their difference and that of the random trigger, from sums over questions. */
function pointOf(total: Float64Array): Point {
  const shareOf = (part: Column, whole: Column, side: number): number =>
    share(total[side + column[part]] ?? 0, total[side + column[whole]] ?? 0);
  const randomOn = (side: number): number =>
    shareOf("randomHits", "episodes", side) + shareOf("randomSearched", "worked", side);
  const [helped, harmed] = [shareOf("hits", "episodes", 0), shareOf("hits", "episodes", RIGHT)];
  const [value, random] = [helped - harmed, randomOn(0) - randomOn(RIGHT)];
  return { helped, harmed, value, random, aboveRandom: value - Math.max(0, random) };
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

type Counted = Pick<Separation, "wrong" | "right">;

/** A resample of a share without a hit has none either, so the exact interval of the count counts where it is wider. */
function widened({ low, high }: Interval, hits: number, episodes: number): Interval {
  const exact = countedShare(hits, episodes);
  return { low: Math.min(low, exact.low), high: Math.max(high, exact.high) };
}

/** Percentile bootstraps over questions: tries of one question are not independent. */
function intervalsOf(sums: Float64Array, draws: Draws, { wrong, right }: Counted): Separation["intervals"] {
  const of = () => new Float64Array(RESAMPLES);
  const [value, aboveRandom, helped, harmed] = [of(), of(), of(), of()];
  for (let i = 0; i < RESAMPLES; i++) {
    const drawn = pointOf(totalOf(sums, draws, i));
    value[i] = drawn.value;
    aboveRandom[i] = drawn.aboveRandom;
    helped[i] = drawn.helped;
    harmed[i] = drawn.harmed;
  }
  return {
    value: middleOf(value),
    aboveRandom: middleOf(aboveRandom),
    helped: widened(middleOf(helped), wrong.helped, wrong.episodes),
    harmed: widened(middleOf(harmed), right.harmed, right.episodes),
  };
}

/**
 * The share of wrong episodes with help less the share of right ones with harm, beside that of a random trigger which fires
 * as often. `changes` are measured in these episodes. Undefined without wrong or without right episodes.
 */
export function separationOf(
  episodes: readonly SeparatedEpisode[],
  changes: number,
  draws: Draws,
): Separation | undefined {
  const of = (isWrong: boolean): readonly SeparatedEpisode[] =>
    episodes.filter((one) => one.isWrong === isWrong);
  const hits = (some: readonly SeparatedEpisode[]): number => some.filter(({ isHit }) => isHit).length;
  const [wrong, right] = [of(true), of(false)];
  if (wrong.length === 0 || right.length === 0) return undefined;
  const counted: Counted = {
    wrong: { episodes: wrong.length, helped: hits(wrong) },
    right: { episodes: right.length, harmed: hits(right) },
  };
  const sums = sumsOf(episodes, draws.questions);
  const { value, random, aboveRandom } = pointOf(totalOf(sums, undefined, 0));
  const intervals = changes < ENOUGH_CHANGES ? undefined : intervalsOf(sums, draws, counted);
  return { value, ...counted, random, aboveRandom, changes, intervals };
}
