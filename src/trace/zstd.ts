import type { OpenZstdFrame, ZstdFrame } from "./ports.ts";

const MAGIC = 0xfd2fb528;
const MAGIC_BYTES = Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd);
/** Sixteen marks begin frames that hold no data. */
const SKIPPABLE = 0x184d2a5;
const REPEATED_BLOCK = 1;
const RESERVED_BLOCK = 3;
const DICTIONARY_BYTES = [0, 1, 2, 4] as const;
const SIZE_BYTES = [0, 2, 4, 8] as const;
/** A writer begins a frame every 200 MiB. */
const MAX_FRAMES = 2_000;
const DAMAGED = "its compressed bytes are damaged";
/** Packed bytes that are unpacked at a time. */
const SLICE = 64 * 1024;

/** The bytes begin a file that is packed with Zstandard. */
export function isZstd(head: Uint8Array): boolean {
  return MAGIC_BYTES.every((byte, at) => head[at] === byte);
}

/** What the next bytes of a stream of frames are. */
type Part = "magic" | "skippedSize" | "skipped" | "descriptor" | "header" | "block" | "body" | "checksum";

/** Tells the frames of a stream apart by their headers (RFC 8878). */
function frameScanner() {
  let part: Part = "magic";
  let needed = 4;
  let held: number[] = [];
  let hasChecksum = false;
  let isLast = false;
  let problem: string | undefined;

  function go(to: Part, count: number): void {
    part = to;
    needed = count;
    held = [];
  }
  function afterMagic(magic: number): void {
    if (magic === MAGIC) go("descriptor", 1);
    else if (Math.floor(magic / 16) === SKIPPABLE) go("skippedSize", 4);
    else problem = DAMAGED;
  }
  function afterDescriptor(descriptor: number): void {
    const isSingle = (descriptor & 0x20) !== 0;
    hasChecksum = (descriptor & 4) !== 0;
    const size = SIZE_BYTES[(descriptor >> 6) as 0 | 1 | 2 | 3] || (isSingle ? 1 : 0);
    go("header", (isSingle ? 0 : 1) + DICTIONARY_BYTES[(descriptor & 3) as 0 | 1 | 2 | 3] + size);
  }
  function afterBlockHeader(header: number): void {
    const type = (header >> 1) & 3;
    isLast = (header & 1) !== 0;
    if (type === RESERVED_BLOCK) problem = DAMAGED;
    else go("body", type === REPEATED_BLOCK ? 1 : header >> 3);
  }
  /** After the last byte of a part. */
  function complete(): void {
    const number = held.reduceRight((sum, byte) => sum * 256 + byte, 0);
    if (part === "magic") afterMagic(number);
    else if (part === "skippedSize") go("skipped", number);
    else if (part === "descriptor") afterDescriptor(number);
    else if (part === "block") afterBlockHeader(number);
    else if (part === "header" || (part === "body" && !isLast)) go("block", 3);
    else if (part === "body" && hasChecksum) go("checksum", 4);
    else go("magic", 4);
    if (needed === 0 && problem === undefined) complete();
  }
  return {
    get problem() {
      return problem;
    },
    /** The last byte was one of a frame that holds data, and more of it follow. */
    get isInFrame() {
      return part !== "magic" && part !== "skipped" && part !== "skippedSize";
    },
    /** Nothing has begun that has not ended. */
    get isBetween() {
      return part === "magic" && held.length === 0;
    },
    /** Takes the rest of a part, as far as it is there. Answers where the next one begins. */
    step(data: Uint8Array, at: number): number {
      const end = Math.min(at + needed, data.length);
      if (part !== "body" && part !== "skipped") held.push(...data.subarray(at, end));
      needed -= end - at;
      if (needed === 0) complete();
      return end;
    },
  };
}

/** Unpacks a stream of frames as it comes. */
export interface ZstdFeeder {
  /** Answers with what is wrong with the stream, as a clause for a message. */
  push(packed: Uint8Array): Promise<string | undefined>;
  /** After the last byte. */
  end(): Promise<string | undefined>;
  /** Gives up; nothing is taken after it. */
  close(): void;
}

/** `take` gets what comes of all frames, in order. */
export function zstdFeeder(open: OpenZstdFrame, take: (data: Uint8Array) => void): ZstdFeeder {
  const scanner = frameScanner();
  let frame: ZstdFrame | undefined;
  let frames = 0;
  const state: { isClosed: boolean; problem: string | undefined } = { isClosed: false, problem: undefined };

  async function pushSlice(data: Uint8Array): Promise<void> {
    let from = 0;
    for (let at = 0; at < data.length && scanner.problem === undefined && !state.isClosed;) {
      const wasIn = scanner.isInFrame;
      at = scanner.step(data, at);
      if (!wasIn && scanner.isInFrame) {
        if (++frames > MAX_FRAMES) throw new RangeError(`it has more than ${MAX_FRAMES} frames`);
        frame = open(take);
        await frame.push(MAGIC_BYTES);
        from = at;
      } else if (wasIn && !scanner.isInFrame) {
        await frame?.push(data.subarray(from, at));
        await frame?.end();
      }
    }
    if (scanner.isInFrame && !state.isClosed) await frame?.push(data.subarray(from));
    state.problem = scanner.problem;
  }
  return {
    async push(packed) {
      try {
        for (let at = 0; at < packed.length && state.problem === undefined && !state.isClosed; at += SLICE)
          await pushSlice(packed.subarray(at, at + SLICE));
      } catch (error) {
        state.problem = error instanceof RangeError ? error.message : DAMAGED;
      }
      return state.problem;
    },
    async end() {
      return state.problem ?? (scanner.isBetween ? undefined : "its compressed bytes break off");
    },
    close() {
      state.isClosed = true;
      frame?.close();
    },
  };
}

/** Most bytes that one file may unpack to: 8 GiB. They are unpacked piece by piece. */
const MAX_FILE_BYTES = 8 * 1024 * 1024 * 1024;

/**
 * What the bytes of a packed file unpack to, piece by piece. Where they are damaged it ends with what came before, and `tell` gets the
 * reason as a clause for a message.
 */
export async function* unpackedChunks(
  chunks: AsyncIterable<Uint8Array>,
  open: OpenZstdFrame,
  tell: (why: string) => void,
): AsyncGenerator<Uint8Array> {
  let pieces: Uint8Array[] = [];
  let bytes = 0;
  const feeder = zstdFeeder(open, (data) => {
    bytes += data.length;
    if (bytes > MAX_FILE_BYTES) feeder.close();
    else pieces.push(data);
  });
  try {
    for await (const chunk of chunks)
      for (let at = 0; at < chunk.length; at += SLICE) {
        const why = await feeder.push(chunk.subarray(at, at + SLICE));
        yield* pieces.splice(0);
        if (why !== undefined) return tell(why);
        if (bytes > MAX_FILE_BYTES) return tell(`it unpacks to more than ${MAX_FILE_BYTES / 1024 ** 3} GiB`);
      }
    const why = await feeder.end();
    if (why !== undefined) tell(why);
  } finally {
    pieces = [];
    feeder.close();
  }
}
