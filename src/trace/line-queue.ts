/** Lines on their way into one file. */
export interface LineQueue {
  /** Queues a value as one line of JSON. Lines that come during a write and the pause after it go out together. */
  add(value: unknown): void;
  /** Queues a blank line, which says nothing but that the writer lives. */
  beat(): void;
  /** Resolves when every line so far is written; rejects with the first failure. */
  settled(): Promise<void>;
}

const encoder = new TextEncoder();

/** Milliseconds between two writes, and the most by which a file lags behind: who follows it by eye does not notice. */
const PAUSE_MS = 200;

/**
 * Writes lines in their order, without making the writer wait: opening a file for each costs more than an episode's own work, and
 * with many episodes at once most of the machine. The first line goes out at once.
 * A failed write is told by the next `settled`, and nothing is written after it.
 */
export function lineQueue(append: (data: Uint8Array) => Promise<void>): LineQueue {
  let waiting: string[] = [];
  let writing: Promise<void> = Promise.resolve();
  let busy = false;
  let pause: ReturnType<typeof setTimeout> | undefined;

  async function write(): Promise<void> {
    const lines = waiting.join("");
    waiting = [];
    await append(encoder.encode(lines));
  }

  function begin(): void {
    busy = true;
    writing = writing.then(write).then(rest);
    // The failure is told by settled(); here it must only not count as unhandled.
    writing.catch(() => undefined);
  }

  function rest(): void {
    busy = false;
    pause = setTimeout(() => {
      pause = undefined;
      if (waiting.length > 0) begin();
    }, PAUSE_MS);
  }

  function endPause(): void {
    clearTimeout(pause);
    pause = undefined;
  }

  function put(line: string): void {
    waiting.push(line);
    if (!busy && pause === undefined) begin();
  }

  return {
    add: (value) => put(`${JSON.stringify(value)}\n`),
    beat: () => put("\n"),
    async settled() {
      await writing;
      while (waiting.length > 0) {
        endPause();
        if (!busy) begin();
        await writing;
      }
      endPause();
    },
  };
}
