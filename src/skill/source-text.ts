import type { Position, Range } from "../model/diagnostic.ts";

/** Turns offsets of one text into positions and ranges; offsets outside the text are pulled to its ends. */
export interface SourceText {
  readonly text: string;
  positionAt(offset: number): Position;
  /** Beyond the text at its end. */
  offsetAt(position: Position): number;
  slice(range: Range): string;
  range(start: number, end: number): Range;
  /** The whole first line, for complaints about a file as such. */
  firstLine(): Range;
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (const match of text.matchAll(/\r\n|\n|\r/g)) starts.push(match.index + match[0].length);
  return starts;
}

function lastAtOrBefore(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

export function sourceText(text: string): SourceText {
  const starts = lineStarts(text);
  const positionAt = (offset: number): Position => {
    const inside = Math.max(0, Math.min(offset, text.length));
    const line = lastAtOrBefore(starts, inside);
    return { line, character: inside - (starts[line] ?? 0) };
  };
  const range = (start: number, end: number): Range => ({
    start: positionAt(start),
    end: positionAt(Math.max(start, end)),
  });
  const offsetAt = ({ line, character }: Position): number =>
    Math.min(text.length, (starts[line] ?? text.length) + character);
  return {
    text,
    positionAt,
    offsetAt,
    slice: ({ start, end }) => text.slice(offsetAt(start), offsetAt(end)),
    range,
    firstLine: () => range(0, text.search(/\r|\n/) === -1 ? text.length : text.search(/\r|\n/)),
  };
}
