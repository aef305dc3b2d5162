import { usedMemory, type LinearMemory, type RealmImage } from "./realm-image.ts";

/**
 * The memory of a realm at one moment. QuickJS keeps all its state there, so a realm whose memory is restored knows nothing of what
 * happened since. Take and restore it only while no call is under way in the realm.
 */
export interface MemorySnapshot {
  restore(): void;
}

/** Whether all words from `start` to `end` are 0. One test for all of them: a loop that may end early is slower. */
function isZero(words: Int32Array, start: number, end: number): boolean {
  let any = 0;
  for (let i = start; i < end; i++) any |= words[i] ?? 0;
  return any === 0;
}

/** Words that are looked at together: most of a memory was never used. */
const BLOCK = 4096;
const WORD_BYTES = 4;

/** The end of the bytes that are not zero, rounded up to a block. */
function usedBytes(buffer: ArrayBuffer): number {
  const words = new Int32Array(buffer);
  let end = words.length;
  while (end > 0 && isZero(words, end - BLOCK, end)) end -= BLOCK;
  return end * WORD_BYTES;
}

/** QuickJS was linked with its static data first, then C's stack (5 MiB, growing downwards), then the heap. */
const STATIC_BYTES = 256 * 1024;
/** Bytes at either end of the stack's unused part that are restored all the same. */
const EDGE_BYTES = 256 * 1024;

type Range = readonly [start: number, end: number];

/**
 * The parts of a memory that a snapshot keeps: all but the part of C's stack that was never used, the zeros that begin beside the static
 * data. Zeros of the heap are kept, however many: they may be a list of a PF.
 */
export function keptRanges(bytes: Uint8Array): readonly Range[] {
  const words = new Int32Array(bytes.buffer, bytes.byteOffset, Math.floor(bytes.length / WORD_BYTES));
  const blockIsZero = (at: number): boolean => isZero(words, at, Math.min(at + BLOCK, words.length));
  let to = STATIC_BYTES / WORD_BYTES;
  while (to < words.length && blockIsZero(to)) to += BLOCK;
  const start = STATIC_BYTES + EDGE_BYTES;
  const end = to * WORD_BYTES - EDGE_BYTES;
  if (end <= start || to >= words.length) return [[0, bytes.length]];
  return [
    [0, start],
    [end, bytes.length],
  ];
}

/**
 * Restores what `keptRanges` keeps of the bytes below `end`. The allocator of QuickJS had handed out nothing above it, and nothing but C's stack is
 * between: what a PF leaves there is unreachable, as it is in memory that was freed, and is overwritten before it is used.
 */
function restoreParts(memory: LinearMemory, parts: readonly Part[]): void {
  // The buffer is another one once the memory has grown.
  const now = new Uint8Array(memory.buffer);
  for (const { start, bytes } of parts) now.set(bytes, start);
}

interface Part {
  /** Byte address in the memory. */
  readonly start: number;
  readonly bytes: Uint8Array;
}

/** Copies, so that the rest of `bytes` is not kept. */
const keptParts = (bytes: Uint8Array): readonly Part[] =>
  keptRanges(bytes).map(([start, end]) => ({ start, bytes: bytes.slice(start, end) }));

/** A snapshot of the memory as it is now. */
export function takeSnapshot(memory: LinearMemory): MemorySnapshot {
  const parts = keptParts(new Uint8Array(memory.buffer, 0, usedBytes(memory.buffer)));
  return { restore: () => restoreParts(memory, parts) };
}

/** A snapshot of a memory that is what `image` says. It costs nothing before it is first restored. */
export function imageSnapshot(memory: LinearMemory, image: RealmImage): MemorySnapshot {
  let parts: readonly Part[] | undefined;
  return { restore: () => restoreParts(memory, (parts ??= keptParts(usedMemory(image)))) };
}
