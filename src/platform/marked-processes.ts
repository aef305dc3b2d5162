import fs from "node:fs";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { isRunningSince, startOf } from "./process-lock.ts";

/** A process that was looked at: its pid may be another's by now, its start not. */
interface Marked {
  readonly pid: number;
  readonly start: string;
}

const POLL_MS = 50;

function environmentOf(pid: string): string {
  try {
    return fs.readFileSync(`/proc/${pid}/environ`, "latin1");
  } catch {
    // Another user's, or gone.
    return "";
  }
}

/** Processes that have `NAME=value` in their environment, this one left out; none where the system does not show it (all but Linux). */
function markedBy(mark: string): readonly Marked[] {
  if (process.platform !== "linux") return [];
  return fs.readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) return [];
    if (!environmentOf(name).split("\0").includes(mark)) return [];
    const pid = Number(name);
    const start = startOf(pid);
    return start !== undefined && isRunningSince(pid, start) ? [{ pid, start }] : [];
  });
}

function signal({ pid, start }: Marked, name: "SIGTERM" | "SIGKILL"): void {
  if (!isRunningSince(pid, start)) return;
  try {
    process.kill(pid, name);
  } catch {
    // It has ended meanwhile.
  }
}

/**
 * Ends every process of this user that has `mark` (`NAME=value`) in its environment, and those that they start meanwhile: SIGTERM, then
 * SIGKILL after `graceMs`. Resolves when none is left.
 */
export async function endMarkedProcesses(mark: string, graceMs: number): Promise<void> {
  const asked = new Set<string>();
  const deadline = performance.now() + graceMs;
  for (;;) {
    const left = markedBy(mark);
    if (left.length === 0) return;
    const isPatient = performance.now() < deadline;
    for (const one of left) {
      const key = `${one.pid} ${one.start}`;
      if (!isPatient) signal(one, "SIGKILL");
      else if (!asked.has(key)) signal(one, "SIGTERM");
      asked.add(key);
    }
    await sleep(POLL_MS);
  }
}
