import type { Readable } from "node:stream";

/** Reads a stream as text, up to a number of bytes; `tooMuch` is called when it has more. */
export function boundedText(
  stream: Readable,
  most: () => number,
  tooMuch: () => void = () => undefined,
): { text(): string } {
  const chunks: Buffer[] = [];
  let length = 0;
  stream.on("data", (chunk: Buffer) => {
    const room = Math.max(0, most() - length);
    length += Math.min(room, chunk.length);
    if (room > 0) chunks.push(chunk.subarray(0, room));
    if (chunk.length > room) tooMuch();
  });
  // The other end may be gone at any time.
  stream.on("error", () => undefined);
  return { text: () => Buffer.concat(chunks).toString("utf8") };
}
