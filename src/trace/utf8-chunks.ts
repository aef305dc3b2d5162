const encoder = new TextEncoder();

/** Bytes of the first chunk, and of the largest: most texts are short, and a file takes fewer writes in large ones. */
const FIRST = 16 * 1024;
const LARGEST = 1024 * 1024;

/**
 * The bytes of texts one after the other, in chunks that are the caller's. Made into one text and encoded as that they would take three times
 * as long, and their memory once more. No text may end within a character.
 */
export function* utf8Chunks(texts: Iterable<string>): Generator<Uint8Array> {
  let chunk = new Uint8Array(FIRST);
  let used = 0;
  for (const text of texts)
    for (let rest = text; rest !== "";) {
      const { read, written } = encoder.encodeInto(rest, chunk.subarray(used));
      used += written;
      if (read === rest.length) break;
      // What is left has no room for the next character.
      yield chunk.subarray(0, used);
      chunk = new Uint8Array(Math.min(chunk.length * 4, LARGEST));
      used = 0;
      rest = rest.slice(read);
    }
  if (used > 0) yield chunk.subarray(0, used);
}
