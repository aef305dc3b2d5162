/** Reads a stream of pieces front to back: exact numbers of bytes, or whatever comes next. Holds one piece at a time. */
export interface ByteCursor {
  /** Bytes taken so far. */
  readonly position: number;
  /** The next `count` bytes, copied, or undefined where fewer are left; those are then lost. Only for small numbers. */
  bytes(count: number): Promise<Uint8Array | undefined>;
  /** The next bytes, at least one and at most `most`; undefined at the end. Valid until the next call. */
  piece(most: number): Promise<Uint8Array | undefined>;
  /** Gives back the bytes taken last: they come again. */
  unread(bytes: Uint8Array): void;
}

/** A cursor at the beginning of `chunks`. */
export function byteCursor(chunks: AsyncIterator<Uint8Array>): ByteCursor {
  let chunk: Uint8Array = new Uint8Array(0);
  let at = 0;
  let position = 0;
  let returned: Uint8Array = new Uint8Array(0);

  async function piece(most: number): Promise<Uint8Array | undefined> {
    if (returned.length > 0) {
      const again = returned.subarray(0, most);
      returned = returned.subarray(again.length);
      position += again.length;
      return again;
    }
    while (at >= chunk.length) {
      const next = await chunks.next();
      if (next.done === true) return undefined;
      chunk = next.value;
      at = 0;
    }
    const taken = chunk.subarray(at, at + most);
    at += taken.length;
    position += taken.length;
    return taken;
  }
  async function bytes(count: number): Promise<Uint8Array | undefined> {
    const all = new Uint8Array(count);
    let filled = 0;
    while (filled < count) {
      const next = await piece(count - filled);
      if (next === undefined) return undefined;
      all.set(next, filled);
      filled += next.length;
    }
    return all;
  }
  return {
    get position() {
      return position;
    },
    bytes,
    piece,
    unread(given) {
      returned = concat(given, returned);
      position -= given.length;
    },
  };
}

function concat(a: Uint8Array, b: Uint8Array): Uint8Array {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}
