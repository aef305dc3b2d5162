import type { JobClock } from "../jobs/ports.ts";
import { systemClock } from "./clock.ts";

/** The machine's clock. */
export const jobClock: JobClock = {
  ...systemClock,
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted === true) {
        resolve();
        return;
      }
      const end = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      signal?.addEventListener("abort", end, { once: true });
    }),
};
