import type { FailedTest, TestCounts, TestsEnded } from "../../../model/test-evidence.ts";
import { agrees, samePrinted } from "./compare.ts";
import { LOADING, runProgram, type ProgramRun, type Running, type TestReport } from "./run-program.ts";
import { cut, wholeMs, type PreparedTests, type Test } from "./tests.ts";

/** What the tests of a question say of a program. */
export interface JudgedProgram extends TestCounts {
  readonly groups: Readonly<Record<string, TestCounts>>;
  readonly ended: TestsEnded;
  readonly first?: FailedTest;
  /** Of the program, in milliseconds. */
  readonly ms: number;
}

/** The same with the run that it came of. */
export interface JudgedRun extends JudgedProgram {
  readonly run: ProgramRun;
}

/** Why a test was not passed. */
interface Failure {
  readonly ended: Exclude<TestsEnded, "passed">;
  readonly actual: string;
}

type Status =
  | { readonly kind: "passed" }
  | { readonly kind: "notRun" }
  | ({ readonly kind: "failed" } & Failure);

const PASSED: Status = { kind: "passed" };
const NOT_RUN: Status = { kind: "notRun" };

const failed = (ended: Failure["ended"], actual: string): Status => ({
  kind: "failed",
  ended,
  actual: cut(actual),
});

const seconds = (ms: number): string => `${Number((ms / 1000).toFixed(1))} s`;

/** How the process ended before its tests did. */
function brokenOff({ end, late }: ProgramRun, limitMs: number | undefined): Failure {
  if (late !== undefined)
    return {
      ended: "time",
      actual: limitMs === undefined ? "not loaded in time" : `over ${seconds(limitMs)}`,
    };
  if (end.kind === "stopped" && end.why === "output")
    return { ended: "output", actual: "more output than is allowed" };
  if (end.kind === "stopped") return { ended: "time", actual: "all tests together took too long" };
  if (end.kind === "signal")
    return { ended: "crashed", actual: `the interpreter was ended by ${end.signal}` };
  return { ended: "crashed", actual: "the program ended the interpreter before its tests were over" };
}

/** A test by what the process said of it. */
function statusOf({ wanted }: Test, report: TestReport): Status {
  if (report.kind === "raised") return failed(report.isMemory ? "memory" : "error", report.words);
  if (wanted.kind === "inside") return report.kind === "passed" ? PASSED : failed("crashed", "no result");
  if (wanted.kind === "output") {
    if (report.kind !== "output") return failed("crashed", "no output");
    if (report.isCut) return failed("output", "more output than is compared");
    return samePrinted(report.text, wanted.text) ? PASSED : failed("wrong", report.text);
  }
  if (report.kind !== "value") return failed("crashed", "no value");
  return agrees(report.value, wanted.value, wanted.oracle) ? PASSED : failed("wrong", report.value.shown);
}

/** The tests in order. The process may end before all were run: the one under way, else the next one, then failed. */
function statusesOf(tests: readonly Test[], run: ProgramRun): readonly Status[] {
  const statuses = tests.map((test, i) => {
    const report = run.reports.get(i);
    return report === undefined || run.late === i ? undefined : statusOf(test, report);
  });
  // A program may say that it began a test of any number.
  const underWay = statuses.findIndex(
    (status, i) => status === undefined && i === (run.underWay ?? run.late),
  );
  const open = underWay >= 0 ? underWay : statuses.indexOf(undefined);
  const broken = tests[open];
  return statuses.map((status, i) => {
    if (status !== undefined) return status;
    return i === open ? { kind: "failed", ...brokenOff(run, broken?.limitMs) } : NOT_RUN;
  });
}

function counts(statuses: readonly Status[]): TestCounts {
  const of = (kind: Status["kind"]): number => statuses.filter((one) => one.kind === kind).length;
  return { passed: of("passed"), failed: of("failed"), notRun: of("notRun") };
}

function expectedOf({ wanted }: Test): { readonly expected?: string } {
  if (wanted.kind === "inside") return {};
  return { expected: cut(wanted.kind === "value" ? wanted.value.shown : wanted.text) };
}

/** Of what runs, which begins before the answer does. */
const LINE_NUMBER = / (?:on line \d{1,9}|\(detected at line \d{1,9}\))/g;

/** A program that could not be loaded ran no test. */
function notLoaded(tests: readonly Test[], run: ProgramRun): JudgedRun {
  const report = run.reports.get(LOADING);
  const problem: Failure =
    report?.kind === "raised"
      ? { ended: report.isMemory ? "memory" : "error", actual: cut(report.words.replaceAll(LINE_NUMBER, "")) }
      : brokenOff(run, undefined);
  return { ...withoutTests(tests, problem), ms: run.ms, run };
}

/** No test was run, for this reason. */
export function withoutTests(tests: readonly Test[], { ended, actual }: Failure): JudgedProgram {
  const none = tests.map(() => NOT_RUN);
  const first = { name: "loading the program", actual };
  return { ...counts(none), groups: groupsOf(tests, none), ended, first, ms: 0 };
}

function groupsOf(tests: readonly Test[], statuses: readonly Status[]): Readonly<Record<string, TestCounts>> {
  const numbers = Map.groupBy(tests.keys(), (i) => tests[i]?.group ?? "");
  return Object.fromEntries(
    [...numbers].map(([group, own]) => [group, counts(own.map((i) => statuses[i] ?? NOT_RUN))]),
  );
}

/** The tests of a unit test are known by the process alone. */
function named(tests: readonly Test[], { names }: ProgramRun): readonly Test[] {
  const [only] = tests;
  return only === undefined || names.length === 0 ? tests : names.map((name) => ({ ...only, name }));
}

/** Runs a program and compares what came of its tests. Rejects where nothing could be started, and with the signal's reason on abort. */
export async function judgeProgram(
  source: string,
  { tests: known, requestFor }: PreparedTests,
  running: Running,
): Promise<JudgedRun> {
  const limits = { limitOf: (i: number) => (known[i] ?? known[0])?.limitMs ?? 0, wholeMs: wholeMs(known) };
  const run = await runProgram(requestFor(source), limits, running);
  if (!run.isLoaded) return notLoaded(known, run);
  const tests = known.some(({ wanted }) => wanted.kind !== "inside") ? known : named(known, run);
  const statuses = statusesOf(tests, run);
  const at = statuses.findIndex(({ kind }) => kind === "failed");
  const [status, test] = [statuses[at], tests[at]];
  const base = { ...counts(statuses), groups: groupsOf(tests, statuses), ms: run.ms, run };
  if (status?.kind !== "failed" || test === undefined) return { ...base, ended: "passed" };
  const { name, input } = test;
  const first = { name, ...(input !== undefined && { input }), ...expectedOf(test), actual: status.actual };
  return { ...base, ended: status.ended, first };
}
