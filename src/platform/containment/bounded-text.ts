import type { Readable } from "node:stream";
import { growingBytes } from "./growing-bytes.ts";

/** Reads a stream as text, up to a number of bytes; `tooMuch` is called when it has more. */
export function boundedText(
  stream: Readable,
  most: () => number,
  tooMuch: () => void = () => undefined,
): { text(): string } {
  const bytes = growingBytes();
  stream.on("data", (chunk: Buffer) => {
    const room = Math.max(0, most() - bytes.length);
    bytes.push(chunk.subarray(0, room));
    if (chunk.length > room) tooMuch();
  });
  // The other end may be gone at any time.
  stream.on("error", () => undefined);
  return { text: () => bytes.text() };
}
