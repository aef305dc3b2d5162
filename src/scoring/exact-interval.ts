import type { CountedShare } from "../model/internalised.ts";

const TAIL = 0.025;
/** Halvings of [0, 1]: below the resolution of a double near 1. */
const HALVINGS = 52;

/** The chance of at most `most` successes among `of` tries. In logarithms, so that thousands of tries do not underflow. */
function atMost(most: number, of: number, p: number): number {
  if (p <= 0) return 1;
  if (p >= 1) return most >= of ? 1 : 0;
  let logTerm = of * Math.log1p(-p);
  const step = Math.log(p) - Math.log1p(-p);
  let sum = 0;
  for (let i = 0; i <= most; i++) {
    sum += Math.exp(logTerm);
    logTerm += Math.log(of - i) - Math.log(i + 1) + step;
  }
  return sum;
}

/** The p in [0, 1] at which a falling function of p passes `level`. */
function crossing(falling: (p: number) => number, level: number): number {
  let [low, high] = [0, 1];
  for (let i = 0; i < HALVINGS; i++) {
    const middle = (low + high) / 2;
    if (falling(middle) > level) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/**
 * A share with its exact 95% interval (Clopper and Pearson): the shares that a count so far out would not be rare for, 2.5% on either side.
 * A bootstrap would say that 5 of 5 are 100% for certain.
 */
export function countedShare(count: number, of: number): CountedShare {
  const low = count === 0 ? 0 : crossing((p) => atMost(count - 1, of, p), 1 - TAIL);
  const high = count === of ? 1 : crossing((p) => atMost(count, of, p), TAIL);
  return { count, of, share: of === 0 ? 0 : count / of, low, high };
}
