import { seededRandom } from "../model/random.ts";

/** Of every bootstrap here, with the same draws each time. */
export const RESAMPLES = 2_000;
export const BOOTSTRAP_SEED = 42;
/** Of the resamples on either side of the interval: 95 % lie in it. */
const TAIL = 0.025;

/** The value below which a share of these lies; between two of them in proportion. */
function percentile(sorted: Float64Array, share: number): number {
  const at = share * (sorted.length - 1);
  const [low, high] = [sorted[Math.floor(at)] ?? 0, sorted[Math.ceil(at)] ?? 0];
  return low + (high - low) * (at - Math.floor(at));
}

/** The interval in which 95 % of the resampled values lie. */
export function middleOf(values: Float64Array): { readonly low: number; readonly high: number } {
  const sorted = values.toSorted();
  return { low: percentile(sorted, TAIL), high: percentile(sorted, 1 - TAIL) };
}

/**
 * 95 % interval of the mean of `values` by a percentile bootstrap: 2,000 times as many are drawn with replacement. The same values in
 * the same order give the same interval. Undefined without a value.
 */
export function meanInterval(
  values: readonly number[],
): { readonly low: number; readonly high: number } | undefined {
  const n = values.length;
  if (n === 0) return undefined;
  const random = seededRandom(BOOTSTRAP_SEED);
  const means = new Float64Array(RESAMPLES);
  for (let i = 0; i < RESAMPLES; i++) {
    let sum = 0;
    for (let drawn = 0; drawn < n; drawn++) sum += values[Math.floor(random() * n)] ?? 0;
    means[i] = sum / n;
  }
  return middleOf(means);
}
