import { usedMemory, type LinearMemory, type RealmImage } from "./realm-image.ts";

/**
 * The memory of a realm at one moment. QuickJS keeps all its state there, so a realm whose memory is restored knows nothing of what
 * happened since. Take and restore it only while no call is under way in the realm.
 */
export interface MemorySnapshot {
  restore(): void;
}

/** Words that are looked at together: most of a memory was never used. */
const STRIDE = 8;

/** The end of the bytes that are not zero, rounded up to a stride. */
function usedBytes(buffer: ArrayBuffer): number {
  const words = new Int32Array(buffer);
  let end = words.length;
  for (; end > 0; end -= STRIDE) {
    let any = 0;
    for (let i = end - STRIDE; i < end; i++) any |= words[i] ?? 0;
    if (any !== 0) break;
  }
  return end * 4;
}

/**
 * Restores all bytes below `end`. The allocator of QuickJS had handed out none above it: what a PF leaves there is unreachable, as it is
 * in memory that was freed, and is overwritten before it is used.
 */
function snapshotOf(memory: LinearMemory, bytesOf: () => Uint8Array): MemorySnapshot {
  let bytes: Uint8Array | undefined;
  return {
    restore() {
      bytes ??= bytesOf();
      // The buffer is another one once the memory has grown.
      new Uint8Array(memory.buffer).set(bytes);
    },
  };
}

/** A snapshot of the memory as it is now. */
export function takeSnapshot(memory: LinearMemory): MemorySnapshot {
  const bytes = new Uint8Array(memory.buffer.slice(0, usedBytes(memory.buffer)));
  return snapshotOf(memory, () => bytes);
}

/** A snapshot of a memory that is what `image` says. It costs nothing before it is first restored. */
export function imageSnapshot(memory: LinearMemory, image: RealmImage): MemorySnapshot {
  return snapshotOf(memory, () => usedMemory(image));
}
