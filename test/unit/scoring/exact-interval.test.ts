import fc from "fast-check";
import { expect, it } from "vitest";
import { countedShare } from "../../../src/scoring/exact-interval.ts";

/** By the closed forms: at 0 of n the upper end is 1 − 0.025^(1/n), at n of n the lower one 0.025^(1/n). */
it.each([1, 5, 20, 1000])("has the closed forms at the ends for %d questions", (n) => {
  const root = 0.025 ** (1 / n);
  expect(countedShare(0, n)).toEqual({
    count: 0,
    of: n,
    share: 0,
    low: 0,
    high: expect.closeTo(1 - root, 10),
  });
  expect(countedShare(n, n)).toEqual({ count: n, of: n, share: 1, low: expect.closeTo(root, 10), high: 1 });
});

it("has the tails of the binomial by hand at 1 of 2", () => {
  // P(X ≥ 1) = 1 − (1 − p)² = 0.025, and P(X ≤ 1) = 1 − p² = 0.025.
  const { low, high } = countedShare(1, 2);
  expect(low).toBeCloseTo(1 - Math.sqrt(0.975), 10);
  expect(high).toBeCloseTo(Math.sqrt(0.975), 10);
});

it("says nothing of no questions", () => {
  expect(countedShare(0, 0)).toEqual({ count: 0, of: 0, share: 0, low: 0, high: 1 });
});

it("holds its share, within 0 and 1, the same seen from the other side, and wider with fewer questions", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 400 }), fc.double({ min: 0, max: 1, noNaN: true }), (of, part) => {
      const count = Math.round(part * of);
      const { low, high, share } = countedShare(count, of);
      expect(0 <= low && low <= share && share <= high && high <= 1).toBe(true);
      const other = countedShare(of - count, of);
      expect(other.low).toBeCloseTo(1 - high, 9);
      expect(other.high).toBeCloseTo(1 - low, 9);
      const twice = countedShare(2 * count, 2 * of);
      expect(twice.high - twice.low).toBeLessThan(high - low);
    }),
  );
});
