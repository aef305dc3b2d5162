import type { SearchFiles } from "../trace/search-episodes.ts";
import { nodeFiles } from "./files.ts";

/** `SearchFiles` over `node:fs`. */
export function searchFiles(): SearchFiles {
  const files = nodeFiles();
  return {
    read: (path, offset, length) => files.read(path, offset, length),
    asByteText: ({ buffer, byteOffset, byteLength }) =>
      Buffer.from(buffer, byteOffset, byteLength).toString("latin1"),
  };
}
