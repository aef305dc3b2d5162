import type { Interpreter } from "./interpreter-pool.ts";

/** Interpreters that are started ahead of their order. */
export interface SpareInterpreters {
  /** Throws where the system has no room for one. */
  take(): Interpreter;
  close(): Promise<void>;
}

interface Spare {
  readonly interpreter: Interpreter;
  hasEnded: boolean;
}

/** Two start for each one that is used, up to the limit: one waits for the kernel while the other computes. */
const STARTED_BY_USE = 2;

/** `most`: interpreters that wait at once. They start when another one gets its order. `startOne`: may throw where the system has no room. */
export function spareInterpreters(most: number, startOne: () => Interpreter): SpareInterpreters {
  const spares: Spare[] = [];
  let isClosed = false;

  function prepare(): void {
    if (isClosed || spares.length >= most) return;
    try {
      const spare: Spare = { interpreter: startOne(), hasEnded: false };
      void spare.interpreter.ended.then(() => (spare.hasEnded = true));
      spares.push(spare);
    } catch {
      // The next order starts one, or says why it cannot.
    }
  }

  return {
    take() {
      const spare = spares.shift();
      const interpreter = spare === undefined || spare.hasEnded ? startOne() : spare.interpreter;
      return {
        ...interpreter,
        run(order) {
          interpreter.run(order);
          for (let n = 0; n < STARTED_BY_USE; n++) prepare();
        },
      };
    },
    async close() {
      isClosed = true;
      const left = spares.splice(0).map(({ interpreter }) => interpreter);
      for (const interpreter of left) interpreter.stop("stopped");
      await Promise.all(left.map(async ({ ended }) => await ended));
    },
  };
}
