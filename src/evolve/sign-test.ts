/** Bits that a `number` takes over exactly enough; the rest only scales. */
const KEPT_BITS = 64;

/**
 * Exact one-sided sign test: the chance in [0, 1] that of `better + worse` fair coins at least `better` fall on one side. The caller leaves
 * ties out. 1 without a question.
 */
export function signTest(better: number, worse: number): number {
  const n = better + worse;
  if (better <= 0) return 1;
  // Whole numbers: the sum of binomials up to `worse` is the tail from `better` on, as C(n, k) = C(n, n − k).
  let term = 1n;
  let sum = 1n;
  for (let k = 1; k <= worse; k++) {
    term = (term * BigInt(n - k + 1)) / BigInt(k);
    sum += term;
  }
  const shift = Math.max(0, sum.toString(16).length * 4 - KEPT_BITS);
  return Number(sum >> BigInt(shift)) * 2 ** (shift - n);
}

export interface HolmStep {
  /** p had to be below this. */
  readonly level: number;
  readonly passed: boolean;
}

/**
 * Holm's step-down procedure over tests of one family, in the order of `ps`: the smallest p has to be below alpha / m, the next one below
 * alpha / (m − 1), and so on. From the first that is not, none passes; each of these had to be below the level of that first one.
 */
export function holm(ps: readonly number[], alpha: number): readonly HolmStep[] {
  const steps: HolmStep[] = ps.map(() => ({ level: alpha, passed: false }));
  const order = ps.map((p, at) => ({ p, at })).toSorted((a, b) => a.p - b.p);
  let stopped: number | undefined;
  for (const [rank, { p, at }] of order.entries()) {
    const level = stopped ?? alpha / (ps.length - rank);
    const passed = p < level;
    if (!passed) stopped = level;
    steps[at] = { level, passed };
  }
  return steps;
}
