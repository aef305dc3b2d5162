import { parseJson } from "../../model/read-json.ts";
import { ReplyError, type RemoteFrame } from "../../jobs/remote/ports.ts";
import { shown } from "../../jobs/remote/replies.ts";
import { LEAST_OF_FRAME, MOST_BANNER, MOST_BODY, MOST_HEADER } from "../../jobs/remote/reply-limits.ts";

const NEWLINE = 10;

type Header = Readonly<Record<string, unknown>>;

/** Bytes that wait to be read. */
class Buffered {
  private pieces: Buffer[] = [];
  size = 0;

  add(bytes: Buffer): void {
    this.pieces.push(bytes);
    this.size += bytes.length;
  }

  private whole(): Buffer {
    const [first] = this.pieces;
    const all = this.pieces.length === 1 && first !== undefined ? first : Buffer.concat(this.pieces);
    this.pieces = [all];
    return all;
  }

  take(length: number): Buffer {
    const all = this.whole();
    [this.pieces, this.size] = [[all.subarray(length)], this.size - length];
    return all.subarray(0, length);
  }

  /** Bytes of the next line with its end; undefined until it is whole. */
  lineLength(): number | undefined {
    const at = this.whole().indexOf(NEWLINE);
    return at < 0 ? undefined : at + 1;
  }
}

function headerOf(line: Buffer): Header {
  const text = line.toString("utf8").trimEnd();
  const value = parseJson(text);
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Header;
  throw new ReplyError("form", `it sent ${shown(text)} for the header of a frame`);
}

function bodyLength(header: Header): number {
  const { bytes = 0 } = header;
  if (typeof bytes !== "number" || !Number.isSafeInteger(bytes) || bytes < 0)
    throw new ReplyError("form", `it sent a frame of ${shown(bytes)} bytes`);
  if (bytes > MOST_BODY) throw tooLarge("the body of a frame", MOST_BODY);
  return bytes;
}

const tooLarge = (what: string, most: number): ReplyError =>
  new ReplyError("size", `${what} has more than ${most.toLocaleString("en")} bytes`);

/**
 * Reads the frames of a reply of at most `most` bytes as they arrive. Everything before the line `begin` is of the shell there, and is left out.
 * `add` throws a ReplyError for what is no frame, and for what is larger than a frame or a reply may be.
 */
export function frameReader(
  begin: string,
  most: number,
): {
  readonly hasBegun: () => boolean;
  add(bytes: Buffer): readonly RemoteFrame[];
} {
  const waiting = new Buffered();
  let hasBegun = false;
  let [before, read] = [0, 0];
  let header: Header | undefined;

  function skip(length: number): Buffer {
    before += length;
    if (before > MOST_BANNER) throw tooLarge("what its shell writes before the reply", MOST_BANNER);
    return waiting.take(length);
  }

  /** Leaves out lines of the shell; true once the reply has begun. */
  function begun(): boolean {
    while (!hasBegun) {
      const length = waiting.lineLength();
      // No line of this length is the one that is looked for.
      if (length === undefined && waiting.size > MOST_HEADER) skip(waiting.size);
      if (length === undefined) return false;
      hasBegun = skip(length).toString("utf8").trimEnd() === begin;
    }
    return true;
  }

  function count(length: number): void {
    read += length;
    if (read > most) throw tooLarge("its reply", most);
  }

  function nextHeader(): Header | undefined {
    const length = waiting.lineLength();
    if ((length ?? waiting.size) > MOST_HEADER) throw tooLarge("the header of a frame", MOST_HEADER);
    if (length === undefined) return undefined;
    count(Math.max(length, LEAST_OF_FRAME));
    return headerOf(waiting.take(length));
  }

  function next(): RemoteFrame | undefined {
    header ??= nextHeader();
    if (header === undefined) return undefined;
    const length = bodyLength(header);
    if (waiting.size < length) return undefined;
    count(length);
    const frame = { header, body: waiting.take(length) };
    header = undefined;
    return frame;
  }

  return {
    hasBegun: () => hasBegun,
    add(bytes) {
      waiting.add(bytes);
      const frames: RemoteFrame[] = [];
      if (!begun()) return frames;
      for (let frame = next(); frame !== undefined; frame = next()) frames.push(frame);
      return frames;
    },
  };
}
