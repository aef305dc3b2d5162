const NEWLINE = 10;

/** One line of a stream of bytes, without its end; or the word that it was longer than allowed, and is lost. */
export type Line = { readonly kind: "line"; readonly bytes: Uint8Array } | { readonly kind: "too-large" };

export interface LineSplitter {
  /** The lines that this piece completes. */
  push(piece: Uint8Array): Line[];
  /** What stands after the last line end. */
  end(): Line[];
}

function joined(pieces: readonly Uint8Array[], size: number): Uint8Array {
  const [only] = pieces;
  if (pieces.length === 1 && only !== undefined) return only;
  const whole = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

/** Cuts a stream of bytes into lines. Of a line over `maxBytes` nothing is kept in memory. Blank lines are left out. */
export function lineSplitter(maxBytes: number): LineSplitter {
  let pieces: Uint8Array[] = [];
  let size = 0;

  function add(piece: Uint8Array): void {
    size += piece.length;
    if (size > maxBytes) pieces = [];
    else if (piece.length > 0) pieces.push(piece);
  }

  function take(): Line[] {
    const line: Line =
      size > maxBytes ? { kind: "too-large" } : { kind: "line", bytes: joined(pieces, size) };
    pieces = [];
    size = 0;
    return line.kind === "line" && line.bytes.every((byte) => byte <= 32) ? [] : [line];
  }

  return {
    push(piece) {
      const lines: Line[] = [];
      let from = 0;
      for (let to = piece.indexOf(NEWLINE); to >= 0; to = piece.indexOf(NEWLINE, from)) {
        add(piece.subarray(from, to));
        lines.push(...take());
        from = to + 1;
      }
      add(piece.subarray(from));
      return lines;
    },
    end: take,
  };
}
