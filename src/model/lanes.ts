/** Runs work when a lane is free; while it waits, `signal` calls it off with its reason. */
export type Lanes = <T>(signal: AbortSignal, work: () => Promise<T>) => Promise<T>;

/** At most `most` pieces of work at once; the others wait in the order in which they came. */
export function openLanes(most: number): Lanes {
  let free = most;
  const waiting: (() => void)[] = [];
  const enter = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const go = (): void => {
        signal.removeEventListener("abort", leave);
        resolve();
      };
      const leave = (): void => {
        waiting.splice(waiting.indexOf(go), 1);
        reject(signal.reason);
      };
      signal.addEventListener("abort", leave, { once: true });
      waiting.push(go);
    });
  return async (signal, work) => {
    signal.throwIfAborted();
    if (free > 0) free -= 1;
    else await enter(signal);
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
}
