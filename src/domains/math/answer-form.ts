import type { AnswerFormat } from "../answer-format.ts";
import type { DomainKeys } from "../domain.ts";
import { commandsOf, FRACTIONS } from "./expression/latex.ts";
import { bareAnswer, lastBox } from "./find-answer.ts";
import { calculatesBefore, changesNumber, deniesOrAdds } from "./words-that-calculate.ts";

/** The answer of a text without box and marks of layout. */
function tidy(answer: string): string {
  return lastBox(answer)?.text ?? bareAnswer(answer);
}

/** Words of two letters and more, and marks around them; nothing that belongs to a formula. */
const WORDS_BEFORE = /^(?:[\s$*]*\p{L}{2,}(?:'\p{L}+)?[,:]?(?=[\s$*]|$))*[\s$*]*$/u;
const WORDS_BEHIND = /^[$*]*(?:\s+[$*]*\p{L}{2,}(?:'\p{L}+)?[$*]*)*[\s$*.]*$/u;
/** Of "the square has the area 5" the words up to "has" calculate nothing. */
const STATES =
  /^.*\b(?:is|are|was|were|be|equals|equal to|has|have|had|gives?|gets?|makes?|answer)\b:?|^.*:/isu;

/** Whether a text is the answer without words around it, none of which changes the value: "minus", "half of", "dozen", "not". */
function keeps(text: string, answer: string): boolean {
  const bare = tidy(answer);
  const at = bare.lastIndexOf(text);
  if (text === "" || at < 0) return false;
  const [before, behind] = [bare.slice(0, at), bare.slice(at + text.length)];
  if (!WORDS_BEFORE.test(before) || !WORDS_BEHIND.test(behind)) return false;
  if (/[\p{L}\d]$/u.test(before) || /,\s*$/.test(before)) return false;
  if (deniesOrAdds(before) || deniesOrAdds(behind)) return false;
  return !changesNumber(before) && !calculatesBefore(before.replace(STATES, "")) && !changesNumber(behind);
}

/** The form of an answer in math: the value alone. Signs and brackets are what answers differ by, so that the teacher may only cut words off that do not change the value. */
export const MATH_ANSWERS: AnswerFormat = {
  form: "Write the value alone, with its sign, and its unit where the answer has one. Copy numbers and formulas as they are; calculate nothing.",
  replyTokens: 100,
  shown: 2_000,
  words: 30,
  tidy,
  keeps,
};

/** Marks of LaTeX that change the looks of a formula alone. */
const LOOKS: readonly (readonly [RegExp, string])[] = [
  [new RegExp(commandsOf(FRACTIONS), "g"), "\\frac"],
  [/\\(?:left|right)(?![a-z])/g, ""],
  [/\\[,!]/g, ""],
];

const oneBlank = (text: string): string => text.trim().replaceAll(/\s+/g, " ");

/**
 * Two answers of one key are the same for every judge of math: they differ in layout alone. `1/2` and `0.5` have two keys. Case and signs
 * make a difference in questions, too: "arccos 1" is not "arccos (-1)".
 */
export const MATH_KEYS: DomainKeys = {
  answer: (text) =>
    oneBlank(LOOKS.reduce((answer, [mark, plain]) => answer.replaceAll(mark, plain), tidy(text))),
  question: oneBlank,
};
