/** Environments that Temml numbers by elements of HTML; the starred form has no numbers. */
const NUMBERED = /\\(begin|end)\{(align|alignat|equation|gather|multline)\}/g;

/** A percent sign with an even number of backslashes before it: LaTeX takes it for a comment, a text means percent. */
const PERCENT = /(?<!\\)((?:\\\\)*)%/g;

/** Commands that give their argument no width or no height, so that it lies over its neighbours. */
const OVERLAPS = /\\(?:(?:math)?[clr]lap|smash)(?![A-Za-z])(?:\s*\[[bt]*\])?/g;

/** A box of text, by a name that Temml does not know. */
const TEXT_BOX = /\\mbox(?![A-Za-z])/g;

/** The LaTeX of a text as Temml draws it without loss: percent signs are signs, equations have no numbers, nothing overlaps. */
export function plainLatex(latex: string): string {
  return latex
    .replaceAll(PERCENT, String.raw`$1\%`)
    .replaceAll(NUMBERED, String.raw`\$1{$2*}`)
    .replaceAll(OVERLAPS, "")
    .replaceAll(TEXT_BOX, String.raw`\text`);
}
