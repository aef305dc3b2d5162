import { renameSync, rmSync, writeFileSync } from "node:fs";

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

/** The variable with the file into which a stage writes its counts, as the last thing that it does. */
export const COUNTS_FILE = "HASP_TEST_COUNTS";

/** Writes the counts whole or not at all. Throws where the disk is full. */
export function writeCounts(file: string, counts: Counts): void {
  const part = `${file}.part`;
  try {
    writeFileSync(part, JSON.stringify(counts));
    renameSync(part, file);
  } finally {
    rmSync(part, { force: true });
  }
}

export const noCounts = (): Counts => ({ passed: 0, failed: 0, skipped: 0, faults: [], skips: [] });

export const withFault = (counts: Counts, fault: string): Counts => ({
  ...counts,
  failed: counts.failed + 1,
  faults: [...counts.faults, fault],
});

export const sumOf = (all: readonly Counts[]): Counts => ({
  passed: all.reduce((sum, { passed }) => sum + passed, 0),
  failed: all.reduce((sum, { failed }) => sum + failed, 0),
  skipped: all.reduce((sum, { skipped }) => sum + skipped, 0),
  faults: all.flatMap(({ faults }) => faults),
  skips: all.flatMap(({ skips }) => skips),
});

/** `N passed, N failed`, with the skipped tests where there are any. */
export function closingLine({ passed, failed, skipped }: Counts): string {
  const skips = skipped > 0 ? `, ${skipped} skipped` : "";
  return `${passed} passed, ${failed} failed${skips}`;
}
