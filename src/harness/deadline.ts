export interface Deadline {
  /** Aborts when time is up, or when the parent does. */
  readonly signal: AbortSignal;
  /** Stops the timer and lets go of the parent. */
  close(): void;
}

/** The longest delay that a timer takes, 24 days; a longer one would run out at once. */
const LONGEST_MS = 2 ** 31 - 1;

export function openDeadline(ms: number, parent: AbortSignal): Deadline {
  const controller = new AbortController();
  const follow = (): void => controller.abort(parent.reason);
  const timer = setTimeout(() => controller.abort(new Error("Out of time")), Math.min(ms, LONGEST_MS));
  if (parent.aborted) follow();
  else parent.addEventListener("abort", follow, { once: true });
  return {
    signal: controller.signal,
    close() {
      clearTimeout(timer);
      parent.removeEventListener("abort", follow);
    },
  };
}

/** The work's result; rejects with the signal's reason at once on abort, also where the work does not listen to it. */
export async function unlessAborted<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  signal.throwIfAborted();
  let stop: () => void = () => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(signal.reason as Error);
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([work(), aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
