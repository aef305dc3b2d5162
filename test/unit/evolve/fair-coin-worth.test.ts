import { describe, expect, it } from "vitest";
import { fairCoinWorths } from "../../../src/evolve/fair-coin-worth.ts";
import type { WorthEpisode } from "../../../src/evolve/held-out-worth.ts";

const range = (n: number): number[] => Array.from({ length: n }, (_, i) => i);

/** Helps one wrong episode on each of `better` questions, harms a right one on `worse`, and leaves `right` right ones alone. */
function effects(better: number, worse: number, right = 1000): WorthEpisode[] {
  return [
    ...range(better).map((i) => ({
      question: `b${i}`,
      outcome: "wrong" as const,
      helped: true,
      harmed: false,
    })),
    ...range(worse).map((i) => ({
      question: `w${i}`,
      outcome: "correct" as const,
      helped: false,
      harmed: true,
    })),
    ...range(right).map((i) => ({
      question: `r${i}`,
      outcome: "correct" as const,
      helped: false,
      harmed: false,
    })),
  ];
}
const passed = (...candidates: WorthEpisode[][]): boolean[] =>
  fairCoinWorths(candidates).map((one) => one.passed);

describe("held-out worth of an evolution that was begun before the base rate was the rule", () => {
  it("passes 5:0 alone, and not 4:0", () => {
    expect(passed(effects(5, 0))).toEqual([true]);
    expect(passed(effects(4, 0))).toEqual([false]);
  });

  it("asks more of one of two candidates: 6:0 passes, 5:0 no longer does beside a useless one", () => {
    expect(passed(effects(6, 0), effects(0, 0))).toEqual([true, false]);
    expect(passed(effects(5, 0), effects(0, 0))).toEqual([false, false]);
    // Step-down: once 6:0 has passed below 0.025, 5:0 has to be below 0.05.
    expect(passed(effects(5, 0), effects(6, 0))).toEqual([true, true]);
    expect(passed(effects(5, 0), effects(5, 0))).toEqual([false, false]);
  });

  it("takes harm in 2% of right episodes, and not in 2.1%", () => {
    // 40 better and 20 worse: p = 0.0067.
    expect(passed(effects(40, 20, 980))).toEqual([true]);
    const [harmful] = fairCoinWorths([effects(42, 21, 979)]);
    expect(harmful).toMatchObject({ passed: false, right: { episodes: 1000, harmed: 21 } });
    expect(harmful?.why).toBe(
      "Better on 42, worse on 21 and equal on 979 held-out questions: p = 0.00557 of a sign test with a fair coin is below 0.05, " +
        "but harm in 21 of 1000 right episodes (2.1%) is more than 2%.",
    );
  });

  it("counts questions, not episodes, by more help than harm", () => {
    const of = (question: string, outcome: "wrong" | "correct", did: boolean): WorthEpisode => ({
      question,
      outcome,
      helped: did && outcome === "wrong",
      harmed: did && outcome === "correct",
    });
    const [worth] = fairCoinWorths([
      [
        of("a", "wrong", true),
        of("a", "wrong", true),
        of("a", "correct", true),
        of("b", "wrong", true),
        of("b", "correct", true),
        of("c", "correct", true),
        of("c", "wrong", false),
        of("d", "correct", false),
      ],
    ]);
    expect(worth).toMatchObject({
      better: 1,
      worse: 1,
      ties: 2,
      p: 0.75,
      level: 0.05,
      passed: false,
      wrong: { episodes: 4, helped: 3 },
      right: { episodes: 4, harmed: 3 },
    });
  });

  it("counts neither help in a right episode nor harm in a wrong one", () => {
    const [worth] = fairCoinWorths([
      [
        { question: "a", outcome: "correct", helped: true, harmed: false },
        { question: "b", outcome: "wrong", helped: false, harmed: true },
      ],
    ]);
    expect(worth).toMatchObject({ better: 0, worse: 0, ties: 2, p: 1 });
    expect(worth?.why).toMatch(/it neither helps nor harms/);
  });

  it("says the figures of a pass, and of a candidate without any episode", () => {
    expect(fairCoinWorths([effects(5, 0, 100)])[0]?.why).toBe(
      "Better on 5, worse on 0 and equal on 100 held-out questions: p = 0.0313 of a sign test with a fair coin is below 0.05; " +
        "harm in 0 of 100 right episodes (0%).",
    );
    expect(fairCoinWorths([[]])[0]).toMatchObject({ passed: false, p: 1, better: 0, ties: 0 });
  });
});
