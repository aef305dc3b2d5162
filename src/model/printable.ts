/**
 * Controls but line breaks and tabs, marks of direction, and what has no width and no meaning for a script (a
 * zero-width joiner has one: it shapes Persian and emoji).
 */
export const UNSEEN =
  /(?![\n\t])[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}\u{200b}\u{2060}-\u{2064}\u{feff}\u{e0000}-\u{e007f}]/gu;

/** What a stranger wrote, fit for a terminal: it cannot move the cursor, rename the window or turn text around. */
export function printable(text: string): string {
  return text.replace(UNSEEN, "").toWellFormed();
}

/** The same on one line, so that no text can look like a line of ours. */
export function printableLine(text: string): string {
  return printable(text.replaceAll(/\r\n?|\n/g, " "));
}
