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

/** The five scores and the printed Q_skill of the paper's table of families, row by row. */
const FAMILIES: readonly (readonly [string, number, number, number, number, number, number])[] = [
  ["web: reasoning_hallucination", 0.9, 0.8, 0.92, 0.98, 0.86, 0.89],
  ["web: premature_final", 0.9, 0.8, 0.83, 1, 0.83, 0.88],
  ["web: no_read_before_final", 0.85, 0.72, 0.85, 0.95, 0.8, 0.84],
  ["web: pf_override_harmful", 0.8, 0.7, 0.9, 1, 0.8, 0.84],
  ["web: wrong_entity_focus", 0.8, 0.78, 0.72, 0.95, 0.75, 0.8],
  ["math: reasoning_hallucination", 0.93, 0.83, 0.87, 1, 0.83, 0.9],
  ["math: premature_final", 0.9, 0.83, 0.87, 1, 0.8, 0.89],
  ["math: wrong_entity_focus", 0.8, 0.67, 0.77, 0.93, 0.7, 0.78],
  ["math: format_mismatch", 0.77, 0.67, 0.7, 0.9, 0.67, 0.74],
  ["code: reasoning_hallucination", 0.94, 0.87, 0.87, 1, 0.83, 0.91],
  ["code: premature_final", 0.88, 0.83, 0.79, 0.96, 0.81, 0.86],
  ["code: format_mismatch", 0.78, 0.68, 0.67, 0.94, 0.68, 0.76],
  ["code: incomplete_implementation", 0.8, 0.7, 0.67, 0.92, 0.7, 0.76],
  ["code: incomplete_logic", 0.72, 0.65, 0.75, 0.93, 0.65, 0.74],
  ["code: wrong_entity_focus", 0.78, 0.67, 0.65, 0.9, 0.68, 0.74],
  ["code: incomplete_solution", 0.8, 0.7, 0.6, 0.9, 0.7, 0.74],
  ["code: incomplete_code", 0.8, 0.7, 0.6, 0.9, 0.7, 0.74],
];

describe("Q_skill of a published family", () => {
  it.each(FAMILIES)(
    "%s is the printed one within 0.01",
    (_, concept, trigger, intervene, exec, val, printed) => {
      const q = qSkillOf({ concept, trigger, intervene, exec, val });
      expect(Math.abs(q - printed)).toBeLessThanOrEqual(0.01 + 1e-9);
    },
  );

  it("is of all seventeen rows", () => {
    expect(FAMILIES).toHaveLength(17);
  });
});

describe("the decision of a review", () => {
  it("turns at 0.30 for exec, whatever word the teacher wrote", () => {
    const of = (exec: number) => decide({ scores: { ...all(0.9), exec }, said: "ACCEPT" });
    expect(of(0.29)).toEqual({ decision: "reject", basis: "exec" });
    expect(of(0.3)).toEqual({ decision: "accept", basis: "said" });
  });

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
