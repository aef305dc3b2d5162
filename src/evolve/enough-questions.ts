import type { WorthSums } from "./held-out-worth.ts";

/** More held-out questions than anybody has: a candidate that needs them is no better than chance. */
const MOST_QUESTIONS = 10_000;

/** The chance of at least `least` successes among `of` tries. In logarithms, so that thousands of tries do not underflow. */
function binomialTail(least: number, of: number, chance: number): number {
  let log = of * Math.log(chance);
  let sum = 0;
  for (let k = of; k >= least; k--) {
    sum += Math.exp(log);
    log += Math.log(k) - Math.log(of - k + 1) + Math.log1p(-chance) - Math.log(chance);
  }
  return sum;
}

/** Two digits that count, upwards. */
function roundedUp(n: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(n)) - 1);
  return Math.ceil(n / unit) * unit;
}

/**
 * `chances`: see chancesOfBetter. About how many held-out questions would bring p below the level, where as great a share of them is changed and as great a share of those is
 * better. Undefined where that share is no better than chance, or where it would take more than anybody has.
 */
export function enoughQuestions(
  { better, worse, ties }: Pick<WorthSums, "better" | "worse" | "ties">,
  chances: readonly number[],
  level: number,
): number | undefined {
  const changed = better + worse;
  const chance = chances.reduce((sum, one) => sum + one, 0) / changed;
  const share = better / changed;
  if (changed === 0 || share <= chance || chance >= 1) return undefined;
  const each = (better + worse + ties) / changed;
  const most = Math.floor(MOST_QUESTIONS / each);
  const isEnough = (n: number): boolean => binomialTail(Math.floor(share * n + 1e-9), n, chance) < level;
  if (!isEnough(most)) return undefined;
  let [low, high] = [Math.min(changed, most - 1), most];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (isEnough(middle)) high = middle;
    else low = middle;
  }
  return roundedUp(Math.ceil(high * each));
}
