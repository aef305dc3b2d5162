import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { TEST_OUTPUT } from "../../scripts/lib/paths.mts";
import { REPORT_PREFIX } from "./report-prefix.mts";

/** Prints the lines of mocha's report, and keeps the rest of VS Code's console in test-output/host-console.log. */
export function consoleLog(): (source: string, text: string) => void {
  const file = join(TEST_OUTPUT, "host-console.log");
  mkdirSync(TEST_OUTPUT, { recursive: true });
  writeFileSync(file, "");
  return (source, text) => {
    const start = text.indexOf(REPORT_PREFIX);
    if (start >= 0) console.log(text.slice(start + REPORT_PREFIX.length));
    else appendFileSync(file, `${source}: ${text}\n`);
  };
}
