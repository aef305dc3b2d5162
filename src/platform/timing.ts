import type { Timing } from "../llm/timing.ts";

/** The longest a Node timer can wait; more would fire at once. */
const LONGEST = 2 ** 31 - 1;

/** The machine's clock and timers. */
export const systemTiming: Timing = {
  now: () => Date.now(),
  random: () => Math.random(),
  after(ms, action) {
    const timer = setTimeout(action, Math.min(ms, LONGEST));
    return () => clearTimeout(timer);
  },
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const stop = (): void => {
        clearTimeout(timer);
        reject(signal.reason);
      };
      const timer = setTimeout(
        () => {
          signal.removeEventListener("abort", stop);
          resolve();
        },
        Math.min(ms, LONGEST),
      );
      signal.addEventListener("abort", stop, { once: true });
    }),
};
