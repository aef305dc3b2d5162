import { hashText } from "../trace/hash.ts";
import type { JobFiles } from "./job-folder.ts";

type Files = Pick<JobFiles, "stat" | "read">;

const NEWLINE = 10;
/** Bytes that are read at a time. */
const SLICE_BYTES = 1024 * 1024;
/** Bytes of a line of a log that are shown. */
const SHOWN_BYTES = 64 * 1024;
const LONGEST_METRICS = SLICE_BYTES;
/** Lines of metrics that are read: each takes memory as long as the file is followed, and a trainer writes one in some seconds. */
const MOST_LINES = 200_000;

const utf8 = new TextDecoder();

/** A progress bar writes its line anew after each carriage return: the last one is what a terminal shows. */
function shownLine(text: string): string {
  const line = text.endsWith("\r") ? text.slice(0, -1) : text;
  return line.slice(line.lastIndexOf("\r") + 1);
}

/** A log that somebody else appends to. */
export interface LogTail {
  /** The lines that were completed since. Calls must not overlap. */
  lines(): AsyncGenerator<string>;
  /** The last line, which has no line break; undefined where there is none. */
  rest(): string | undefined;
}

/** Reads what is appended to a log behind its first `offset` bytes. A shorter file is another one, and is read from its beginning. */
export function logTail(files: Files, path: string, offset: number): LogTail {
  let pieces: Uint8Array[] = [];
  let held = 0;

  function hold(piece: Uint8Array): void {
    const room = Math.max(0, SHOWN_BYTES - held);
    if (room > 0 && piece.length > 0) pieces.push(piece.slice(0, room));
    held += piece.length;
  }

  function take(): string {
    const text = pieces.map((piece) => utf8.decode(piece, { stream: true })).join("") + utf8.decode();
    const more = held - SHOWN_BYTES;
    pieces = [];
    held = 0;
    return more > 0 ? `${shownLine(text)}… (${more} more bytes)` : shownLine(text);
  }

  function* cut(slice: Uint8Array): Generator<string> {
    let from = 0;
    for (let at = slice.indexOf(NEWLINE); at !== -1; at = slice.indexOf(NEWLINE, from)) {
      hold(slice.subarray(from, at));
      yield take();
      from = at + 1;
    }
    hold(slice.subarray(from));
  }

  return {
    rest: () => (held === 0 ? undefined : take()),
    async *lines() {
      const size = (await files.stat(path))?.size ?? 0;
      if (size < offset) [offset, pieces, held] = [0, [], 0];
      while (offset < size) {
        const slice = await files.read(path, offset, Math.min(SLICE_BYTES, size - offset));
        if (slice.length === 0) return;
        offset += slice.length;
        yield* cut(slice);
      }
    },
  };
}

/** A line of metrics. `line`: 1-based. `text` is undefined for one that is too long to be metrics. */
export interface TailedLine {
  readonly line: number;
  readonly text: string | undefined;
}

/** A file of metrics that a trainer appends to, and cuts back to its last checkpoint when it resumes. */
export interface MetricsTail {
  /** Lines that are new or changed since, each once. Calls must not overlap. */
  lines(): AsyncGenerator<TailedLine>;
  /** Whether the file ends in half a line. */
  endsInHalf(): boolean;
}

export function metricsTail(files: Files, path: string): MetricsTail {
  /** Hashes of the lines that were handed over, as the file held them last. */
  const seen: string[] = [];
  let index = 0;
  /** Behind the last complete line. */
  let offset = 0;
  let last: { readonly from: number; readonly hash: string } | undefined;
  let isSkipping = false;
  let half = false;

  /** A trainer that resumes may have written as much again since the last look. */
  async function isSameFile(size: number): Promise<boolean> {
    if (size < offset) return false;
    if (last === undefined) return true;
    const bytes = await files.read(path, last.from, offset - 1 - last.from);
    return hashText(utf8.decode(bytes)) === last.hash;
  }

  function rewind(): void {
    [index, offset, last, isSkipping] = [0, 0, undefined, false];
  }

  /** The line where it is new; nothing where it was handed over before. */
  function taken(text: string | undefined, from: number): TailedLine | undefined {
    const hash = text === undefined ? "" : hashText(text);
    last = text === undefined ? undefined : { from, hash };
    const isKnown = seen[index] === hash;
    if (!isKnown) seen.splice(index, seen.length, hash);
    index++;
    return isKnown ? undefined : { line: index, text };
  }

  function* cut(slice: Uint8Array): Generator<TailedLine> {
    if (index >= MOST_LINES) return;
    let from = 0;
    for (let at = slice.indexOf(NEWLINE); at !== -1; at = slice.indexOf(NEWLINE, from)) {
      if (index >= MOST_LINES) break;
      const text = isSkipping ? undefined : utf8.decode(slice.subarray(from, at));
      const line = taken(text, offset + from);
      isSkipping = false;
      from = at + 1;
      if (line !== undefined) yield line;
    }
    if (from === 0 && slice.length >= LONGEST_METRICS && index < MOST_LINES)
      [isSkipping, from] = [true, slice.length];
    half = from < slice.length || isSkipping;
    offset += from;
  }

  return {
    endsInHalf: () => half,
    async *lines() {
      const size = (await files.stat(path))?.size ?? 0;
      if (!(await isSameFile(size))) rewind();
      half = false;
      for (let before = -1; offset < size && offset > before;) {
        before = offset;
        yield* cut(await files.read(path, offset, Math.min(SLICE_BYTES, size - offset)));
      }
    },
  };
}
