/** Lines on their way into one file. */
export interface LineQueue {
  /** Queues a value as one line of JSON. Lines that come while others are being written go out together with the next. */
  add(value: unknown): void;
  /** Resolves when every line so far is written; rejects with the first failure. */
  settled(): Promise<void>;
}

const encoder = new TextEncoder();

/**
 * Writes lines in their order, without making the writer wait: opening a file for each costs more than an episode's own work.
 * A failed write is told by the next `settled`, and nothing is written after it.
 */
export function lineQueue(append: (data: Uint8Array) => Promise<void>): LineQueue {
  let waiting: string[] = [];
  let writing: Promise<void> = Promise.resolve();
  let busy = false;

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      const lines = waiting.join("");
      waiting = [];
      await append(encoder.encode(lines));
    }
  }

  return {
    add(value) {
      waiting.push(`${JSON.stringify(value)}\n`);
      if (busy) return;
      busy = true;
      writing = writing.then(drain).then(() => {
        busy = false;
      });
      // The failure is told by settled(); here it must only not count as unhandled.
      writing.catch(() => undefined);
    },
    settled: () => writing,
  };
}
