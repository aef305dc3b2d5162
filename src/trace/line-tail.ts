import type { TraceFiles } from "./ports.ts";
import { MAX_LINE_BYTES } from "./text-lines.ts";

const NEWLINE = 10;
/** Bytes that are read at a time, so that a large file is worked on in slices. */
const SLICE_BYTES = 1024 * 1024;

/** `restarted`: the file is shorter than what was read of it, so it is another one, read from its beginning. */
export type Tailed = "absent" | "same" | "grew" | "restarted";

/** A file of lines that somebody else appends to. */
export interface LineTail {
  /**
   * Hands over every line that was completed since, without its newline, one after the other. A last line without its newline is
   * waited for; one over `MAX_LINE_BYTES` is left out. Calls must not overlap.
   */
  poll(onLine: (line: Uint8Array) => void, onRestart?: () => void): Promise<Tailed>;
  /** Reads from the beginning with the next call. */
  rewind(): void;
}

/** Reads only what was appended since the last look. */
export function lineTail(files: Pick<TraceFiles, "stat" | "read">, path: string): LineTail {
  let offset = 0;
  let carry: Uint8Array[] = [];
  let held = 0;

  function rewind(): void {
    offset = 0;
    carry = [];
    held = 0;
  }

  function hold(piece: Uint8Array): void {
    held += piece.length;
    if (held <= MAX_LINE_BYTES && piece.length > 0) carry.push(piece);
  }

  function cut(slice: Uint8Array, onLine: (line: Uint8Array) => void): void {
    let from = 0;
    for (let at = slice.indexOf(NEWLINE); at !== -1; at = slice.indexOf(NEWLINE, from)) {
      hold(slice.subarray(from, at));
      if (held > 0 && held <= MAX_LINE_BYTES) onLine(joined(carry));
      carry = [];
      held = 0;
      from = at + 1;
    }
    hold(slice.subarray(from));
  }

  return {
    rewind,
    async poll(onLine, onRestart) {
      const stat = await files.stat(path);
      if (stat === undefined) return "absent";
      const isAnother = stat.size < offset;
      if (isAnother) {
        rewind();
        onRestart?.();
      } else if (stat.size === offset) return "same";
      while (offset < stat.size) {
        const slice = await files.read(path, offset, Math.min(SLICE_BYTES, stat.size - offset));
        if (slice.length === 0) break;
        offset += slice.length;
        cut(slice, onLine);
      }
      return isAnother ? "restarted" : "grew";
    },
  };
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const [only] = pieces;
  if (pieces.length === 1 && only !== undefined) return only;
  const whole = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
