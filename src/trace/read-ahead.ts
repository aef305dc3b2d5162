import type { TraceFiles } from "./ports.ts";

/** Bytes that are read at once. */
const BLOCK = 512 * 1024;

/**
 * These files for a reader that goes through one file from front to back in small pieces: a piece comes from the block that was read last
 * where it lies in it. A file that others rewrite meanwhile needs a reader of its own.
 */
export function readAhead(files: TraceFiles): TraceFiles {
  let block: { readonly path: string; readonly offset: number; readonly bytes: Uint8Array } | undefined;
  return {
    ...files,
    async read(path, offset, length) {
      const at = block?.path === path ? offset - block.offset : -1;
      if (block !== undefined && at >= 0 && at + length <= block.bytes.length)
        return block.bytes.subarray(at, at + length);
      const bytes = await files.read(path, offset, Math.max(length, BLOCK));
      block = { path, offset, bytes };
      return bytes.subarray(0, length);
    },
  };
}
