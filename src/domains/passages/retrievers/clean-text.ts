/** Characters of one text that are kept; the policy is shown 8,000 of them (`prompt.ts`). */
const LONGEST_TEXT = 40_000;
const LONGEST_TITLE = 300;

const ESC = "\\u001b";
/** Sequences with which a terminal is steered: colours, cursor, titles. Bounded, as a text may be megabytes of them. */
const TERMINAL = new RegExp(
  String.raw`${ESC}(?:\[[0-?]{0,64}[ -/]{0,8}[@-~]|\][^\u0007${ESC}]{0,256}(?:\u0007|${ESC}\\)?|[@-Z\\-_])`,
  "g",
);
/** Control characters besides line feed, and marks that reorder what a person reads. */
const CONTROL = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/** What a stranger sent, without what steers terminals or reorders lines, cut to `most` characters and marked where it was. */
export function cleanText(text: string, most = LONGEST_TEXT): string {
  const clean = text
    // More than is kept, as the next steps only shorten.
    .slice(0, most * 4)
    .replace(TERMINAL, "")
    .replaceAll(/\r\n?/g, "\n")
    .replaceAll("\t", " ")
    .replace(CONTROL, (mark) => (mark === "\n" ? mark : ""))
    .toWellFormed()
    .trim();
  return clean.length <= most ? clean : `${clean.slice(0, most).toWellFormed()} […]`;
}

/** The same for a title: one line. */
export function cleanTitle(title: string): string {
  return cleanText(title, LONGEST_TITLE).replaceAll(/\s+/g, " ");
}
