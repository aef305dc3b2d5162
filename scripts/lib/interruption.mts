import { constants } from "node:os";

import { say } from "./report.mts";

/**
 * Aborts at the first SIGINT, SIGTERM or SIGHUP, or when the time is up; the reason is an Error. A second signal ends this
 * process at once, with its 'exit' listeners run.
 */
export function interruption(minutes: number | undefined): AbortSignal {
  const controller = new AbortController();
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(name, () => {
      if (controller.signal.aborted) process.exit(128 + constants.signals[name]);
      say(`${name}: ending all stages`);
      controller.abort(new Error(`interrupted by ${name}`));
    });
  }
  if (minutes !== undefined) {
    const stopped = new Error(`stopped after ${minutes} minutes`);
    setTimeout(() => controller.abort(stopped), minutes * 60_000).unref();
  }
  return controller.signal;
}
