/** Characters from the end of a text in which its answer is looked for. */
const LOOKED_AT = 20_000;

const BOX = /\\f?boxed\s?\{/g;
const LABEL =
  /^(?:(?:the |my )?(?:final )?answer(?: is)?\s?[:=]|(?:the |my )?(?:final )?answer is\b|a:|therefore,|thus,|so,)\s*/i;
const MARKS = /^\*\*|\*\*$/g;
const DELIMITERS = /\\[()[\]]|\$\$/g;
/** `$18`, `\$18`: money, where the sign has no partner. */
const MONEY_SIGNS = /(?<!\\)\$/g;

/** An answer without box, dollar signs of LaTeX, label and full stop: the last box of a text, or else its last line. */
export function answerText(text: string): string {
  const end = text.slice(-LOOKED_AT).trim();
  return withoutMarks(lastBox(end) ?? lastLine(end));
}

function lastBox(text: string): string | undefined {
  const start = [...text.matchAll(BOX)].at(-1);
  return start && upToBrace(text, start.index + start[0].length);
}

/** The text up to the brace that closes one opened before it; to the end of the line where none does. */
function upToBrace(text: string, from: number): string {
  let depth = 1;
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === "{") depth += 1;
    else if (text[at] === "}") depth -= 1;
    if (depth === 0) return text.slice(from, at);
  }
  return text.slice(from).split("\n", 1)[0] ?? "";
}

function lastLine(text: string): string {
  return text.slice(text.lastIndexOf("\n") + 1);
}

function withoutMarks(text: string): string {
  const plain = withoutDollars(text.trim().replace(MARKS, "").replace(LABEL, "").replace(MARKS, "").trim());
  const whole = plain.replace(DELIMITERS, " ").trim();
  return /[^.]\.$/.test(whole) ? whole.slice(0, -1).trim() : whole;
}

/** Dollar signs that come in pairs enclose math; one alone is money. */
function withoutDollars(text: string): string {
  const signs = text.match(MONEY_SIGNS)?.length ?? 0;
  return signs > 0 && signs % 2 === 0 ? text.replace(MONEY_SIGNS, "") : text;
}
