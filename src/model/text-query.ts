/** A text to look for: its words in this order, in any case, with any white space between them. */
export interface TextQuery {
  /** At least one; none holds white space. */
  readonly words: readonly string[];
  /** Matches each occurrence in a text. Global: reset `lastIndex`, or use `matchAll`. */
  readonly pattern: RegExp;
}

/** Characters of a query that are looked for; the rest is left out. */
const MAX_LENGTH = 500;

/** `text` as the source of a regular expression with the flag `u` that matches it literally. */
export function literalSource(text: string): string {
  return text.replaceAll(/[\^$\\.*+?()[\]{}|/]/g, "\\$&");
}

/** The query that a person typed; undefined where nothing but white space is left of it. */
export function textQuery(typed: string): TextQuery | undefined {
  const words = Array.from(typed)
    .slice(0, MAX_LENGTH)
    .join("")
    .split(/\s+/)
    .filter((word) => word !== "");
  if (words.length === 0) return undefined;
  return { words, pattern: new RegExp(words.map(literalSource).join("\\s+"), "giu") };
}

/** Whether every text that `longer` matches is matched by `shorter`, too; it may be false although they are. */
export function narrows(longer: TextQuery, shorter: TextQuery): boolean {
  const text = shorter.words.join(" ");
  // Half of a character is found alone, and not as a part of the whole one.
  return text.isWellFormed() && longer.words.join(" ").includes(text);
}
