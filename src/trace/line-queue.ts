import { utf8Chunks } from "./utf8-chunks.ts";

/** Lines on their way into one file. */
export interface LineQueue {
  /** Whether a write has begun, so that there may be a file. */
  readonly begun: boolean;
  /** Characters of the texts that wait. */
  readonly waiting: number;
  /** Queues a value as one line of JSON; it must not change afterwards. Lines that come until the next write go out together. */
  add(value: unknown): void;
  /** The same for a value that is JSON already. */
  addText(json: string): void;
  /** Queues a blank line, which says nothing but that the writer lives. */
  beat(): void;
  /** Writes now. Resolves when every line so far is written; rejects with the first failure. */
  settled(): Promise<void>;
  /** Forgets the lines that wait. */
  drop(): void;
}

/** Milliseconds that a line waits for others, and the most by which a file lags behind: who follows it by eye does not notice. */
const PAUSE_MS = 200;

/**
 * Writes lines in their order, without making the writer wait: opening a file for each costs more than an episode's own work, and
 * with many episodes at once most of the machine. What is dropped before its pause is over never touches the disk.
 * A failed write is told by the next `settled`, and nothing is written after it.
 */
export function lineQueue(append: (data: Uint8Array) => Promise<void>): LineQueue {
  /** Values as they were given, JSON as a text of its own kind, `undefined` for a blank line. */
  let waiting: unknown[] = [];
  let characters = 0;
  /** The last write, begun or not. */
  let last: Promise<void> = Promise.resolve();
  /** The write that has not begun: it takes whatever waits by then. */
  let next: Promise<void> | undefined;
  let pause: ReturnType<typeof setTimeout> | undefined;
  let begun = false;

  async function write(): Promise<void> {
    next = undefined;
    const lines = waiting;
    forget();
    if (lines.length === 0) return;
    begun = true;
    for (const chunk of utf8Chunks(textsOf(lines))) await append(chunk);
  }

  function forget(): void {
    waiting = [];
    characters = 0;
  }

  function endPause(): void {
    clearTimeout(pause);
    pause = undefined;
  }

  function flush(): Promise<void> {
    endPause();
    if (next !== undefined) return next;
    last = last.then(write);
    // settled() reports the failure; this keeps it from counting as unhandled.
    last.catch(() => undefined);
    next = last;
    return next;
  }

  function put(value: unknown): void {
    waiting.push(value);
    if (next === undefined) pause ??= setTimeout(() => void flush().catch(() => undefined), PAUSE_MS);
  }

  return {
    get begun() {
      return begun;
    },
    get waiting() {
      return characters;
    },
    add: put,
    addText(json) {
      characters += json.length;
      put(new JsonText(json));
    },
    beat: () => put(undefined),
    settled: () => (waiting.length > 0 ? flush() : last),
    drop() {
      endPause();
      forget();
    },
  };
}

/** A value that is JSON already. */
class JsonText {
  readonly json: string;

  constructor(json: string) {
    this.json = json;
  }
}

/** Each made when it is its turn: all of them as texts would take their memory at once. */
function* textsOf(values: readonly unknown[]): Generator<string> {
  for (const value of values) yield lineOf(value);
}

function lineOf(value: unknown): string {
  if (value === undefined) return "\n";
  return `${value instanceof JsonText ? value.json : JSON.stringify(value)}\n`;
}
