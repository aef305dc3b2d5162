import type { Progress } from "../app/progress.ts";
import type { Terminal } from "./terminal.ts";

/** Runs a use case that an interruption ends in order, with its progress on the terminal: what it has done so far stays. */
export async function interruptible<T>(
  terminal: Terminal,
  work: (signal: AbortSignal, on: (event: Progress) => void) => Promise<T>,
): Promise<T> {
  try {
    return await terminal.context.untilInterrupted((signal) =>
      work(signal, ({ done, total, words }) => terminal.progress(done, total, words)),
    );
  } finally {
    terminal.endProgress();
  }
}
