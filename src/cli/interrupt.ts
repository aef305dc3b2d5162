import os from "node:os";
import process from "node:process";
import type { Progress } from "../app/progress.ts";
import type { Terminal } from "./terminal.ts";

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/**
 * Runs a use case that Ctrl-C ends in order, with its progress on the terminal: what it has done so far stays. A second Ctrl-C ends it at
 * once; only its locks are released.
 */
export async function interruptible<T>(
  terminal: Terminal,
  work: (signal: AbortSignal, on: (event: Progress) => void) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const stop = (signal: NodeJS.Signals): void => {
    // By 128 and the signal's number, as a shell reports a process that a signal ended.
    if (controller.signal.aborted) process.exit(128 + os.constants.signals[signal]);
    controller.abort(new Error("Interrupted"));
  };
  for (const signal of SIGNALS) process.on(signal, stop);
  try {
    return await work(controller.signal, ({ done, total, words }) => terminal.progress(done, total, words));
  } finally {
    terminal.endProgress();
    for (const signal of SIGNALS) process.removeListener(signal, stop);
  }
}
