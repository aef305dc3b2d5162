const NEWLINE = 10;

/** The longest line that is read as one text: 64 MiB. An episode is rarely over 1 MB. */
export const MAX_LINE_BYTES = 64 * 1024 * 1024;

/** A line of a text file; `text` is undefined where it is longer than `MAX_LINE_BYTES`. */
export interface TextLine {
  /** 0-based. */
  readonly line: number;
  readonly text: string | undefined;
  /** Bytes of the file up to and with this line. */
  readonly readBytes: number;
}

/** The lines of a file one at a time: see `lineBatches`. */
export async function* textLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<TextLine> {
  for await (const batch of lineBatches(chunks)) yield* batch;
}

/**
 * The lines of a file, blank ones left out (they count). Bytes that are no UTF-8 become U+FFFD. Those that end in one chunk come together,
 * to be taken before the next: to wait for each line of a large file takes as long as to parse it.
 */
export async function* lineBatches(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Iterable<TextLine>, void, undefined> {
  let pieces: Uint8Array[] = [];
  let held = 0;
  let line = 0;
  let readBytes = 0;
  /** `ends`: the bytes of the line's end, which its text goes without: a text would be copied to lose it. */
  const take = (piece: Uint8Array, ends: number): TextLine | undefined => {
    readBytes += piece.length + ends;
    const all = pieces.length === 0 ? [piece] : [...pieces, piece];
    const found = lineOf(all, held + piece.length, line, readBytes);
    pieces = [];
    held = 0;
    line++;
    return found;
  };
  function* linesOf(chunk: Uint8Array): Generator<TextLine, void, undefined> {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
      const found = take(chunk.subarray(from, at), 1);
      from = at + 1;
      if (found !== undefined) yield found;
    }
    const rest = chunk.subarray(from);
    held += rest.length;
    readBytes += rest.length;
    // A line past the limit is only counted; a piece is copied because the next chunk may reuse its memory.
    if (held <= MAX_LINE_BYTES && rest.length > 0) pieces.push(new Uint8Array(rest));
  }
  for await (const chunk of chunks) yield linesOf(chunk);
  const last = held > 0 ? take(new Uint8Array(0), 0) : undefined;
  if (last !== undefined) yield [last];
}

function lineOf(
  pieces: readonly Uint8Array[],
  bytes: number,
  line: number,
  readBytes: number,
): TextLine | undefined {
  if (bytes > MAX_LINE_BYTES) return { line, text: undefined, readBytes };
  const text = decodeUtf8(pieces).trim();
  return text === "" ? undefined : { line, text, readBytes };
}

/** Keeps nothing from one whole text to the next. A new one for each line of a large file takes as long as its lines. */
const wholeTexts = new TextDecoder();

/** One text from consecutive bytes; a byte order mark at the beginning is dropped. */
export function decodeUtf8(pieces: readonly Uint8Array[]): string {
  const [only] = pieces;
  if (pieces.length === 1 && only !== undefined) return wholeTexts.decode(only);
  const decoder = new TextDecoder();
  return pieces.map((piece) => decoder.decode(piece, { stream: true })).join("") + decoder.decode();
}
