import type { ChildProcess } from "node:child_process";
import process from "node:process";
import { boundedText } from "./bounded-text.ts";
import { pipeOf } from "./contained-child.ts";

/** What one Bubblewrap has started. */
export interface BubblewrapProcesses {
  /** First process of its namespace, as this machine numbers it; undefined where Bubblewrap has ended without one. */
  readonly first: Promise<number | undefined>;
  /** Ends them all. */
  readonly kill: () => void;
}

/** Bytes of what Bubblewrap tells of itself. */
const INFO_BYTES = 4096;

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended meanwhile.
  }
}

/** `child`: a Bubblewrap that leads its own process group, and tells of itself on the descriptor `info`. */
export function bubblewrapProcesses(child: ChildProcess, info: number): BubblewrapProcesses {
  const pipe = pipeOf(child, info);
  const told = boundedText(pipe, () => INFO_BYTES);
  const found = Promise.withResolvers<number | undefined>();
  let isKilled = false;
  function first(): number | undefined {
    const [, pid] = /"child-pid": *(\d+)/.exec(told.text()) ?? [];
    return pid === undefined ? undefined : Number(pid);
  }
  pipe.on("data", () => {
    const pid = first();
    if (pid !== undefined) found.resolve(pid);
    if (isKilled && pid !== undefined) kill(pid);
  });
  pipe.on("close", () => found.resolve(first()));
  return {
    first: found.promise,
    kill() {
      isKilled = true;
      // Bubblewrap ends when the kernel has ended the whole namespace, which it does when the first process is killed. One that hangs before it
      // has a namespace is a group of processes like any other.
      const pid = first() ?? (child.pid === undefined ? undefined : -child.pid);
      if (pid !== undefined) kill(pid);
    },
  };
}
