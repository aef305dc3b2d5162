import { describe, expect, it } from "vitest";
import { detectFailures } from "../../../../src/analysis/failures/detect-failures.ts";
import { findPatterns } from "../../../../src/analysis/failure-patterns.ts";
import { code } from "../../../../src/domains/code/code.ts";
import { CODE_MEASURES } from "../../../../src/domains/code/step-measures.ts";
import { detectorsOf } from "../../../../src/domains/detectors/detectors.ts";
import type { Episode } from "../../../../src/model/episode.ts";
import type { TestEvidence } from "../../../../src/model/test-evidence.ts";
import type { Verdict } from "../../../../src/model/verdict.ts";
import { contextAt } from "../../../../src/trace/context-at.ts";
import { episode, step } from "../../trace/support.ts";

const FACTS = { domain: "code", actionTypes: ["FINAL"], searchReturnsText: false, maxSteps: 1 };
const TASK =
  'def middle(items: list) -> int:\n    """Return the item in the middle of a list of odd length."""\n';
const WHOLE = "def middle(items):\n    return items[len(items) // 2]";

const failing: TestEvidence = {
  passed: 2,
  failed: 1,
  notRun: 1,
  containment: "bubblewrap 0.8.0, Python 3.11.7",
  ended: "wrong",
  first: { name: "base 3", input: "middle([1, 2, 3])", expected: "2", actual: "3" },
  ms: 12,
};

const verdictOf = (evidence: Partial<TestEvidence> | undefined): Verdict => ({
  judge: "tests",
  score: 0,
  passed: false,
  ...(evidence !== undefined && { evidence: { ...failing, ...evidence } }),
});

function answered(program: string, evidence: Partial<TestEvidence> | undefined): Episode {
  return episode("e", {
    question: TASK,
    outcome: "wrong",
    answer: program,
    facts: FACTS,
    verdicts: [verdictOf(evidence)],
    steps: [step(0, "FINAL", program, "", "")],
  });
}

const found = (program: string, evidence: Partial<TestEvidence> = {}): readonly string[] =>
  detectFailures(answered(program, evidence)).map(({ name }) => name);
const first = (actual: string, expected = "2"): Partial<TestEvidence> => ({
  ended: "error",
  first: { name: "base 1", expected, actual },
});

describe("failures of code", () => {
  it("are four, and speak of no searches", () => {
    const detectors = detectorsOf(code);
    expect(Object.keys(detectors).toSorted()).toEqual([
      "format_mismatch",
      "incomplete_implementation",
      "incomplete_logic",
      "reasoning_hallucination",
    ]);
    for (const { pattern } of Object.values(detectors))
      expect(Object.values(pattern ?? {}).join(" ")).not.toMatch(/search|document|\bread\b|episode/i);
  });

  it("look at the verdict of tests, also behind one that another program gave", () => {
    const wrong = answered(WHOLE, {});
    const recorded: Verdict = { judge: "recorded", score: 0, passed: false };
    expect(
      detectFailures({ ...wrong, verdicts: [recorded, ...(wrong.verdicts ?? [])] }).map(({ name }) => name),
    ).toEqual(["incomplete_logic"]);
  });

  it("format_mismatch is a pattern of the replay, which looks at no verdict", () => {
    expect(findPatterns(answered("def first(items):\n    return items[0]", {}))).toMatchObject([
      { name: "format_mismatch", reason: "the program defines no middle" },
    ]);
    expect(findPatterns(answered(WHOLE, {}))).toEqual([]);
  });

  it("an entry that is not there is a mismatch alone", () => {
    expect(found("def first(items):\n    return 1", first("NameError: middle is not defined"))).toEqual([
      "format_mismatch",
    ]);
  });

  it("incomplete_logic: a whole program that fails tests", () => {
    expect(found(WHOLE)).toEqual(["incomplete_logic"]);
    const [failure] = detectFailures(answered(WHOLE, {}));
    expect(failure).toMatchObject({
      steps: [0],
      reason: '1 of 4 tests failed (wrong), the first at "base 3"',
    });
    expect(found(WHOLE, { ended: "time", first: { name: "base 1", actual: "more than 4 s" } })).toEqual([
      "incomplete_logic",
    ]);
    expect(found(WHOLE, { failed: 0, ended: "crashed" })).toEqual([]);
  });

  it("incomplete_implementation: a syntax error, a stub, a path without a value", () => {
    expect(found("def middle(items:\n    return 1", first("SyntaxError: invalid syntax"))).toEqual([
      "incomplete_implementation",
    ]);
    expect(found("def middle(items):\n    pass", first("None"))).toEqual(["incomplete_implementation"]);
    const path = "def middle(items):\n    if items:\n        return items[0]";
    expect(found(path, first("None"))).toEqual(["incomplete_implementation"]);
    expect(found(path, first("7"))).toEqual(["incomplete_logic"]);
    expect(found(WHOLE, first("None"))).toEqual(["incomplete_logic"]);
  });

  it("reasoning_hallucination: a name, a module or a method that does not exist", () => {
    const error = first("NameError: name 'median' is not defined");
    expect(found("def middle(items):\n    return median(items)", error)).toEqual(["reasoning_hallucination"]);
    expect(found(WHOLE, first("ModuleNotFoundError: No module named 'fastmath'"))).toEqual([
      "reasoning_hallucination",
    ]);
  });

  it("format_mismatch: no program, or another name than the task's", () => {
    const error = first("NameError: name 'middle' is not defined");
    expect(found("I cannot do that.", error)).toContain("format_mismatch");
    expect(found("def median(items):\n    return items[0]", error)).toContain("format_mismatch");
    expect(found("def median(items):\n    return items[0]", error)).not.toContain("incomplete_logic");
  });

  it("are none where no test ran, all passed, or another judge said what is wrong", () => {
    expect(found(WHOLE, { passed: 4, failed: 0, notRun: 0, ended: "passed" })).toEqual([]);
    expect(detectFailures(answered("def middle(items:", undefined))).toEqual([]);
    expect(detectFailures({ ...answered("def middle(items:", {}), verdicts: [] })).toEqual([]);
  });
});

describe("the measure of a step", () => {
  const measured = (verdict: Verdict | undefined): number | undefined => {
    const of = answered(WHOLE, {});
    const [only] = of.steps;
    if (only === undefined) return undefined;
    const context = contextAt(of, 0, code.contextRules);
    return CODE_MEASURES[0]?.measure({ step: only, context, facts: of.facts, verdict });
  };

  it("is the share of tests that the draft passed; those that did not run are not passed", () => {
    expect(measured(verdictOf({}))).toBe(0.5);
    expect(measured(verdictOf({ passed: 4, failed: 0, notRun: 0 }))).toBe(1);
    expect(measured(verdictOf({ passed: 0, failed: 1, notRun: 9 }))).toBe(0);
  });

  it("is a half where no test ran: nothing speaks for the draft, and nothing against it", () => {
    expect(measured(undefined)).toBe(0.5);
    expect(measured(verdictOf(undefined))).toBe(0.5);
    expect(measured(verdictOf({ passed: 0, failed: 0, notRun: 0 }))).toBe(0.5);
  });
});
