import type { HeldOutWorth } from "../model/evolution.ts";
import {
  figureOf,
  harmInWords,
  harmShare,
  MOST_HARM,
  MOST_HARM_WORDS,
  sumsInWords,
  sumsOf,
  type WorthEpisode,
  type WorthSums,
} from "./held-out-worth.ts";
import { holm, signTest, type HolmStep } from "./sign-test.ts";
import { WORTH_ALPHA } from "./worth-alpha.ts";

function ruling(
  sums: WorthSums,
  { p, level, passed }: HolmStep & { readonly p: number },
): Pick<HeldOutWorth, "passed" | "why"> {
  const questions = sumsInWords(sums);
  if (sums.better + sums.worse === 0)
    return { passed: false, why: `${questions}: it neither helps nor harms, which shows no worth.` };
  const test = `p = ${figureOf(p)} of a sign test with a fair coin`;
  if (!passed) return { passed, why: `${questions}: ${test} is not below ${figureOf(level)}.` };
  const tested = `${questions}: ${test} is below ${figureOf(level)}`;
  return harmShare(sums) > MOST_HARM
    ? { passed: false, why: `${tested}, but ${harmInWords(sums)} is more than ${MOST_HARM_WORDS}.` }
    : { passed, why: `${tested}; ${harmInWords(sums)}.` };
}

/**
 * The rule of evolutions that were begun before the base rate was the null hypothesis: an exact one-sided sign test over questions, with
 * Holm's correction over the candidates of one epoch. Coins pass it too often where most episodes are wrong.
 */
export function fairCoinWorths(candidates: readonly (readonly WorthEpisode[])[]): readonly HeldOutWorth[] {
  const sums = candidates.map(sumsOf);
  const ps = sums.map(({ better, worse }) => signTest(better, worse));
  const steps = holm(ps, WORTH_ALPHA);
  return sums.map((sum, i) => {
    const { level, passed } = steps[i] ?? { level: WORTH_ALPHA, passed: false };
    const p = ps[i] ?? 1;
    return { ...sum, p, level, ...ruling(sum, { p, level, passed }) };
  });
}
