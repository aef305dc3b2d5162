import { describe, expect, it } from "vitest";
import { keptRanges, takeSnapshot } from "../../../src/sandbox/memory-snapshot.ts";
import { newMemory } from "../../../src/sandbox/realm-image.ts";

const KIB = 1024;
const MIB = 1024 * KIB;

/** Static data, an unused stack, and a heap with many zeros in it. */
function laidOut(): Uint8Array {
  const bytes = new Uint8Array(12 * MIB);
  for (const at of [80 * KIB, 5 * MIB, 12 * MIB - 1]) bytes[at] = 1;
  return bytes;
}

describe("a snapshot of a memory", () => {
  it("keeps all of it but the unused stack, zeros of the heap too", () => {
    expect(keptRanges(laidOut())).toEqual([
      [0, 512 * KIB],
      [5 * MIB - 256 * KIB, 12 * MIB],
    ]);
  });

  it("keeps all of one that is laid out otherwise", () => {
    expect(keptRanges(laidOut().fill(1, 300 * KIB, 301 * KIB))).toEqual([[0, 12 * MIB]]);
    expect(keptRanges(new Uint8Array(400 * KIB))).toEqual([[0, 400 * KIB]]);
  });

  it("brings back what was there, zeros too", () => {
    const memory = newMemory();
    const now = (): Uint8Array => new Uint8Array(memory.buffer);
    now().set(laidOut());
    const before = takeSnapshot(memory);
    now().fill(9, 0, 500 * KIB);
    now().fill(9, 5 * MIB - 200 * KIB, 12 * MIB);
    before.restore();
    expect(Buffer.compare(now().subarray(0, 12 * MIB), laidOut())).toBe(0);
  });
});
