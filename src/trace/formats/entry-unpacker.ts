import { Inflate } from "fflate";
import type { OpenZstdFrame } from "../ports.ts";
import { zstdFeeder } from "../zstd.ts";
import { DEFLATE, type LocalHeader, ZSTANDARD } from "./zip-header.ts";

/** Largest entry that is unpacked: 256 MiB, as for a document by itself. */
export const MAX_ENTRY_BYTES = 256 * 1024 * 1024;
/**
 * An entry may unpack to so many times its packed bytes. Deflate reaches 1,032 on one repeated character; a log in which the same messages
 * come again and again stays below 150. Zstandard finds what repeats megabytes later, and reaches 30,000.
 */
const MAX_RATIOS = { deflate: 250, zstd: 5_000 } as const;
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
  push(packed: Uint8Array): Promise<void>;
  /** The text so far, of an entry that the archive breaks off in. */
  cut(): string | undefined;
  /** After the last byte: the text, or why there is none. */
  end(): Promise<{ readonly text: string | undefined; readonly why?: string }>;
}

/** A way to unpack: both functions answer with what is wrong with the bytes. */
interface Method {
  push(packed: Uint8Array): Promise<string | undefined> | string | undefined;
  end(): Promise<string | undefined> | string | undefined;
  /** Gives up. */
  close?(): void;
}

type Take = (data: Uint8Array) => void;

function stored(take: Take): Method {
  return {
    push(packed) {
      take(packed);
      return undefined;
    },
    end: () => undefined,
  };
}

function deflated(take: Take): Method {
  const inflate = new Inflate(take);
  const guarded = (data: Uint8Array, isLast: boolean, why: string): string | undefined => {
    try {
      inflate.push(data, isLast);
      return undefined;
    } catch {
      return why;
    }
  };
  return {
    push: (packed) => guarded(packed, false, "its compressed bytes are damaged"),
    end: () => guarded(new Uint8Array(0), true, "its compressed bytes break off"),
  };
}

function methodOf({ method }: LocalHeader, zstd: OpenZstdFrame | undefined, take: Take): Method {
  if (method === DEFLATE) return deflated(take);
  return method === ZSTANDARD && zstd !== undefined ? zstdFeeder(zstd, take) : stored(take);
}

/** `zstd`: there for an entry that is packed with it (`refusal`). */
export function entryUnpacker(header: LocalHeader, zstd: OpenZstdFrame | undefined): EntryUnpacker {
  const decoder = new TextDecoder();
  const { declaredBytes } = header;
  const ratio = header.method === ZSTANDARD ? MAX_RATIOS.zstd : MAX_RATIOS.deflate;
  let text = "";
  let bytes = 0;
  let packed = 0;
  let problem: string | undefined;

  function stop(why: string | undefined): void {
    if (why === undefined) return;
    problem ??= why;
    text = "";
    method.close?.();
  }
  function take(data: Uint8Array): void {
    if (problem !== undefined) return;
    bytes += data.length;
    if (bytes > MAX_ENTRY_BYTES) stop(`it unpacks to more than ${MAX_ENTRY_BYTES / 1024 / 1024} MiB`);
    else if (bytes > RATIO_FROM_BYTES && bytes > ratio * packed)
      stop(`it unpacks to more than ${ratio} times its size in the archive`);
    else text += decoder.decode(data, { stream: true });
  }
  const method = methodOf(header, zstd, take);

  return {
    get bytes() {
      return bytes;
    },
    get problem() {
      return problem;
    },
    async push(data) {
      for (let at = 0; at < data.length && problem === undefined; at += SLICE) {
        const slice = data.subarray(at, at + SLICE);
        packed += slice.length;
        stop(await method.push(slice));
      }
    },
    cut: () => (problem === undefined ? text : undefined),
    async end() {
      if (problem === undefined) stop(await method.end());
      if (declaredBytes !== undefined && declaredBytes !== bytes)
        stop(`the archive says that it has ${declaredBytes} bytes, and it has ${bytes}`);
      return problem === undefined ? { text: text + decoder.decode() } : { text: undefined, why: problem };
    },
  };
}
