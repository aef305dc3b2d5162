import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  compositeOf,
  rankSamples,
  scoreOf,
  type RankedSample,
  type Ranking,
} from "../../../src/dataset/rejection-sampling.ts";
import type { Episode } from "../../../src/model/episode.ts";
import { FACTS, episodeOf, plain } from "../../support/signal-steps.ts";

describe("the composite 0.7·EM + 0.2·F1 + 0.1·StepEconomy", () => {
  const gold = ["Sam Walton"];
  it.each<[string, number, number, boolean, Partial<Episode>, number]>([
    // 3 of 12 steps.
    ["a right answer", 3, 12, true, { gold, answer: "Sam Walton" }, 0.7 + 0.2 + 0.1 * 0.75],
    ["a right answer on the last step", 5, 5, true, { gold, answer: "the Sam Walton" }, 0.9],
    // Two of its three words, and both of gold's: F1 is 0.8.
    ["half of an answer", 4, 5, false, { gold, answer: "Sam Walton Junior" }, 0.2 * 0.8 + 0.1 * 0.2],
    ["another answer", 2, 5, false, { gold, answer: "Ida Moen" }, 0.1 * 0.6],
    [
      "the best of several accepted answers",
      5,
      5,
      false,
      { gold: ["Ida", "Sam Moen"], answer: "Sam" },
      0.4 / 3,
    ],
    ["no answer at all", 5, 5, false, { gold }, 0],
    ["more steps than the budget", 8, 5, false, { gold }, 0],
    ["a right answer without accepted ones", 5, 5, true, { answer: "42" }, 0.9],
    ["a wrong answer without accepted ones", 5, 5, false, { answer: "42" }, 0],
  ])("%s", (_, length, maxSteps, passed, parts, value) => {
    const episode = episodeOf(plain(length), { facts: { ...FACTS, maxSteps }, ...parts });
    expect(compositeOf(episode, passed)).toBeCloseTo(value, 10);
  });
});

describe("Score(τ)", () => {
  it.each([
    [true, 0.62, 0.81],
    [false, 0.37, 0.185],
    [true, -0.2, 0.4],
    [false, -0.2, -0.1],
  ])("of an episode that passed (%s) with a mean of %d is %d", (passed, mean, score) => {
    expect(scoreOf({ mean }, passed)).toBeCloseTo(score, 10);
  });
});

/** `a 0.5 0.9`: key, score and composite; one question unless the key names another before a dot. */
const sample = (text: string): RankedSample => {
  const [key = "", score, composite] = text.split(" ");
  return {
    key,
    question: key.includes(".") ? (key.split(".")[0] ?? "") : "q",
    score: Number(score),
    composite: Number(composite ?? 1),
  };
};
const ranked = (...texts: readonly string[]): Record<string, Ranking> =>
  Object.fromEntries(rankSamples(texts.map(sample)));

describe("the better half of k", () => {
  it.each<[number, readonly string[], Record<string, Ranking>]>([
    [1, ["a 0.1"], { a: "kept" }],
    [2, ["a 0.1", "b 0.2"], { a: "filter_half", b: "kept" }],
    [3, ["a 0.1", "b 0.3", "c 0.2"], { a: "filter_half", b: "kept", c: "kept" }],
    [4, ["a 0.4", "b 0.3", "c 0.2", "d 0.1"], { a: "kept", b: "kept", c: "filter_half", d: "filter_half" }],
  ])("of k = %d", (_, samples, rankings) => {
    expect(ranked(...samples)).toEqual(rankings);
  });

  it("is half of k, not of those that pass the filter", () => {
    expect(ranked("a 0.9 0.1", "b 0.2 0.5")).toEqual({ a: "filter_score", b: "kept" });
    expect(ranked("a 0.9 0", "b 0.2 0.5", "c 0.3 0.5", "d 0.1 0.1")).toEqual({
      a: "filter_score",
      b: "kept",
      c: "kept",
      d: "filter_score",
    });
    expect(ranked("a 0.9 0.1", "b 0.8 0")).toEqual({ a: "filter_score", b: "filter_score" });
  });

  it("takes a composite of exactly 0.15", () => {
    expect(ranked("a 0.1 0.15", "b 0.1 0.1499")).toEqual({ a: "kept", b: "filter_score" });
  });

  it("of equal scores takes the higher composite, and of equal composites the first key", () => {
    expect(ranked("a 0.5 0.4", "b 0.5 0.6")).toEqual({ a: "filter_half", b: "kept" });
    expect(ranked("b 0.5 0.4", "a 0.5 0.4")).toEqual({ a: "kept", b: "filter_half" });
  });

  it("is taken question by question", () => {
    expect(ranked("p.1 0.9", "q.1 0.1", "p.2 0.8", "q.2 0.2", "r.1 -0.5")).toEqual({
      "p.1": "kept",
      "p.2": "filter_half",
      "q.1": "filter_half",
      "q.2": "kept",
      "r.1": "kept",
    });
  });

  const samples = fc
    .array(
      fc.record({
        question: fc.constantFrom("p", "q", "r"),
        score: fc.constantFrom(-0.5, 0.1, 0.5, 0.9),
        composite: fc.constantFrom(0, 0.1499, 0.15, 0.7),
      }),
      { maxLength: 12 },
    )
    .map((all) => all.map((one, i): RankedSample => ({ key: `e${i}`, ...one })));

  it("does not depend on the order of the samples", () => {
    fc.assert(
      fc.property(
        samples.chain((all) =>
          fc.tuple(
            fc.constant(all),
            fc.shuffledSubarray(all, { minLength: all.length, maxLength: all.length }),
          ),
        ),
        ([all, other]) => {
          expect(new Map(rankSamples(other))).toEqual(new Map(rankSamples(all)));
        },
      ),
    );
  });

  it("keeps no more than half of any k, rounded up, and none that is worse than one it leaves out", () => {
    fc.assert(
      fc.property(samples, (all) => {
        const rankings = rankSamples(all);
        expect([...rankings.keys()].toSorted()).toEqual(all.map(({ key }) => key).toSorted());
        for (const group of Map.groupBy(all, ({ question }) => question).values()) {
          const of = (fate: Ranking) => group.filter(({ key }) => rankings.get(key) === fate);
          const passing = group.filter(({ composite }) => composite >= 0.15).length;
          expect(of("kept")).toHaveLength(Math.min(passing, Math.ceil(group.length / 2)));
          const least = Math.min(...of("kept").map(({ score }) => score));
          for (const { score } of of("filter_half")) expect(score).toBeLessThanOrEqual(least);
          expect(of("filter_score")).toEqual(group.filter(({ composite }) => composite < 0.15));
        }
      }),
    );
  });
});
