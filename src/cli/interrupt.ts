import os from "node:os";
import process from "node:process";

export interface Interrupt {
  readonly signal: AbortSignal;
  release(): void;
}

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/** Ctrl-C asks a command to end in order: what it has done so far stays. A second Ctrl-C ends it at once; only its locks are released. */
export function cancelOnInterrupt(): Interrupt {
  const controller = new AbortController();
  const stop = (signal: NodeJS.Signals): void => {
    // By 128 and the signal's number, as a shell reports a process that a signal ended.
    if (controller.signal.aborted) process.exit(128 + os.constants.signals[signal]);
    controller.abort(new Error("Interrupted"));
  };
  for (const signal of SIGNALS) process.on(signal, stop);
  return {
    signal: controller.signal,
    release() {
      for (const signal of SIGNALS) process.removeListener(signal, stop);
    },
  };
}
