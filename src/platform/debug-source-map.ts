const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** Base64 VLQ, as source maps write numbers. */
function vlq(value: number): string {
  let rest = value < 0 ? (-value << 1) | 1 : value << 1;
  let text = "";
  do {
    const digit = rest & 31;
    rest >>>= 5;
    text += DIGITS[rest > 0 ? digit | 32 : digit] ?? "";
  } while (rest > 0);
  return text;
}

/** Columns where a word or a sign begins: a debugger can stop at any of them. */
function columnsOf(line: string): number[] {
  return [...line.matchAll(/[\p{L}\p{N}_$]+|\S/gu)].map(({ index }) => index);
}

/**
 * The source map of code on which everything stands where it stood in its source (skill/transpile.ts): each place maps to itself.
 * `source` is where the source is, as a URL.
 */
export function identityMap(code: string, file: string, source: string): string {
  let lineBefore = 0;
  let columnBefore = 0;
  const lines = code.split(/\r\n|\n|\r/).map((line, number) => {
    let generatedBefore = 0;
    const segments = columnsOf(line).map((column) => {
      const segment = [column - generatedBefore, 0, number - lineBefore, column - columnBefore];
      [generatedBefore, lineBefore, columnBefore] = [column, number, column];
      return segment.map(vlq).join("");
    });
    return segments.join(",");
  });
  return JSON.stringify({ version: 3, file, sources: [source], names: [], mappings: lines.join(";") });
}
