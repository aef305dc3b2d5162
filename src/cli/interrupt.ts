import process from "node:process";

export interface Interrupt {
  readonly signal: AbortSignal;
  release(): void;
}

/** Ctrl-C asks a command to end in order: what it has done so far stays. A second Ctrl-C ends it at once, as without this. */
export function cancelOnInterrupt(): Interrupt {
  const controller = new AbortController();
  const stop = (): void => controller.abort(new Error("Interrupted"));
  process.once("SIGINT", stop);
  process.once("SIGTERM", stop);
  return {
    signal: controller.signal,
    release() {
      process.removeListener("SIGINT", stop);
      process.removeListener("SIGTERM", stop);
    },
  };
}
