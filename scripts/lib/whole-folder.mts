import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";

import { say } from "./report.mts";

/**
 * Makes `folder`, which appears under its name only once `fill` has filled it: an install that was cut off is never taken
 * for a whole one. Removes what such an install left. Of two installs at once the first to end counts.
 */
export async function makeWhole(folder: string, fill: (partial: string) => Promise<void>): Promise<void> {
  const parent = dirname(folder);
  mkdirSync(parent, { recursive: true });
  const prefix = `${basename(folder)}.partial-`;
  removeLeftovers(parent, prefix);
  const partial = join(parent, prefix + process.pid);
  mkdirSync(partial);
  await fill(partial);
  if (existsSync(folder)) rmSync(partial, { recursive: true });
  else renameSync(partial, folder);
}

/** Folders of installs that were cut off; one of a process that still runs is another install at work and stays. */
function removeLeftovers(parent: string, prefix: string): void {
  for (const name of readdirSync(parent).filter((entry) => entry.startsWith(prefix))) {
    if (isRunning(Number(name.slice(prefix.length)))) continue;
    say(`Removing an install that was cut off: ${name}`);
    rmSync(join(parent, name), { recursive: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return pid !== process.pid;
  } catch {
    return false;
  }
}
