import { relative } from "node:path";
import { stripVTControlCharacters } from "node:util";
import type { Reporter, SerializedError, TestCase, TestModule } from "vitest/node";

import { COUNTS_FILE, type Counts, writeCounts } from "./counts.mts";
import { ROOT } from "./paths.mts";

/** Most characters of a reason: a log of which only the end is kept has all faults. */
const REASON = 400;

/** A reporter of Vitest that writes the counts of a stage. Vitest's own JSON keeps no reason where a hook of a suite fails. */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const file = process.env[COUNTS_FILE];
    if (file === undefined) throw new Error(`${COUNTS_FILE} does not name a file.`);
    writeCounts(file, countsOf(modules, unhandled));
  }
}

function countsOf(modules: readonly TestModule[], unhandled: readonly SerializedError[]): Counts {
  const tests = modules.flatMap((module) => [...module.children.allTests()]);
  const failed = tests.filter((test) => test.result().state === "failed");
  const passed = tests.filter((test) => test.result().state === "passed");
  const outside = [
    ...modules.flatMap(outsideTests),
    ...unhandled.map((error) => fault("outside any test", error)),
  ];
  return {
    passed: passed.length,
    failed: failed.length + outside.length,
    skipped: tests.length - failed.length - passed.length,
    faults: [...failed.map(faultOf), ...outside],
    skips: skipsOf(tests.filter((test) => ["skipped", "pending"].includes(test.result().state))),
  };
}

/** A file that cannot be loaded, and hooks that fail: no test of theirs has failed. */
function outsideTests(module: TestModule): string[] {
  const file = relative(ROOT, module.moduleId);
  const suites = [...module.children.allSuites()];
  return [
    ...module.errors().map((error) => fault(file, error)),
    ...suites.flatMap((suite) => suite.errors().map((error) => fault(`${file} > ${suite.fullName}`, error))),
  ];
}

function faultOf(test: TestCase): string {
  const [error] = test.result().errors ?? [];
  return fault(`${relative(ROOT, test.module.moduleId)} > ${test.fullName}`, error);
}

const fault = (place: string, error: SerializedError | undefined): string =>
  `${place}: ${stripVTControlCharacters(error?.message ?? "without a reason")
    .replaceAll(/\s+/g, " ")
    .slice(0, REASON)}`;

function skipsOf(tests: readonly TestCase[]): string[] {
  const reasons = tests.flatMap(({ fullName }) => /\(skipped: (.*)\)/.exec(fullName)?.[1] ?? []);
  const counted = Map.groupBy(reasons, (reason) => reason);
  return [...counted].map(([reason, { length }]) => `${length} skipped: ${reason}`);
}
