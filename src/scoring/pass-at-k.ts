import { counted } from "../model/counted.ts";
import { meanInterval } from "./bootstrap.ts";
import { countedShare } from "./exact-interval.ts";

/** The values of k that are worth a figure where nobody names them. */
const USUAL = [1, 5, 10, 100] as const;

/** The judged samples of one question, and how many of them are right. */
interface SampleCounts {
  readonly samples: number;
  readonly right: number;
}

/** pass@k over the questions of a run: the chance that at least one of k samples of a question is right. */
export interface PassAtK {
  readonly k: number;
  /** Mean over the questions, from 0 to 1. */
  readonly share: number;
  /** 95% interval over questions: exact where every question has 0 or 1, else by a bootstrap that draws questions. */
  readonly low: number;
  readonly high: number;
  /** Questions with at least k judged samples. */
  readonly questions: number;
  /** Questions with a judged sample, but fewer than k. They are in none of the figures. */
  readonly tooFew: number;
}

/**
 * The unbiased estimate of pass@k for one question, 1 − C(n − c, k) / C(n, k): the share of all choices of k of its samples that hold a right
 * one. As a product of ratios, since the binomials of a few hundred samples are beyond a double.
 *
 * @param n judged samples, at least k
 * @param c how many of them are right, from 0 to n
 * @param k at least 1
 */
export function passAtK(n: number, c: number, k: number): number {
  if (n - c < k) return 1;
  let none = 1;
  for (let i = 0; i < k; i++) none *= (n - c - i) / (n - i);
  return 1 - none;
}

/** The usual values of k for so many samples of a question, and all of them. */
function usualFor(mostSamples: number): readonly number[] {
  return [...new Set([...USUAL.filter((k) => k <= mostSamples), mostSamples])];
}

function passAt(judged: readonly SampleCounts[], k: number): PassAtK | undefined {
  const enough = judged.filter(({ samples }) => samples >= k);
  if (enough.length === 0) return undefined;
  const values = enough.map(({ samples, right }) => passAtK(samples, right, k));
  const isCount = values.every((value) => value === 0 || value === 1);
  const sum = values.reduce((total, value) => total + value, 0);
  const interval = isCount ? countedShare(sum, values.length) : meanInterval(values);
  const share = sum / values.length;
  const { low, high } = interval ?? { low: share, high: share };
  return { k, share, low, high, questions: enough.length, tooFew: judged.length - enough.length };
}

/**
 * pass@k of the questions for each k, smallest first. A question counts with its judged samples alone. Without a figure for a k of which no
 * question has as many.
 *
 * @param wanted at least 1 each; undefined: 1, 5, 10 and 100 up to the most samples of a question, and these.
 */
export function passAtKs(groups: readonly SampleCounts[], wanted?: readonly number[]): readonly PassAtK[] {
  const judged = groups.filter(({ samples }) => samples > 0);
  const most = judged.reduce((max, { samples }) => Math.max(max, samples), 0);
  const ks = most === 0 ? [] : (wanted ?? usualFor(most));
  return [...new Set(ks)].toSorted((a, b) => a - b).flatMap((k) => passAt(judged, k) ?? []);
}

const percent = (share: number): string => (share * 100).toFixed(1);

/** pass@k in words: `pass@1 62.5 % (55.0–69.8), pass@5 80.0 % (71.2–88.1; 3 questions with fewer samples left out)`. */
export function passAtKText(figures: readonly PassAtK[]): string {
  const texts = figures.map(({ k, share, low, high, tooFew }) => {
    const left = tooFew === 0 ? "" : `; ${counted(tooFew, "question")} with fewer samples left out`;
    return `pass@${k} ${percent(share)} % (${percent(low)}–${percent(high)}${left})`;
  });
  return texts.join(", ");
}
