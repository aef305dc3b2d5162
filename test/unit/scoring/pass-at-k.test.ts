import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { passAtK, passAtKs } from "../../../src/scoring/pass-at-k.ts";

/** Judged samples of a question. */
const counts = fc
  .integer({ min: 1, max: 12 })
  .chain((n) =>
    fc.record({ n: fc.constant(n), c: fc.integer({ min: 0, max: n }), k: fc.integer({ min: 1, max: n }) }),
  );

const group = (samples: number, right: number) => ({ samples, right, best: undefined, mean: undefined });

/** The share of all choices of k samples with a right one among them, by going through them; samples below c are right. */
function byEnumeration(n: number, c: number, k: number): number {
  let [all, hit] = [0, 0];
  for (let chosen = 0; chosen < 2 ** n; chosen++) {
    const members = Array.from({ length: n }, (_, i) => i).filter((i) => (chosen >> i) & 1);
    if (members.length !== k) continue;
    all++;
    if (members.some((i) => i < c)) hit++;
  }
  return hit / all;
}

describe("pass@k of one question", () => {
  it("is the share of all choices of k samples that hold a right one", () => {
    fc.assert(
      fc.property(counts, ({ n, c, k }) => {
        expect(passAtK(n, c, k)).toBeCloseTo(byEnumeration(n, c, k), 10);
      }),
      { numRuns: 60 },
    );
  });

  it("at 1 is the share of right samples, and at n whether one is right", () => {
    fc.assert(
      fc.property(counts, ({ n, c }) => {
        expect(passAtK(n, c, 1)).toBeCloseTo(c / n, 12);
        expect(passAtK(n, c, n)).toBe(c > 0 ? 1 : 0);
      }),
    );
  });

  it("never falls with k or with another right sample, and stays between 0 and 1", () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 5_000 }), fc.nat(), fc.nat(), (n, right, tries) => {
        const [c, k] = [right % n, 1 + (tries % (n - 1))];
        const value = passAtK(n, c, k);
        expect(value).toBeGreaterThanOrEqual(0);
        expect(value).toBeLessThanOrEqual(1);
        expect(passAtK(n, c, k + 1)).toBeGreaterThanOrEqual(value);
        expect(passAtK(n, c + 1, k)).toBeGreaterThanOrEqual(value);
      }),
    );
  });

  it("holds for many samples, whose binomials are beyond a double", () => {
    expect(passAtK(10_000, 1, 5_000)).toBeCloseTo(0.5, 10);
    expect(passAtK(10_000, 10_000, 1)).toBe(1);
    expect(passAtK(2_000, 0, 1_000)).toBe(0);
  });

  it("is unbiased: its mean over draws of n samples is the chance that one of k is right", () => {
    const [n, k, p] = [6, 3, 0.3];
    const binomial = (of: number, c: number): number =>
      c === 0 ? 1 : (binomial(of, c - 1) * (of - c + 1)) / c;
    const mean = Array.from(
      { length: n + 1 },
      (_, c) => binomial(n, c) * p ** c * (1 - p) ** (n - c) * passAtK(n, c, k),
    );
    expect(mean.reduce((sum, value) => sum + value)).toBeCloseTo(1 - (1 - p) ** k, 12);
  });
});

describe("pass@k of a run", () => {
  it("is the mean over questions, each of the same weight, at 1, 5, 10, 100 and all samples", () => {
    const figures = passAtKs([group(7, 7), group(7, 0), group(7, 1), group(0, 0)]);
    expect(figures.map(({ k, questions, tooFew }) => [k, questions, tooFew])).toEqual([
      [1, 3, 0],
      [5, 3, 0],
      [7, 3, 0],
    ]);
    expect(figures.map(({ share }) => share)).toEqual([
      expect.closeTo((1 + 0 + 1 / 7) / 3),
      expect.closeTo((1 + 0 + 5 / 7) / 3),
      expect.closeTo(2 / 3),
    ]);
  });

  it("leaves out and counts questions with fewer judged samples than k, and a k that none has", () => {
    expect(passAtKs([group(3, 1), group(1, 1)], [2, 4, 2])).toMatchObject([
      { k: 2, questions: 1, tooFew: 1 },
    ]);
    expect(passAtKs([group(0, 0)], [1])).toEqual([]);
  });

  it("has an exact interval where every question has one sample, and one over questions elsewhere", () => {
    const [one] = passAtKs([group(1, 1), group(1, 1), group(1, 1), group(1, 1), group(1, 1)]);
    expect(one).toMatchObject({ share: 1, high: 1 });
    expect(one?.low).toBeCloseTo(0.478, 3);
    const several = Array.from({ length: 40 }, (_, i) => group(10, i % 11));
    const [first] = passAtKs(several, [1]);
    expect(first).toEqual(passAtKs(several, [1])[0]);
    const { low = 0, share = 0, high = 0 } = first ?? {};
    expect(low).toBeGreaterThan(share - 0.12);
    expect(low).toBeLessThan(share);
    expect(high).toBeGreaterThan(share);
  });

  it("holds its mean within its interval", () => {
    fc.assert(
      fc.property(fc.array(counts, { minLength: 1, maxLength: 6 }), (all) => {
        for (const { low, share, high } of passAtKs(all.map(({ n, c }) => group(n, c)))) {
          expect(low).toBeLessThanOrEqual(share + 1e-9);
          expect(high).toBeGreaterThanOrEqual(share - 1e-9);
        }
      }),
      { numRuns: 30 },
    );
  });
});
