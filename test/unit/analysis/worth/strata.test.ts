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

  it("tells short from long episodes, and short from long questions", () => {
    const strata = strataOf(shapes(400, (i) => [1 + (i % 8), 40 + Math.floor(i / 8)]));
    const of = (i: number) => strata[i];
    expect(new Set(strata).size).toBe(12);
    expect(of(0)).not.toBe(of(7));
    expect(of(0)).not.toBe(of(392));
    expect(of(0)).toBe(of(1));
  });

  it("keeps equal values together, however many there are", () => {
    const strata = strataOf(shapes(400, (i) => [i < 390 ? 3 : 9, 50]));
    expect(new Set(strata.slice(0, 390)).size).toBe(1);
  });
});
