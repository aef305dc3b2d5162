import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { alphaOfNext, WORTH_ALPHA } from "../../../src/evolve/worth-alpha.ts";

describe("what an epoch may spend", () => {
  it("is one part of n + 1 in an evolution of n epochs, and less and less of the last part in added ones", () => {
    const spent = [false];
    const levels = [0, 1, 2, 3, 4].map((done) =>
      alphaOfNext(
        2,
        Array.from({ length: done }, () => spent),
      ),
    );
    const part = WORTH_ALPHA / 3;
    [part, part, part / 2, part / 6, part / 12].forEach((level, i) =>
      expect(levels[i]).toBeCloseTo(level, 12),
    );
  });

  it("is left to the next epoch where nothing was tested or all passed, and lost where any test failed", () => {
    const part = WORTH_ALPHA / 4;
    expect(alphaOfNext(3, [[]])).toBeCloseTo(2 * part, 12);
    expect(alphaOfNext(3, [[], [true, true]])).toBeCloseTo(3 * part, 12);
    expect(alphaOfNext(3, [[], [true, false]])).toBeCloseTo(part, 12);
  });

  it("is never more than 0.05 together, whatever passes and however many epochs are added", () => {
    const epoch = fc.array(fc.boolean(), { maxLength: 3 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), fc.array(epoch, { maxLength: 30 }), (planned, epochs) => {
        const spent = epochs.map((passed, i) =>
          passed.every(Boolean) ? 0 : alphaOfNext(planned, epochs.slice(0, i)),
        );
        const last = alphaOfNext(planned, epochs);
        expect(spent.reduce((a, b) => a + b, last)).toBeLessThanOrEqual(WORTH_ALPHA + 1e-12);
      }),
    );
  });
});
