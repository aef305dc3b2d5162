/** Bytes that come in chunks. They are copied: millions of small chunks would each keep a buffer of their own, of a hundred bytes and more. */
export interface GrowingBytes {
  push(chunk: Buffer): void;
  readonly length: number;
  /** As UTF-8; other bytes become U+FFFD. */
  text(): string;
  clear(): void;
}

const LEAST = 1024;
/** `clear` releases a buffer of more bytes. */
const KEPT = 65_536;

export function growingBytes(): GrowingBytes {
  let bytes = Buffer.alloc(0);
  let length = 0;
  return {
    push(chunk) {
      const needed = length + chunk.length;
      if (needed > bytes.length) {
        const larger = Buffer.allocUnsafeSlow(Math.max(LEAST, 2 * needed));
        bytes.copy(larger, 0, 0, length);
        bytes = larger;
      }
      chunk.copy(bytes, length);
      length = needed;
    },
    get length() {
      return length;
    },
    text: () => bytes.toString("utf8", 0, length),
    clear() {
      if (bytes.length > KEPT) bytes = Buffer.alloc(0);
      length = 0;
    },
  };
}
