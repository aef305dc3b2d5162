/** The result of a stage. */
export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
  /** The failed tests by name and reason, and what failed outside a test (a hook, a crash, a stage without a test); `failed` counts them all. */
  faults: string[];
  /** Why tests did not run, with their number, where their names say it: `… (skipped: no Python 3.11 or later)`. */
  skips: string[];
}

/** The variable with the file into which `count-reporter.mts` writes its counts. */
export const COUNTS_FILE = "HASP_TEST_COUNTS";
