import { describe, expect, it } from "vitest";
import { strataOf } from "../../../../src/analysis/worth/strata.ts";

const shapes = (count: number, of: (i: number) => readonly [number, number]) =>
  Array.from({ length: count }, (_, i) => {
    const [steps, length] = of(i);
    return { steps, length };
  });

describe("strata of episodes", () => {
  it("puts a handful of episodes into one", () => {
    expect(new Set(strataOf(shapes(15, (i) => [i, i * 10])))).toEqual(new Set([0]));
    expect(strataOf([])).toEqual([]);
  });

  it("tells each number of steps, and short from long questions", () => {
    const strata = strataOf(shapes(400, (i) => [1 + (i % 8), 40 + Math.floor(i / 8)]));
    expect(new Set(strata).size).toBe(24);
    expect(new Set(strata.slice(0, 8)).size).toBe(8);
    expect(strata[0]).toBe(strata[8]);
    expect(strata[0]).not.toBe(strata[392]);
  });

  it("puts numbers of steps that few episodes have together, with their neighbours", () => {
    // 300 with 1 step, 60 with 2, one each with 5 to 44.
    const of = (i: number): number => (i < 300 ? 1 : i < 360 ? 2 : 5 + i - 360);
    const strata = strataOf(shapes(400, (i) => [of(i), 50]));
    expect(new Set(strata).size).toBe(3);
    expect(new Set(strata.slice(360)).size).toBe(1);
    // Too few for strata of their own.
    expect(new Set(strataOf(shapes(380, (i) => [of(i), 50]))).size).toBe(2);
  });

  it("keeps equal lengths together, however many there are", () => {
    const strata = strataOf(shapes(400, (i) => [3, i < 390 ? 50 : 90]));
    expect(new Set(strata.slice(0, 390)).size).toBe(1);
  });
});
