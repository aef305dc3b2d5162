const NEWLINE = 10;
const RETURN = 13;
const SPACE = 32;
const TAB = 9;
/** `lastByte` of a line that is all white space. A zero byte is none: a disk that lost power leaves runs of them. */
const BLANK = -1;

/** Bytes of a line that a scanner keeps for a look at its beginning. */
export const HEAD_BYTES = 4_096;

/** One line as it went by. `head` is valid only within the callback. */
export interface ScannedLine {
  /** 0-based. */
  readonly line: number;
  /** Byte offset of its first byte. */
  readonly offset: number;
  /** Length in bytes, without the newline. */
  readonly bytes: number;
  readonly head: Uint8Array;
  /** Its last byte that is not white space. */
  readonly lastByte: number;
}

export interface LineScanner {
  push(chunk: Uint8Array): void;
  /** Hands over a last line that no newline ends. */
  end(): void;
  /** Just after the last newline seen, and the number of the line that begins there. */
  position(): { readonly offset: number; readonly line: number };
}

interface Carry {
  bytes: number;
  lastByte: number;
  head: Uint8Array;
}

/** Splits bytes into lines without decoding them. Blank lines count but are not handed over. */
export function lineScanner(
  start: { readonly offset: number; readonly line: number },
  onLine: (line: ScannedLine) => void,
): LineScanner {
  let { offset, line } = start;
  let carry: Carry | undefined;

  function emit(bytes: number, head: Uint8Array, lastByte: number): void {
    if (lastByte !== BLANK) onLine({ line, offset, bytes, head, lastByte });
  }
  function finish(piece: Uint8Array): void {
    if (carry === undefined) emit(piece.length, piece.subarray(0, HEAD_BYTES), lastVisible(piece));
    else {
      extend(carry, piece);
      emit(carry.bytes, carry.head, carry.lastByte);
      carry = undefined;
    }
  }
  return {
    push(chunk) {
      let from = 0;
      for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
        const before = carry?.bytes ?? 0;
        finish(chunk.subarray(from, at));
        offset += before + (at - from) + 1;
        line++;
        from = at + 1;
      }
      if (from < chunk.length) {
        carry ??= { bytes: 0, lastByte: BLANK, head: new Uint8Array(0) };
        extend(carry, chunk.subarray(from));
      }
    },
    end() {
      if (carry !== undefined) emit(carry.bytes, carry.head, carry.lastByte);
    },
    position: () => ({ offset, line }),
  };
}

function extend(carry: Carry, piece: Uint8Array): void {
  if (carry.head.length < HEAD_BYTES) {
    const more = piece.subarray(0, HEAD_BYTES - carry.head.length);
    const head = new Uint8Array(carry.head.length + more.length);
    head.set(carry.head);
    head.set(more, carry.head.length);
    carry.head = head;
  }
  carry.bytes += piece.length;
  const last = lastVisible(piece);
  if (last !== BLANK) carry.lastByte = last;
}

function lastVisible(piece: Uint8Array): number {
  for (let i = piece.length - 1; i >= 0; i--) {
    const byte = piece[i] ?? 0;
    if (byte !== SPACE && byte !== RETURN && byte !== TAB) return byte;
  }
  return BLANK;
}
