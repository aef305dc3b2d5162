import { parseJson } from "../../model/read-json.ts";
import type { RemoteFrame } from "../../jobs/remote/ports.ts";

const NEWLINE = 10;

/** Reads the frames of a reply from bytes as they arrive. Everything before the line `begin` is of the shell there, and is left out. */
export function frameReader(begin: string): {
  readonly hasBegun: () => boolean;
  add(bytes: Buffer): readonly RemoteFrame[];
} {
  let [pieces, held]: [Buffer[], number] = [[], 0];
  let hasBegun = false;
  let header: Readonly<Record<string, unknown>> | undefined;
  let wanted = 0;

  function all(): Buffer {
    const whole = pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces);
    pieces = [whole];
    return whole;
  }

  function take(length: number): Buffer {
    const whole = all();
    [pieces, held] = [[whole.subarray(length)], held - length];
    return whole.subarray(0, length);
  }

  /** The next line without its end; undefined until it is whole. */
  function line(): string | undefined {
    const at = all().indexOf(NEWLINE);
    return at < 0
      ? undefined
      : take(at + 1)
          .toString("utf8")
          .trimEnd();
  }

  function next(): RemoteFrame | undefined {
    while (!hasBegun) {
      const text = line();
      if (text === undefined) return undefined;
      hasBegun = text === begin;
    }
    if (header === undefined) {
      const text = line();
      if (text === undefined) return undefined;
      const value = parseJson(text);
      header = typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
      wanted = Number(header["bytes"] ?? 0);
    }
    if (held < wanted) return undefined;
    const frame = { header, body: take(wanted) };
    header = undefined;
    return frame;
  }

  return {
    hasBegun: () => hasBegun,
    add(bytes) {
      pieces.push(bytes);
      held += bytes.length;
      const frames: RemoteFrame[] = [];
      // A piece of a large body completes nothing.
      if (header !== undefined && held < wanted) return frames;
      for (let frame = next(); frame !== undefined; frame = next()) frames.push(frame);
      return frames;
    },
  };
}
