import type { Outcome } from "../model/episode.ts";
import type { HeldOutWorth } from "../model/evolution.ts";
import { holm, signTest } from "./sign-test.ts";

/** The most of the right episodes in which an admitted skill may harm. */
export const MOST_HARM = 0.02;
/** Chance of admitting any useless candidate of an epoch. */
export const WORTH_ALPHA = 0.05;

/** A judged episode of a held-out question, and the effect of the candidate's first change in it. */
export interface WorthEpisode {
  /** The same for every episode of one question, in whatever run it is. */
  readonly question: string;
  readonly outcome: Extract<Outcome, "wrong" | "correct">;
  /** Counts in a wrong episode alone. */
  readonly helped: boolean;
  /** Counts in a right episode alone. */
  readonly harmed: boolean;
}

type Sums = Pick<HeldOutWorth, "better" | "worse" | "ties" | "wrong" | "right">;

/** Questions by the sign of their help less their harm. */
export function sumsOf(episodes: readonly WorthEpisode[]): Sums {
  const balance = new Map<string, number>();
  const wrong = { episodes: 0, helped: 0 };
  const right = { episodes: 0, harmed: 0 };
  for (const { question, outcome, ...effect } of episodes) {
    const helped = Number(outcome === "wrong" && effect.helped);
    const harmed = Number(outcome === "correct" && effect.harmed);
    if (outcome === "wrong") wrong.episodes++;
    else right.episodes++;
    wrong.helped += helped;
    right.harmed += harmed;
    balance.set(question, (balance.get(question) ?? 0) + helped - harmed);
  }
  const signs = [...balance.values()].map(Math.sign);
  const count = (sign: number): number => signs.filter((one) => one === sign).length;
  return { better: count(1), worse: count(-1), ties: signs.length - count(1) - count(-1), wrong, right };
}

/** Three digits that count, without an exponent where it can be read. */
const figure = (p: number): string =>
  p < 1e-4 && p > 0 ? p.toExponential(1) : String(Number(p.toPrecision(3)));

const percentOf = (share: number): string => `${Number((100 * share).toPrecision(3))}%`;

function ruling(
  { better, worse, ties, right }: Sums,
  { p, level, passed }: { readonly p: number; readonly level: number; readonly passed: boolean },
): Pick<HeldOutWorth, "passed" | "why"> {
  const questions = `Better on ${better}, worse on ${worse} and equal on ${ties} held-out questions`;
  if (better + worse === 0) {
    return { passed: false, why: `${questions}: it neither helps nor harms, which shows no worth.` };
  }
  if (!passed) {
    return { passed: false, why: `${questions}: p = ${figure(p)} is not below ${figure(level)}.` };
  }
  const tested = `${questions}: p = ${figure(p)} is below ${figure(level)}`;
  const share = right.episodes === 0 ? 0 : right.harmed / right.episodes;
  const harm = `harm in ${right.harmed} of ${right.episodes} right episodes (${percentOf(share)})`;
  const isHarmful = share > MOST_HARM;
  return isHarmful
    ? { passed: false, why: `${tested}, but ${harm} is more than ${percentOf(MOST_HARM)}.` }
    : { passed: true, why: `${tested}; ${harm}.` };
}

/**
 * The worth of the candidates of one epoch on questions that their author never saw, in the order given: an exact one-sided sign test over
 * questions, with Holm's correction over these candidates, and at most `MOST_HARM` of the right episodes harmed.
 */
export function decideWorths(candidates: readonly (readonly WorthEpisode[])[]): readonly HeldOutWorth[] {
  const sums = candidates.map(sumsOf);
  const ps = sums.map(({ better, worse }) => signTest(better, worse));
  const steps = holm(ps, WORTH_ALPHA);
  return sums.map((sum, i) => {
    const { level, passed } = steps[i] ?? { level: WORTH_ALPHA, passed: false };
    const p = ps[i] ?? 1;
    return { ...sum, p, level, ...ruling(sum, { p, level, passed }) };
  });
}
