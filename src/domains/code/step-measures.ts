import { testEvidenceOf } from "../../model/test-evidence.ts";
import type { StepMeasure } from "../domain.ts";

/** Of a program that no test ran on: nothing speaks for it, and nothing against it. */
const NOTHING_MEASURED = 0.5;

/** The share of its tests that a program passed (SPEC §6, single step); those that did not run count as not passed. */
const testsPassed: StepMeasure = {
  name: "tests",
  measure({ verdict }) {
    const tests = testEvidenceOf(verdict?.evidence);
    if (tests === undefined) return NOTHING_MEASURED;
    const all = tests.passed + tests.failed + tests.notRun;
    return all === 0 ? NOTHING_MEASURED : tests.passed / all;
  },
};

export const CODE_MEASURES: readonly StepMeasure[] = [testsPassed];
