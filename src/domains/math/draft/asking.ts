/** The words of a question that say what is asked for. Texts are without dollar signs of LaTeX and with single blanks. */
export interface Asking {
  /** From the last word that asks on: "how many eggs are left?" */
  readonly clause: string;
  /** The sentence of that word. */
  readonly sentence: string;
  /** The text behind that sentence: "Express your answer in dollars." */
  readonly behind: string;
  /** The end of the question, with what it says about the answer: "Express your answer as a common fraction." */
  readonly end: string;
}

/** Characters from the end of a question that are read. */
const LOOKED_AT = 4_000;
const END = 500;

/** The source of a drawing. */
export const DRAWING = /\[asy\].*?(?:\[\/asy\]|$)/gs;
const SENTENCE_END = /(?<=[.?!])\s+(?=[A-Z$\\(])/;
const ASKS =
  /\b(?:how (?:many|much|old|long|far|tall|high|heavy|big|wide|deep|fast)|what|which|find|compute|determine|calculate|evaluate)\b/gi;
/** Sentences about the answer's form ask for nothing of their own. */
const ABOUT_FORM =
  /^(?:please |\(?note|\(?hint|express|write|give|round|enter|put|leave|simplify|answer|assume|your|the answer)\b/i;

/** Reads the asking words of a question; empty texts where it has none. */
export function readAsking(question: string): Asking {
  const text = plain(question.slice(-LOOKED_AT));
  const sentences = text.split(SENTENCE_END);
  const at = sentences.findLastIndex((one) => !ABOUT_FORM.test(one) && one.search(ASKS) >= 0);
  const sentence = sentences[at] ?? "";
  const behind = at < 0 ? "" : sentences.slice(at + 1).join(" ");
  return { clause: lastClause(sentence), sentence, behind, end: text.slice(-END) };
}

function plain(question: string): string {
  return question
    .replaceAll(DRAWING, " ")
    .replaceAll(/\\\$/g, "＄")
    .replaceAll(/\$|\\[()[\]]/g, " ")
    .replaceAll("＄", "$")
    .replaceAll(/\s+/g, " ")
    .trim();
}

/** "What is the least number of boxes, and how many eggs are left?" asks for the eggs. */
function lastClause(sentence: string): string {
  const start = [...sentence.matchAll(ASKS)].at(-1)?.index ?? 0;
  return sentence.slice(start);
}

/** "How many", or "find the number of" at the beginning of the asking words: the source of a pattern. */
export const HOW_MANY = String.raw`(?:\bhow many|^(?:find|what is|determine|compute|calculate) the (?:total )?number of)`;
