import { type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

/** The environment variable by which everything a server starts is found again, even when its parent is gone. */
export const MARK = "HASP_PROCESS_MARK";

/** The first of `names` found on the PATH, absolute. */
export function onPath(...names: string[]): string | undefined {
  const endings = process.platform === "win32" ? [".exe", ".cmd"] : [""];
  const folders = (process.env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  for (const name of names) {
    for (const folder of folders) {
      const found = endings.map((ending) => join(folder, name + ending)).find((path) => existsSync(path));
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/**
 * Calls `close`, which must be synchronous, when this process ends by itself or by an exception; what was begun last is
 * closed first. Returns how to take it back.
 */
export function onExit(close: () => void): () => void {
  process.prependListener("exit", close);
  return () => void process.off("exit", close);
}

let listening = false;

/**
 * Makes SIGINT, SIGTERM and SIGHUP end this process with its 'exit' listeners run first (Node skips them on a signal).
 * The signal is raised again afterwards, so that the caller sees what ended us.
 */
export function exitOnSignals(): void {
  if (listening) return;
  listening = true;
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.once(signal, () => {
      process.emit("exit", 1);
      process.kill(process.pid, signal);
    });
  }
}

/** Process ids whose environment carries `mark`. Linux only; elsewhere none. */
function marked(mark: string): number[] {
  if (process.platform !== "linux") return [];
  const ids = readdirSync("/proc")
    .map(Number)
    .filter((id) => id > 0 && id !== process.pid);
  return ids.filter((id) => {
    try {
      return readFileSync(`/proc/${id}/environ`, "utf8").split("\0").includes(`${MARK}=${mark}`);
    } catch {
      return false; // ended meanwhile, or another user's
    }
  });
}

function signalAll(ids: number[], signal: NodeJS.Signals): void {
  for (const id of ids) {
    try {
      process.kill(id, signal);
    } catch {
      // ended meanwhile
    }
  }
}

/** Ends every process that carries `mark` at once, without waiting: for an 'exit' listener. */
export function killMarked(mark: string): void {
  signalAll(marked(mark), "SIGKILL");
}

/** Ends `child` and every process that carries `mark`: politely, then by force, and waits until all are gone. */
export async function endMarked(child: ChildProcess, mark: string): Promise<void> {
  const gone = child.exitCode !== null || child.signalCode !== null;
  const exited = gone ? Promise.resolve() : once(child, "exit");
  signalAll(marked(mark), "SIGTERM");
  // A VS Code server ends in under a second; one that is still there after five is stuck, and nothing of it is worth keeping.
  await Promise.race([exited, delay(5000, undefined, { ref: false })]);
  killMarked(mark);
  await exited;
}
