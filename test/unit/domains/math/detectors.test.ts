import { describe, expect, it } from "vitest";
import { detectFailures } from "../../../../src/analysis/failures/detect-failures.ts";
import { detectorsOf } from "../../../../src/domains/detectors/detectors.ts";
import { math } from "../../../../src/domains/math/math.ts";
import { MATH_MEASURES } from "../../../../src/domains/math/step-measures.ts";
import type { Episode } from "../../../../src/model/episode.ts";
import { contextAt } from "../../../../src/trace/context-at.ts";
import { episode, step } from "../../trace/support.ts";

const FACTS = { domain: "math", actionTypes: ["FINAL"], searchReturnsText: false, maxSteps: 1 };

const answered = (question: string, thought: string, answer: string): Episode =>
  episode("e", {
    question,
    outcome: "wrong",
    answer,
    facts: FACTS,
    steps: [step(0, "FINAL", answer, "", thought)],
  });
const found = (...draft: [question: string, thought: string, answer: string]): readonly string[] =>
  detectFailures(answered(...draft)).map(({ name }) => name);

const JARS = "A crate holds 14 jars. How many jars are in 6 crates?";

describe("failures of math", () => {
  it("are four, each with words of its own for an author of skills", () => {
    const detectors = Object.entries(detectorsOf(math));
    expect(detectors.map(([name]) => name).toSorted()).toEqual([
      "format_mismatch",
      "premature_final",
      "reasoning_hallucination",
      "wrong_entity_focus",
    ]);
    for (const [, { pattern }] of detectors)
      expect(Object.values(pattern ?? {}).join(" ")).not.toMatch(/search|document|\bread\b|episode/i);
    expect(detectors.every(([, { pattern }]) => pattern !== undefined)).toBe(true);
  });

  it("premature_final: an answer without an equation in its working", () => {
    expect(found(JARS, "", "84")).toEqual(["premature_final"]);
    expect(found(JARS, "There are many jars in the crates.", "84")).toEqual(["premature_final"]);
    expect(found(JARS, "14 * 6 = 84", "84")).toEqual([]);
    expect(found("Solve for x.", "2x + y = 7 and x \\leq y", "3")).not.toContain("premature_final");
  });

  it("reasoning_hallucination: a number that neither the question nor the working has", () => {
    expect(found(JARS, "14 * 6 = 84", "96")).toEqual(["reasoning_hallucination"]);
    expect(found(JARS, "14 * 6 = 84", "14")).toEqual([]);
    expect(found("Solve 2x = 10.", "2x = 10, so x = 5.", "5")).toEqual([]);
  });

  it("format_mismatch: another form than the question's words ask for", () => {
    const question = "Add 1/4 and 1/4. Give the sum as a common fraction.";
    expect(found(question, "1/4 + 1/4 = 0.5", "0.5")).toEqual(["format_mismatch"]);
    expect(found(question, "1/4 + 1/4 = 1/2", "1/2")).toEqual([]);
  });

  it("wrong_entity_focus: another unit than the one that is asked for", () => {
    const question = "A bus needs 2 hours. How many minutes is that?";
    expect(found(question, "1 * 2 = 2", "2 hours")).toEqual(["wrong_entity_focus"]);
    expect(found(question, "2 * 60 = 120", "120 minutes")).toEqual([]);
    expect(found(question, "2 * 60 = 120", "120")).toEqual([]);
  });

  it("look at the last answer of a step that was held back", () => {
    const [first, second] = [step(0, "FINAL", "84", "", ""), step(0, "FINAL", "84", "", "14 * 6 = 84")];
    const proposals = [...first.proposals, ...second.proposals];
    const of = { ...answered(JARS, "", "84"), steps: [{ ...first, proposals }] };
    expect(detectFailures(of)).toEqual([]);
  });
});

describe("the measure of a step", () => {
  const measured = (thought: string, answer: string): number | undefined => {
    const of = answered(JARS, thought, answer);
    const [only] = of.steps;
    if (only === undefined) return undefined;
    const context = contextAt(of, 0, math.contextRules);
    return MATH_MEASURES[0]?.measure({ step: only, context, facts: of.facts, verdict: undefined });
  };

  it("is the share of the draft's equations that hold", () => {
    expect(measured("7 * 6 = 42\n42 * 2 = 84", "84")).toBe(1);
    expect(measured("7 * 6 = 42\n42 * 2 = 82", "82")).toBe(0.5);
    expect(measured("7 * 6 = 41", "41")).toBe(0);
  });

  it("is a half where there is none: nothing speaks for the draft, and nothing against it", () => {
    expect(measured("There are many jars.", "84")).toBe(0.5);
  });
});
