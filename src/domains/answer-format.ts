/** How the answer of an episode is brought into the form that its question asks for (SPEC §4, last line). Lengths have limits of their own. */
export interface AnswerFormat {
  /** The wanted form of the text: the last line of the teacher's prompt. */
  readonly form: string;
  /** Of the teacher's reply. */
  readonly replyTokens: number;
  /** Characters of the answer that the teacher reads. */
  readonly shown: number;
  /** Words that the text may have, where the answer has fewer. */
  readonly words: number;
  /** By code: the text of the teacher, and the answer where the teacher fails. */
  readonly tidy: (answer: string) => string;
  /** Whether the text of the teacher is still the answer. Absent: most of its words are the answer's, and all of its numbers. */
  readonly keeps?: (text: string, answer: string) => boolean;
}

const OPENING = new Set("\"'“‘`*");
const CLOSING = new Set("\"'”’`*");

/** The text between quotation marks, which holds no other ones; as it is without them. A loop: a pattern would try each mark at either end. */
function unquoted(text: string): string {
  let [begin, end] = [0, text.endsWith(".") ? text.length - 1 : text.length];
  const last = end;
  while (OPENING.has(text.charAt(begin))) begin++;
  while (end > begin && CLOSING.has(text.charAt(end - 1))) end--;
  const inside = text.slice(begin, end);
  return begin === 0 || end === last || inside === "" || /["“”*]/.test(inside) ? text : inside;
}

/** A short answer in one line, without what models put around it. */
export function tidyAnswer(answer: string): string {
  const line = answer.trim().replace(/\s+/g, " ");
  const bare = line
    .replace(/^(?:the )?(?:final )?answer(?:\s+is\b\s*:?|\s*[:=])\s*/i, "")
    .replace(/^(?:so|thus|therefore),\s*/i, "");
  const trimmed = unquoted(bare)
    .replace(/(?<=\p{L}{3}|\d)\.$/u, "")
    .trim();
  return trimmed === "" ? line : trimmed;
}

/** Of domains whose questions ask for a few words. */
export const SHORT_ANSWERS: AnswerFormat = {
  form: "Write the shortest text that answers in full: a name, a date, a number, yes or no. Write that text alone.",
  replyTokens: 60,
  shown: 2_000,
  words: 8,
  tidy: tidyAnswer,
};
