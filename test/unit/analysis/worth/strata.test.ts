import { describe, expect, it } from "vitest";
import { strataOf } from "../../../../src/analysis/worth/strata.ts";

const strata = (count: number, of: (i: number) => readonly [steps: number, length: number]) =>
  strataOf(
    Array.from({ length: count }, (_, i) => {
      const [steps, length] = of(i);
      return { steps, question: "x".repeat(length) };
    }),
  );

describe("strata of episodes", () => {
  it("puts a handful of episodes into one", () => {
    expect(new Set(strata(15, (i) => [i, i * 10])).size).toBe(1);
    expect(strata(0, () => [1, 1])).toEqual([]);
  });

  it("tells each number of steps, and short from long questions", () => {
    const found = strata(480, (i) => [1 + (i % 8), 40 + Math.floor(i / 8)]);
    expect(new Set(found).size).toBe(24);
    expect(new Set(found.slice(0, 8)).size).toBe(8);
    expect(found[0]).toBe(found[8]);
    expect(found[0]).not.toBe(found[472]);
  });

  it("puts numbers of steps that few episodes have together, with their neighbours", () => {
    // 300 with 1 step, 60 with 2, one each with 5 and more.
    const of = (i: number): readonly [number, number] => [i < 300 ? 1 : i < 360 ? 2 : 5 + i - 360, 50];
    expect(new Set(strata(380, of)).size).toBe(4);
    // Too few for strata of their own.
    expect(new Set(strata(365, of)).size).toBe(2);
  });

  it("keeps equal lengths together, however many there are", () => {
    expect(new Set(strata(400, (i) => [3, i < 390 ? 50 : 90]).slice(0, 390)).size).toBe(1);
  });
});
