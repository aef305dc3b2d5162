/** An answer within a text. Offsets are of the text. */
export interface FoundAnswer {
  readonly text: string;
  /** Of the answer with the command or the label before it. */
  readonly from: number;
  readonly to: number;
  /** Neither a box nor a label says that it is the answer. */
  readonly isUnmarked?: true;
}

/** Commands of LaTeX that put an answer into a box. */
const BOXES = ["\\boxed", "\\fbox", "\\framebox"];
/** Boxes that are looked at; a reply that repeats itself has thousands. */
const MOST_BOXES = 50;
/** The prompt's own descriptions of the answer, copied. */
const PLACEHOLDERS = new Set(["…", "...", "\\ldots", "answer", "the answer", "your answer"]);

const isAnswer = (text: string): boolean => text !== "" && !PLACEHOLDERS.has(text.toLowerCase());

/** The end of a line, as an offset. */
function lineEnd(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end;
}

/** The brace that closes the one before `start`; -1 where none does. An escaped brace is a sign of the answer. */
function closingBrace(text: string, start: number): number {
  let depth = 1;
  for (let at = start; at < text.length; at++) {
    const sign = text[at];
    if (sign === "\\") at++;
    else if (sign === "{") depth++;
    else if (sign === "}" && --depth === 0) return at;
  }
  return -1;
}

/** `\boxed 7` holds what stands before the next blank. */
const BARE = /[^\S\n]{0,4}([^\s{}$\\.,]{1,40})/y;

/** The box whose command ends at `end`. One that does not close, as in a reply that was cut off, ends with its line. */
function boxAt(text: string, from: number, end: number): FoundAnswer | undefined {
  const open = text.startsWith(" {", end) ? end + 1 : end;
  if (text[open] !== "{") {
    BARE.lastIndex = end;
    const [whole, bare] = BARE.exec(text) ?? [];
    return whole === undefined || bare === undefined || /^[a-z]/i.test(whole)
      ? undefined
      : { text: bare, from, to: end + whole.length };
  }
  const close = closingBrace(text, open + 1);
  const to = close < 0 ? lineEnd(text, open) : close + 1;
  const inside = text.slice(open + 1, close < 0 ? to : close);
  return { text: close < 0 ? bareAnswer(inside) : inside.trim(), from, to };
}

/** The last box of a text that holds an answer and begins before an offset; undefined without one. Any text; linear in its length. */
export function lastBox(text: string, end = text.length): FoundAnswer | undefined {
  let before = end;
  for (let looked = 0; looked < MOST_BOXES && before > 0; looked++) {
    const [from, command] = BOXES.map((one) => [text.lastIndexOf(one, before - 1), one] as const).reduce(
      (last, one) => (one[0] > last[0] ? one : last),
    );
    if (from < 0) return undefined;
    const box = boxAt(text, from, from + command.length);
    if (box !== undefined && isAnswer(box.text)) return box;
    before = from;
  }
  return undefined;
}

/** Words before an answer. `####` is that of worked school problems; before a number alone, since it also begins a heading. */
const LABEL =
  /(?<=^|\n)[^\S\n]{0,8}(?:#{4}[^\S\n]{0,4}(?=[-−$]?\d[\d.,/]{0,40}[^\S\n]{0,8}(?:\n|$))|A:|[#*_ ]{0,8}(?:final )?answer[*_ ]{0,4}(?:[:：=](?:[*_]{1,3}(?=\s))?|(?=\n)))|\b(?:final )?answer (?:is|=)(?: equal to| therefore| thus)?:?/gi;
/** The end of the sentence before another one. */
const NEXT_SENTENCE = /[.!]\s{1,4}(?=\p{Lu})/u;

/** Marks around a formula that may have lines of its own. */
export const DISPLAYS = [
  ["\\[", "\\]"],
  ["$$", "$$"],
] as const;

/** The end of the line in which a formula ends that begins at an offset; of any other text the end of its line. */
function displayEnd(text: string, begins: number): number {
  const [open = "", close = ""] = DISPLAYS.find(([mark]) => text.startsWith(mark, begins)) ?? [];
  const end = open === "" ? -1 : text.indexOf(close, begins + open.length);
  return lineEnd(text, Math.max(begins, end));
}

/** The text behind the last label that has one, up to the end of its line, or the line or the formula that follows. */
function labelled(text: string): FoundAnswer | undefined {
  const end = text.trimEnd().length;
  for (const match of Array.from(text.matchAll(LABEL)).slice(-MOST_BOXES).toReversed()) {
    const start = match.index + match[0].length;
    const begins = start + text.slice(start).search(/\S|$/);
    const to = displayEnd(text, begins);
    const [sentence = ""] = text.slice(begins, to).split(NEXT_SENTENCE, 1);
    const answer = bareAnswer(sentence);
    // "The answer is plausible" within the working is no answer.
    if (isAnswer(answer) && (/[\d\\]/.test(answer) || to >= end))
      return { text: answer, from: match.index, to };
  }
  return undefined;
}

function lastLine(text: string): FoundAnswer | undefined {
  const to = text.trimEnd().length;
  const from = text.lastIndexOf("\n", to - 1) + 1;
  const formula = findDisplay(text, from, to);
  const last = formula ?? { from, to };
  const answer = bareAnswer(text.slice(last.from, last.to));
  return answer === "" ? undefined : { text: answer, ...last, isUnmarked: true };
}

/** The inside of a formula of several lines, if the last line is the mark that closes it. */
function findDisplay(text: string, lineStart: number, end: number): { from: number; to: number } | undefined {
  const [open, close = ""] = DISPLAYS.find(([, mark]) => text.slice(lineStart, end).trim() === mark) ?? [];
  const to = end - close.length;
  const start = open === undefined ? -1 : text.lastIndexOf(open, to - 1);
  return open === undefined || start < 0 || start + open.length > to
    ? undefined
    : { from: start + open.length, to };
}

/** The answer of a solution: its last box, else the text behind its last label, else its last line or formula. */
export function findAnswer(text: string): FoundAnswer | undefined {
  return lastBox(text) ?? labelled(text) ?? lastLine(text);
}

/** Marks that stand on both sides of a formula or of an emphasis. */
const AROUND: readonly (readonly [open: string, close: string])[] = [
  ["$$", "$$"],
  ["$", "$"],
  ["\\(", "\\)"],
  ["\\[", "\\]"],
  ["**", "**"],
  ["`", "`"],
];
/** Pairs of marks that are taken off, one within another. */
const MOST_PAIRS = 4;

/** The answer without the marks of layout around it and the full stop behind it. What it says stays: `-7`, `$5`, `$a$ and $b$`. */
export function bareAnswer(answer: string): string {
  let text = answer.trim();
  for (let i = 0; i < MOST_PAIRS; i++) {
    const sentence = /[^.\s\\]\.$/.test(text) ? text.slice(0, -1) : text;
    const pair = AROUND.find(
      ([open, close]) =>
        sentence.length > open.length + close.length &&
        sentence.startsWith(open) &&
        sentence.endsWith(close) &&
        !sentence.slice(open.length, -close.length).includes(close),
    );
    if (pair === undefined) return sentence.trim();
    text = sentence.slice(pair[0].length, -pair[1].length).trim();
  }
  return text;
}
