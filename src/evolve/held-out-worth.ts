import type { Outcome } from "../model/episode.ts";
import type { HeldOutWorth } from "../model/evolution.ts";

/** The most of the right episodes in which an admitted skill may harm. */
export const MOST_HARM = 0.02;

/** A judged episode of a held-out question, and the effect of the candidate there. */
export interface WorthEpisode {
  /** The same for every episode of one question, in whatever run it is. */
  readonly question: string;
  readonly outcome: Extract<Outcome, "wrong" | "correct">;
  /** Counts in a wrong episode alone. */
  readonly helped: boolean;
  /** Counts in a right episode alone. */
  readonly harmed: boolean;
}

export type WorthSums = Pick<HeldOutWorth, "better" | "worse" | "ties" | "wrong" | "right">;

/** The candidate helps the episode where it is wrong, or harms it where it is right. */
export const hasEffect = ({ outcome, helped, harmed }: WorthEpisode): boolean =>
  outcome === "wrong" ? helped : harmed;

/** Questions by the sign of their help less their harm. */
export function sumsOf(episodes: readonly WorthEpisode[]): WorthSums {
  const balance = new Map<string, number>();
  const wrong = { episodes: 0, helped: 0 };
  const right = { episodes: 0, harmed: 0 };
  for (const episode of episodes) {
    const { question, outcome } = episode;
    const effect = Number(hasEffect(episode));
    if (outcome === "wrong") {
      wrong.episodes++;
      wrong.helped += effect;
    } else {
      right.episodes++;
      right.harmed += effect;
    }
    balance.set(question, (balance.get(question) ?? 0) + (outcome === "wrong" ? effect : -effect));
  }
  const signs = [...balance.values()].map(Math.sign);
  const count = (sign: number): number => signs.filter((one) => one === sign).length;
  return { better: count(1), worse: count(-1), ties: signs.length - count(1) - count(-1), wrong, right };
}

/** Three digits that count, without an exponent where it can be read. */
export const figureOf = (p: number): string =>
  p < 1e-4 && p > 0 ? p.toExponential(1) : String(Number(p.toPrecision(3)));

const percentOf = (share: number): string => `${Number((100 * share).toPrecision(3))}%`;

/** `Better on 12, worse on 1 and equal on 77 held-out questions`. */
export const sumsInWords = ({ better, worse, ties }: WorthSums): string =>
  `Better on ${better}, worse on ${worse} and equal on ${ties} held-out questions`;

export const harmShare = ({ right }: Pick<WorthSums, "right">): number =>
  right.episodes === 0 ? 0 : right.harmed / right.episodes;

/** `harm in 2 of 90 right episodes (2.22%)`. */
export const harmInWords = (sums: Pick<WorthSums, "right">): string =>
  `harm in ${sums.right.harmed} of ${sums.right.episodes} right episodes (${percentOf(harmShare(sums))})`;

export const MOST_HARM_WORDS = percentOf(MOST_HARM);
