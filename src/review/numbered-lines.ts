/** The number before a line, as `numbered` writes it. */
export const NUMBERED = /^\s*\d{1,6}\|\s?/;

/** The lines of a file without their ends; an end of the last line begins no other one. */
export function linesOf(text: string): readonly string[] {
  const lines = text.split(/\r\n|\n/);
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}

/** Each line with its number before it, counted from 1: `12| text`. */
export function numbered(text: string): string {
  return linesOf(text)
    .map((line, i) => `${i + 1}| ${line}`)
    .join("\n");
}
