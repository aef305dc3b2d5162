import type { Encoded, Oracle } from "./compare.ts";
import type { DriverRequest } from "./run-program.ts";

/** What a test is right by. */
export type Wanted =
  | { readonly kind: "value"; readonly value: Encoded; readonly oracle: Oracle }
  | { readonly kind: "output"; readonly text: string }
  /** It compares inside the process of the program. `isClass`: it stands for a class of unit tests, whose number is not known. */
  | { readonly kind: "inside"; readonly isClass?: true };

/** A call that the driver makes (driver.py), or a check that it runs. */
export type DriverCall =
  | { readonly entry: string; readonly json: string; readonly wraps?: readonly string[] }
  | { readonly entry: string; readonly python: string; readonly wraps: readonly string[] }
  | { readonly check: string };

/** One test of a question. */
export interface Test {
  /** `base 3`, `test_empty_list`. */
  readonly name: string;
  readonly group: string;
  /** For people, as Python. */
  readonly input?: string;
  readonly wanted: Wanted;
  /** Time that it may take, in milliseconds. */
  readonly limitMs: number;
}

/** The tests of a question, ready to be run on any answer. */
export interface PreparedTests {
  readonly tests: readonly Test[];
  /** The driver's order for a program. */
  readonly requestFor: (source: string) => DriverRequest;
}

/** The least time of a test, and how many times that of the reference solution it may take, as EvalPlus has them. */
const LEAST_MS = 4_000;
const TIMES_REFERENCE = 4;

/** Time that a test may take, by the seconds that the reference solution took. */
export const limitFor = (seconds: number | undefined, leastMs = LEAST_MS): number =>
  Math.max(leastMs, TIMES_REFERENCE * 1_000 * (seconds ?? 0));

/** Longest time of all tests together, in milliseconds. */
const LONGEST_MS = 120_000;

export function wholeMs(tests: readonly Test[]): number {
  const hasClass = tests.some(({ wanted }) => wanted.kind === "inside" && wanted.isClass === true);
  const sum = tests.reduce((total, { limitMs }) => total + limitMs, 0);
  return hasClass ? LONGEST_MS : Math.min(LONGEST_MS, sum);
}

const SHOWN = 600;

export const cut = (text: string): string => (text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}…`);

const PYTHON_NAMES: Readonly<Record<string, string>> = { true: "True", false: "False", null: "None" };

/** A list of arguments in JSON, as a call in Python. */
export function shownJsonCall(entry: string, json: string): string {
  const inside = json.slice(1, 2 * SHOWN).replace(/\]$/, "");
  const python = inside.replaceAll(
    /"(?:[^"\\]|\\.)*"|\b(?:true|false|null)\b/g,
    (found) => PYTHON_NAMES[found] ?? found,
  );
  return cut(`${entry}(${python.trim()})`);
}

/** Arguments in Python, as a call. */
export function shownCall(entry: string, python: string): string {
  const [, list] = /^\*\[([\s\S]*)\]$/.exec(python.slice(0, 4 * SHOWN)) ?? [];
  return cut(`${entry}(${list ?? python.replace(/^\*\[/, "")})`);
}
