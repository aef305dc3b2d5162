import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { admits, decide } from "../../../src/review/decide.ts";
import { DIMENSIONS, qSkillOf, saidSchema, type Scores } from "../../../src/model/review.ts";

const unit = fc.double({ min: 0, max: 1, noNaN: true });
const scores = fc.record({ concept: unit, trigger: unit, intervene: unit, exec: unit, val: unit });
const said = fc.option(fc.constantFrom(...saidSchema.options), { nil: undefined });
const all = (score: number): Scores => ({
  concept: score,
  trigger: score,
  intervene: score,
  exec: score,
  val: score,
});

describe("Q_skill", () => {
  it("is the weighted mean of the five scores, rid of the noise of fractions", () => {
    expect(qSkillOf({ concept: 0.9, trigger: 0.8, intervene: 0.92, exec: 0.98, val: 0.86 })).toBe(0.894);
    for (const score of [0, 0.42, 0.6, 0.75, 1]) expect(qSkillOf(all(score))).toBe(score);
  });

  it("lies between the lowest and the highest score, and never falls when a score rises", () => {
    fc.assert(
      fc.property(scores, fc.constantFrom(...DIMENSIONS), unit, (given, name, other) => {
        const q = qSkillOf(given);
        expect(q).toBeGreaterThanOrEqual(Math.min(...Object.values(given)) - 1e-9);
        expect(q).toBeLessThanOrEqual(Math.max(...Object.values(given)) + 1e-9);
        const raised = { ...given, [name]: Math.max(given[name], other) };
        expect(qSkillOf(raised)).toBeGreaterThanOrEqual(q);
      }),
    );
  });
});

describe("the decision of a review", () => {
  it("is a rejection below 0.3 for exec, whatever else the teacher says", () => {
    fc.assert(
      fc.property(scores, said, fc.double({ min: 0, max: 0.2999, noNaN: true }), (given, word, exec) => {
        const ruling = decide({ scores: { ...given, exec }, said: word });
        expect(ruling).toEqual({ decision: "reject", basis: "exec" });
      }),
    );
  });

  it("is else the teacher's own word, also against the thresholds", () => {
    expect(decide({ scores: { ...all(0.1), exec: 0.3 }, said: "ACCEPT" }).decision).toBe("accept");
    expect(decide({ scores: all(1), said: "REJECT" }).decision).toBe("reject");
    fc.assert(
      fc.property(scores, fc.constantFrom(...saidSchema.options), (given, word) => {
        fc.pre(given.exec >= 0.3);
        expect(decide({ scores: given, said: word })).toEqual({
          decision: word.toLowerCase(),
          basis: "said",
        });
      }),
    );
  });

  it("without a word follows Q_skill, the thresholds themselves included", () => {
    const of = (score: number) => decide({ scores: { ...all(score), exec: Math.max(0.3, score) } });
    expect(of(0.6)).toEqual({ decision: "accept", basis: "q_skill" });
    expect(of(0.599).decision).toBe("revise");
    expect(of(0.42).decision).toBe("revise");
    expect(of(0.419).decision).toBe("reject");
  });
});

describe("the strict gate", () => {
  it("asks 0.60 of a refinement and 0.75 of a new category", () => {
    expect(admits({ scores: all(0.6) }, { newCategory: false })).toBe(true);
    expect(admits({ scores: all(0.599) }, { newCategory: false })).toBe(false);
    expect(admits({ scores: all(0.749) }, { newCategory: true })).toBe(false);
    expect(admits({ scores: all(0.75), said: "REVISE" }, { newCategory: true })).toBe(true);
  });

  it("admits nothing with a REJECT or a low exec, and into a new category nothing that a known one would not take", () => {
    fc.assert(
      fc.property(scores, said, (given, word) => {
        const review = { scores: given, said: word };
        const known = admits(review, { newCategory: false });
        if (given.exec < 0.3 || word === "REJECT" || qSkillOf(given) < 0.6) expect(known).toBe(false);
        if (admits(review, { newCategory: true })) expect(known).toBe(true);
        if (known && word === undefined) expect(decide(review).decision).toBe("accept");
      }),
    );
  });
});
