import { expect, test } from "vitest";
import { testEvidenceOf } from "../../../src/model/test-evidence.ts";
import { testWords } from "../../../src/model/test-words.ts";
import { verdictWords } from "../../../src/model/verdict-words.ts";

const WHOLE = {
  passed: 3,
  failed: 1,
  notRun: 2,
  containment: "bubblewrap 0.8.0, Python 3.11.7",
  ended: "time",
  ms: 4_000,
  groups: { base: { passed: 3, failed: 0, notRun: 0 }, plus: { passed: 0, failed: 1, notRun: 2 } },
  first: { name: "plus 1", input: "f(9)", expected: "81", actual: "no result within 4 s" },
  canBeForged: true,
};

test("evidence of a verdict by tests is read as it was written", () => {
  expect(testEvidenceOf(WHOLE)).toEqual(WHOLE);
});

test.each([
  [undefined],
  [null],
  ["tests"],
  [[WHOLE]],
  [{ answer: "5", gold: "5" }],
  [{ ...WHOLE, passed: "3" }],
  [{ ...WHOLE, failed: 0.5 }],
  [{ ...WHOLE, notRun: undefined }],
  [{ ...WHOLE, ended: "never" }],
  [{ ...WHOLE, ended: "toString" }],
  [{ ...WHOLE, containment: 1 }],
  [{ ...WHOLE, ms: "4" }],
])("%j is none", (evidence) => {
  expect(testEvidenceOf(evidence)).toBeUndefined();
});

test("a part of another form is left out, the rest stays", () => {
  const { groups: _groups, first: _first, canBeForged: _forged, ...rest } = WHOLE;
  const odd = { ...WHOLE, groups: { base: 3 }, first: { name: "plus 1", actual: 3 }, canBeForged: "yes" };
  expect(testEvidenceOf(odd)).toEqual(rest);
  const first = { name: "plus 1", input: ["f"], expected: 81, actual: "80" };
  expect(testEvidenceOf({ ...WHOLE, first })?.first).toEqual({ name: "plus 1", actual: "80" });
});

test("it is said in words, with its groups and what ended it", () => {
  const evidence = testEvidenceOf(WHOLE);
  expect(evidence && testWords(evidence)).toBe(
    "3 of 6 tests passed, 1 failed, 2 not run (base 3 of 3, plus 0 of 3): it ran out of time",
  );
  const right = { passed: 1, failed: 0, notRun: 0, containment: "c", ended: "passed", ms: 1 };
  expect(verdictWords({ judge: "tests", score: 1, passed: true, evidence: right })).toBe(
    "tests: right, 1.00  1 of 1 test passed",
  );
});

test("an exception of one test did not end the others, and where none was begun no program could be loaded", () => {
  const { groups: _groups, ...rest } = WHOLE;
  const raised = testEvidenceOf({ ...rest, passed: 5, ended: "error", notRun: 0 });
  expect(raised && testWords(raised)).toBe("5 of 6 tests passed, 1 failed: it raised an exception");
  const unloaded = testEvidenceOf({ ...rest, passed: 0, failed: 0, ended: "error" });
  expect(unloaded && testWords(unloaded)).toBe("0 of 2 tests passed, 2 not run: no program could be loaded");
});
