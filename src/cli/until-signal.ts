import os from "node:os";
import process from "node:process";

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/**
 * Runs work that Ctrl-C ends in order: the first signal aborts, a second one ends this process at once; only its locks are released. For
 * main.ts alone.
 */
export async function untilSignal<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const stop = (signal: NodeJS.Signals): void => {
    // By 128 and the signal's number, as a shell reports a process that a signal ended.
    if (controller.signal.aborted) process.exit(128 + os.constants.signals[signal]);
    controller.abort(new Error("Interrupted"));
  };
  for (const signal of SIGNALS) process.on(signal, stop);
  try {
    return await work(controller.signal);
  } finally {
    for (const signal of SIGNALS) process.removeListener(signal, stop);
  }
}
