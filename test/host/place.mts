import type { HostRun } from "./options.mts";

/** Where one run of the suites happens. */
export interface Place {
  run: HostRun;
  /** Temporary folder for all state of the run. */
  folder: string;
  /** The copied workspace inside it. */
  workspace: string;
}

/** Milliseconds until a suite that does not end is given up: a test has a minute at most (mocha.ts), whole runs take one or two, the suite a quarter of an hour where other stages run beside it. */
export const SUITE_TIMEOUT = 30 * 60_000;
