/** Texts beyond this are not searched from their beginning: an answer is at the end. */
const MAX_SEARCHED = 20_000;
const MAX_BOXES = 20;

const BOX = /\\(?:boxed|fbox|framebox)\s*(?=\{)/g;
/** A box within a box. */
const NESTED = /^\s*\\(?:boxed|fbox)\s*\{([^]*)\}\s*$/;
const LABEL =
  /(?:\banswer(?:\s+(?:to|for)[^.:\n]{1,80})?\s*(?:is|are|=|:)|^[ \t]*(?:A|Answer|Final answer|Result)[ \t]*:|####)[ \t:]*/gim;

/** Content of the braces that open at `from`, nested ones included; undefined where they do not close. */
function braced(text: string, from: number): string | undefined {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    const char = text[at];
    if (char === "\\") at += 1;
    else if (char === "{") depth += 1;
    else if (char === "}") depth -= 1;
    if (depth === 0 && char === "}") return text.slice(from + 1, at);
  }
  return undefined;
}

/** What the boxes of a text hold, the last ones, in the order of the text. A box within a box is not counted apart. */
export function boxesOf(text: string): readonly string[] {
  const searched = text.slice(-MAX_SEARCHED);
  const starts = [...searched.matchAll(BOX)].slice(-MAX_BOXES);
  const boxes: string[] = [];
  let end = 0;
  for (const { index, 0: command } of starts) {
    if (index < end) continue;
    const from = index + command.length;
    const inner = braced(searched, from);
    if (inner === undefined) continue;
    boxes.push(inner.replace(NESTED, "$1"));
    end = from + inner.length;
  }
  return boxes;
}

/**
 * The answer within a text: its last box, else what is behind the last label (`The answer is`, `A:`, `####`), else its last line. A text of
 * one line without any of them is the answer.
 */
export function answerWithin(text: string): string {
  const box = boxesOf(text).at(-1);
  if (box !== undefined) return box;
  const searched = text.slice(-MAX_SEARCHED).trim();
  const label = [...searched.matchAll(LABEL)].at(-1);
  const rest = label === undefined ? "" : searched.slice(label.index + label[0].length).trim();
  const [labelled = ""] = rest.split(/\n|\.\s/, 1);
  if (labelled.trim() !== "") return labelled;
  if (/\\begin\{/.test(searched.slice(0, 200))) return searched;
  return searched.split("\n").at(-1) ?? "";
}

/** Longer than people say it in. */
const LONGEST_SENTENCE = 500;

/** What a sentence says something is: `12 apples` of "So there are 12 apples". Undefined where it says that of nothing, or of several. */
export function endOfSentence(text: string): string | undefined {
  if (text.length > LONGEST_SENTENCE) return undefined;
  const [, end, ...more] = text.split(/\s(?:is|are|equals|was|were)\s/);
  return more.length === 0 ? end : undefined;
}
