import { parseJson } from "../../../model/read-json.ts";
import type { ContainedEnd, ContainedProgram, Containment } from "../../../scoring/containment.ts";
import type { Encoded } from "./compare.ts";
import driver from "./driver.py?text";
import encode from "./encode.py?text";
import reader from "./reader.py?text";

const PROGRAMS = { driver: `${encode}\n${driver}`, reader: `${encode}\n${reader}` };

/** As EvalPlus has it. */
const MEMORY = 4 * 1024 ** 3;
const OUTPUT = 64 * 1024 ** 2;
/** Number of the time before the first test, in which a program is loaded. */
export const LOADING = -1;
const LOADING_MS = 20_000;
/** Over the sum of the tests' own limits, for the start and for encoding long values. */
const BESIDE_MS = 40_000;

/** What came of one test, as the process of the program says it. */
export type TestReport =
  | { readonly kind: "value"; readonly value: Encoded }
  | { readonly kind: "output"; readonly text: string; readonly isCut: boolean }
  | { readonly kind: "raised"; readonly words: string; readonly isMemory: boolean }
  /** A test that compares inside. */
  | { readonly kind: "passed" };

/** A run of the driver. */
export interface ProgramRun {
  /** By number of the test, and `LOADING`. */
  readonly reports: ReadonlyMap<number, TestReport>;
  /** Seconds of the tests that came to their end. */
  readonly seconds: ReadonlyMap<number, number>;
  /** Of unit tests. */
  readonly names: readonly string[];
  /** The test that was under way when the process ended, unless all were over. */
  readonly underWay: number | undefined;
  /** The test that broke its limit of time. */
  readonly late: number | undefined;
  /** The program was loaded. */
  readonly isLoaded: boolean;
  readonly end: ContainedEnd;
  /** From the start of the program to its end, in milliseconds. */
  readonly ms: number;
}

/** What the driver is asked to do (driver.py). */
export interface DriverRequest {
  readonly do: "calls" | "scripts" | "unittest";
  readonly source: string;
  readonly [key: string]: unknown;
}

/** The containment that programs run in, and the signal whose abort ends them. */
export interface Running {
  readonly containment: Containment;
  readonly signal: AbortSignal;
}

interface Limits {
  /** Time that a test may take, in milliseconds. */
  readonly limitOf: (test: number) => number;
  /** Of all tests together, in milliseconds. */
  readonly wholeMs: number;
}

const isText = (value: unknown): value is string => typeof value === "string";

/** A value that was sent; undefined for what is none. A program may write anything. */
export function encodedIn(value: unknown): Encoded | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { text, digest, isUnequal, isFloats, shown } = value as Record<string, unknown>;
  if (!isText(shown)) return undefined;
  return {
    shown,
    ...(isText(text) && { text }),
    ...(isText(digest) && { digest }),
    ...(isUnequal === true && { isUnequal }),
    ...(isFloats === true && { isFloats }),
  };
}

/** What a line tells of a test; undefined for other lines. A program may write any line. */
function reportIn(kind: unknown, rest: readonly unknown[]): TestReport | undefined {
  const [first, second] = rest;
  if (kind === "passed") return { kind };
  if (kind === "raised") return { kind, words: isText(first) ? first : "", isMemory: second === true };
  if (kind === "output") return isText(first) ? { kind, text: first, isCut: second === true } : undefined;
  const value = kind === "value" ? encodedIn(first) : undefined;
  return value && { kind: "value", value };
}

/** Collects the lines of a run. */
class Transcript {
  readonly reports = new Map<number, TestReport>();
  readonly seconds = new Map<number, number>();
  names: readonly string[] = [];
  underWay: number | undefined;
  isLoaded = false;

  /** Takes a line; says which test it begins, or ends. */
  take(line: string): { readonly begins?: number; readonly ends?: number } {
    const parsed = parseJson(line);
    const [kind, test, ...rest] = Array.isArray(parsed) ? (parsed as unknown[]) : [];
    if (kind === "tests" && Array.isArray(test)) this.names = test.filter(isText);
    if (typeof test !== "number") return {};
    if (kind === "begin") {
      this.underWay = test;
      return { begins: test };
    }
    if (kind === "done") {
      const [seconds] = rest;
      if (test === LOADING) this.isLoaded = true;
      if (typeof seconds === "number" && !this.seconds.has(test)) this.seconds.set(test, seconds);
      if (test === LOADING) this.underWay = undefined;
      return { ends: test };
    }
    const report = reportIn(kind, rest);
    if (report === undefined) return {};
    if (!this.reports.has(test) || report.kind === "raised") this.reports.set(test, report);
    if (this.underWay === test) this.underWay = undefined;
    return { ends: test };
  }
}

/** How a program ended by itself or by its limits. Rejects where it could not be started or was stopped otherwise, and with the signal's reason on abort. */
async function endOf(program: ContainedProgram, { containment, signal }: Running): Promise<ContainedEnd> {
  const end = await program.ended;
  signal.throwIfAborted();
  if (end.kind === "failed") throw new Error(`${containment.name} cannot start a program: ${end.message}`);
  if (end.kind === "stopped" && end.why === "stopped")
    throw new Error(`${containment.name} stopped a program before its end`);
  return end;
}

/**
 * Runs the driver on a program. The time of each test is watched from here, since a program can do what it likes with its own clock; the first
 * that is late ends all. Rejects where the program could not be started, and with the signal's reason on abort.
 */
export async function runProgram(
  request: DriverRequest,
  { limitOf, wholeMs }: Limits,
  { containment, signal }: Running,
): Promise<ProgramRun> {
  signal.throwIfAborted();
  const limits = { wallMs: wholeMs + BESIDE_MS, memoryBytes: MEMORY, outputBytes: OUTPUT };
  const order = { program: PROGRAMS.driver, input: JSON.stringify(request), limits };
  const program = containment.start(order, signal);
  const transcript = new Transcript();
  let late: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  let watched: number | undefined;
  let began: number | undefined;
  // A timer is late when this process is busy: what the program has written by then comes first.
  const decide = (test: number): void => {
    if (watched !== test) return;
    late = test;
    program.stop("time");
  };
  try {
    for await (const line of program.results) {
      const { begins, ends } = transcript.take(line);
      if (begins === undefined && ends === undefined) continue;
      clearTimeout(timer);
      watched = begins;
      if (begins === undefined) continue;
      began ??= performance.now();
      const ms = begins === LOADING ? LOADING_MS : limitOf(begins);
      timer = setTimeout(() => setImmediate(decide, begins), ms);
    }
  } finally {
    clearTimeout(timer);
    watched = undefined;
  }
  const end = await endOf(program, { containment, signal });
  // The driver says so before anything of the program runs.
  if (began === undefined) throw new Error(`${containment.name} ended before it had loaded the program`);
  if (end.kind !== "stopped" || end.why !== "time") late = undefined;
  const { reports, seconds, names, underWay, isLoaded } = transcript;
  const ms = performance.now() - began;
  return { reports, seconds, names, underWay, late, isLoaded, end, ms };
}

/** Limits of reading tests: a reference solution may compute the expected values. */
const READING = { wallMs: 120_000, memoryBytes: MEMORY, outputBytes: OUTPUT };

/** Lines of the reader (reader.py), parsed. */
export interface ReadLines {
  readonly lines: readonly (readonly unknown[])[];
  /** It broke a limit. */
  readonly isStopped: boolean;
}

/** Has the reader read tests. Rejects as `runProgram`. */
export async function readTests(
  request: Readonly<Record<string, unknown>>,
  { containment, signal }: Running,
): Promise<ReadLines> {
  const order = { program: PROGRAMS.reader, input: JSON.stringify(request), limits: READING };
  const program = containment.start(order, signal);
  const lines: unknown[][] = [];
  for await (const line of program.results) {
    const parsed = parseJson(line);
    if (Array.isArray(parsed)) lines.push(parsed as unknown[]);
  }
  const end = await endOf(program, { containment, signal });
  return { lines, isStopped: end.kind === "stopped" || end.kind === "signal" };
}
