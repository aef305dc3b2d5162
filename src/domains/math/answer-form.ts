import type { AnswerFormat } from "../answer-format.ts";
import type { DomainKeys } from "../domain.ts";
import { commandsOf, FRACTIONS } from "./expression/latex.ts";
import { bareAnswer, lastBox } from "./find-answer.ts";

/** The answer of a text without box and marks of layout. */
function tidy(answer: string): string {
  return lastBox(answer)?.text ?? bareAnswer(answer);
}

/** Words and blanks; nothing that belongs to a formula. */
const WORDS_ALONE = /^[\p{L}\s:,.$*]*$/u;
/** A sign right before a number, or a digit that goes on, makes another one of it. */
const GOES_ON = /[\p{L}\d]$/u;

/** Whether a text is the answer without words around it: no sign, digit or bracket of it is cut off. */
function keeps(text: string, answer: string): boolean {
  const bare = tidy(answer);
  const at = bare.lastIndexOf(text);
  if (text === "" || at < 0) return false;
  const [before, behind] = [bare.slice(0, at), bare.slice(at + text.length)];
  const isWhole = !GOES_ON.test(before) && !/^[\p{L}\d]/u.test(behind);
  return isWhole && WORDS_ALONE.test(before) && WORDS_ALONE.test(behind);
}

/** The form of an answer in math: the value alone. Signs and brackets are what answers differ by, so that the teacher may only cut words off. */
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
