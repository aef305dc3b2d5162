import type { Interpreter } from "./interpreter-pool.ts";

/** Interpreters that are started ahead of their order: one for each place, once its last one has begun. */
export interface SpareInterpreters {
  take(place: number): Interpreter;
  close(): Promise<void>;
}

interface Spare {
  readonly interpreter: Interpreter;
  hasEnded: boolean;
}

/** `startOne`: may throw where the system has no room for another one. */
export function spareInterpreters(startOne: (place: number) => Interpreter): SpareInterpreters {
  const spares = new Map<number, Spare>();
  let isClosed = false;

  function prepare(place: number): void {
    if (isClosed) return;
    try {
      const spare: Spare = { interpreter: startOne(place), hasEnded: false };
      void spare.interpreter.ended.then(() => (spare.hasEnded = true));
      spares.set(place, spare);
    } catch {
      // The next order starts one, or says why it cannot.
    }
  }

  return {
    take(place) {
      const spare = spares.get(place);
      spares.delete(place);
      const interpreter = spare === undefined || spare.hasEnded ? startOne(place) : spare.interpreter;
      return {
        ...interpreter,
        run(order) {
          interpreter.run(order);
          prepare(place);
        },
      };
    },
    async close() {
      isClosed = true;
      const left = [...spares.values()].map(({ interpreter }) => interpreter);
      spares.clear();
      for (const interpreter of left) interpreter.stop("stopped");
      await Promise.all(left.map(async ({ ended }) => await ended));
    },
  };
}
