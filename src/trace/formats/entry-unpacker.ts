import { Inflate } from "fflate";
import type { LocalHeader } from "./zip-header.ts";

/** Largest entry that is unpacked: 256 MiB, as for a document by itself. */
export const MAX_ENTRY_BYTES = 256 * 1024 * 1024;
/**
 * An entry may unpack to 250 times its packed bytes. Deflate reaches 1,032 on one repeated character; a log in which the same messages
 * come again and again stays below 150.
 */
export const MAX_RATIO = 250;
/** The ratio counts from here: a short run of blanks proves nothing. */
const RATIO_FROM_BYTES = 1024 * 1024;
/** Packed bytes that are unpacked at a time, into 8 MiB at most. */
const SLICE = 8 * 1024;

/** Unpacks one entry as it comes, and stops for good at the first limit. */
export interface EntryUnpacker {
  /** Bytes unpacked so far. */
  readonly bytes: number;
  /** Why it stopped, as a clause for a message. */
  readonly problem: string | undefined;
  push(packed: Uint8Array): void;
  /** After the last byte: the text, or why there is none. */
  end(): { readonly text: string | undefined; readonly why?: string };
}

export function entryUnpacker({ method, declaredBytes }: LocalHeader): EntryUnpacker {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  let packed = 0;
  let problem: string | undefined;

  function stop(why: string): void {
    problem ??= why;
    text = "";
  }
  function take(data: Uint8Array): void {
    bytes += data.length;
    if (bytes > MAX_ENTRY_BYTES) stop(`it unpacks to more than ${MAX_ENTRY_BYTES / 1024 / 1024} MiB`);
    else if (bytes > RATIO_FROM_BYTES && bytes > MAX_RATIO * packed)
      stop(`it unpacks to more than ${MAX_RATIO} times its size in the archive`);
    else if (problem === undefined) text += decoder.decode(data, { stream: true });
  }
  const inflate = method === 8 ? new Inflate(take) : undefined;

  function pushSlice(slice: Uint8Array): void {
    packed += slice.length;
    if (inflate === undefined) take(slice);
    else {
      try {
        inflate.push(slice);
      } catch {
        stop("its compressed bytes are damaged");
      }
    }
  }
  function end(): { readonly text: string | undefined; readonly why?: string } {
    try {
      if (problem === undefined) inflate?.push(new Uint8Array(0), true);
    } catch {
      stop("its compressed bytes break off");
    }
    if (declaredBytes !== undefined && declaredBytes !== bytes)
      stop(`the archive says that it has ${declaredBytes} bytes, and it has ${bytes}`);
    return problem === undefined ? { text: text + decoder.decode() } : { text: undefined, why: problem };
  }
  return {
    get bytes() {
      return bytes;
    },
    get problem() {
      return problem;
    },
    push(data) {
      for (let at = 0; at < data.length; at += SLICE) {
        if (problem !== undefined) return;
        pushSlice(data.subarray(at, at + SLICE));
      }
    },
    end,
  };
}
