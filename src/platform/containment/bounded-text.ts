import type { Readable } from "node:stream";

/** Reads a stream as text, up to a number of bytes; `tooMuch` is called once where it has more. */
export function boundedText(stream: Readable, bytes: () => number, tooMuch: () => void): { text(): string } {
  const chunks: Buffer[] = [];
  let length = 0;
  stream.on("data", (chunk: Buffer) => {
    const room = bytes() - length;
    if (room < 0) return;
    length += chunk.length;
    chunks.push(chunk.length > room ? chunk.subarray(0, room) : chunk);
    if (length > bytes()) tooMuch();
  });
  // The other end may be gone at any time.
  stream.on("error", () => undefined);
  return { text: () => Buffer.concat(chunks).toString("utf8") };
}
