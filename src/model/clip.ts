/** The text on one line, in at most `most` characters (UTF-16 units). */
export function clip(text: string, most: number): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  // Half of a character would be no text.
  return line.length <= most ? line : `${line.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
