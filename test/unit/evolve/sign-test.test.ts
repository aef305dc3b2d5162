import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { holm, signTest } from "../../../src/evolve/sign-test.ts";

/** By counting every way in which n coins fall. */
function byHand(better: number, worse: number): number {
  const n = better + worse;
  let ways = 0;
  for (let coins = 0; coins < 2 ** n; coins++) {
    let heads = 0;
    for (let left = coins; left > 0; left >>= 1) heads += left & 1;
    if (heads >= better) ways++;
  }
  return ways / 2 ** n;
}

describe("the one-sided sign test", () => {
  it("is the share of all coin falls that are at least as good, for every n up to 16", () => {
    for (let n = 0; n <= 16; n++)
      for (let better = 0; better <= n; better++)
        expect(signTest(better, n - better)).toBeCloseTo(byHand(better, n - better), 14);
  });

  it.each([
    [0, 0, 1],
    [5, 0, 0.03125],
    [4, 0, 0.0625],
    [6, 0, 0.015625],
    [0, 7, 1],
    // 1 + 9 of 2^9
    [8, 1, 10 / 512],
    // 20 coins, all worse but one
    [1, 19, 1 - 2 ** -20],
    [13, 7, 137_980 / 2 ** 20],
  ])("of %i better and %i worse is %d", (better, worse, p) => {
    expect(signTest(better, worse)).toBe(p);
  });

  it("holds for thousands of questions", () => {
    // Both tails of an even split overlap in the middle term: (1 + C(n, n/2) / 2^n) / 2, by Stirling with its first correction.
    const middle = Math.sqrt(2 / (Math.PI * 6000)) * (1 - 1 / (4 * 6000));
    expect(signTest(3000, 3000)).toBeCloseTo((1 + middle) / 2, 9);
    expect(signTest(2000, 0)).toBe(0);
    expect(signTest(1000, 0)).toBe(2 ** -1000);
    // A normal deviate of 4, with its continuity correction, leaves 3.17e-5; the binomial is near it.
    const p = signTest(2500 + 142, 2500 - 142);
    expect(p).toBeGreaterThan(3e-5);
    expect(p).toBeLessThan(3.4e-5);
  });

  it("falls as more questions are better, and shares the middle with its mirror", () => {
    const counts = fc.nat(400);
    fc.assert(
      fc.property(counts, counts, (better, worse) => {
        const p = signTest(better, worse);
        expect(p).toBeGreaterThanOrEqual(0);
        expect(p).toBeLessThanOrEqual(1);
        expect(signTest(better + 1, worse)).toBeLessThanOrEqual(p);
        // At least `better` of one side, or at least `worse + 1` of the other: one of the two, always.
        if (better > 0) expect(p + signTest(worse + 1, better - 1)).toBeCloseTo(1, 12);
      }),
    );
  });
});

/** Holm's adjusted p: the greatest so far of (m − rank) · p. */
function adjusted(ps: readonly number[]): number[] {
  const order = ps.map((_, i) => i).sort((a, b) => (ps[a] ?? 0) - (ps[b] ?? 0));
  const out: number[] = [];
  order.forEach((at, rank) => {
    const before = rank === 0 ? 0 : (out[order[rank - 1] ?? 0] ?? 0);
    out[at] = Math.max(before, (ps.length - rank) * (ps[at] ?? 0));
  });
  return out;
}

describe("Holm's procedure", () => {
  it("passes those whose adjusted p is below alpha", () => {
    // Sixteenths keep the products exact, so that both ways of counting meet the same limits.
    const p = fc.integer({ min: 0, max: 1024 }).map((n) => n / 1024);
    fc.assert(
      fc.property(fc.array(p, { maxLength: 8 }), fc.constantFrom(0.0625, 0.125, 0.5), (ps, alpha) => {
        const steps = holm(ps, alpha);
        expect(steps.map(({ passed }) => passed)).toEqual(adjusted(ps).map((one) => one < alpha));
        for (const [i, { level, passed }] of steps.entries()) expect(passed).toBe((ps[i] ?? 1) < level);
      }),
      { numRuns: 500 },
    );
  });

  it("is strict, in the order given, and treats equal p alike", () => {
    expect(holm([0.05], 0.05)).toEqual([{ level: 0.05, passed: false }]);
    expect(holm([0.04, 0.01], 0.05)).toEqual([
      { level: 0.05, passed: true },
      { level: 0.025, passed: true },
    ]);
    expect(holm([0.03, 0.03], 0.05)).toEqual([
      { level: 0.025, passed: false },
      { level: 0.025, passed: false },
    ]);
    expect(holm([], 0.05)).toEqual([]);
  });
});
