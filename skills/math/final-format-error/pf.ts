import {
  injectContext,
  ProgramFunction,
  type ActionType,
  type AnswerForm,
  type Intervention,
  type MathContext,
  type Puzzle,
} from "hasp";

/** Characters of an answer that are quoted. */
const LONGEST = 100;

/** Decimals that a rounded answer has at most. */
const PLACES: readonly (readonly [word: RegExp, most: number])[] = [
  [/nearest tenth/i, 1],
  [/nearest (?:hundredth|cent)/i, 2],
  [/nearest thousandth/i, 3],
];

const NAMES: Readonly<Record<AnswerForm, string>> = {
  integer: "an integer",
  fraction: "a fraction",
  decimal: "a decimal",
  percent: "a percentage",
  root: "a root",
  expression: "an expression",
  equation: "an equation",
  tuple: "a tuple",
  set: "a set",
  interval: "an interval",
  words: "a text",
  none: "nothing",
};

/** A question for a number, and answers to it: a count in words, and a number with words behind it. */
const HOW_MANY = /^how many\b/i;
const NUMBER_WORD =
  "(?:an? )?(?:zero|half|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen" +
  "|(?:twen|thir|for|fif|six|seven|eigh|nine)ty|hundred|thousand|million|dozen)";
const COUNT_IN_WORDS = new RegExp(
  String.raw`^(?:\\text\{)?\s*(?:none|no [a-z ]{1,40}|infinite(?:ly many)?(?: [a-z ]{1,40})?|${NUMBER_WORD}\b[a-z -]{0,60})\}?$`,
  "i",
);
const COUNT_WITH_WORDS = /^\d[\d.,]{0,20} (?:[a-zA-Z(]|and (?:a half|\d))/;

export default class FinalFormatError extends ProgramFunction {
  override maxFires = 1;

  shouldActivate(ctx: MathContext, actionType: ActionType): boolean {
    return actionType === "FINAL" && errorOf(ctx) !== undefined;
  }

  intervene(ctx: MathContext): Intervention {
    const error = errorOf(ctx) ?? "Give the answer in the form that the question wants.";
    return injectContext(error, "the answer does not have the form that the question asks for");
  }
}

/** The fault in the form of the answer, and what to do about it; undefined where the form is right. */
function errorOf(ctx: MathContext): string | undefined {
  const { answer, asked, puzzle } = ctx.draft;
  if (puzzle !== undefined) return ofPuzzle(puzzle, answer.text);
  if (answer.form === "none") return "The draft ends without an answer. End with the answer alone.";
  if (asked.form === undefined || fits(ctx)) return undefined;
  return (
    `${wish(asked.form.words)}; the answer "${answer.text.slice(0, LONGEST)}" is ` +
    `${NAMES[answer.form]}${tooLong(ctx) ? " with more digits" : ""}. Give it in the form that the question wants.`
  );
}

function wish(words: string): string {
  return HOW_MANY.test(words) ? "The question asks for a number" : `The question wants the answer "${words}"`;
}

function ofPuzzle({ numbers, target, problem }: Puzzle, text: string): string | undefined {
  if (problem === undefined) return undefined;
  const all = numbers.join(", ");
  return (
    `The answer "${text.slice(0, LONGEST)}" does not solve the puzzle: ${problem}. ` +
    `Give one expression that uses each of ${all} exactly once, has no operations but + - * /, and makes ${target}.`
  );
}

function fits(ctx: MathContext): boolean {
  const { answer, asked } = ctx.draft;
  const wanted = asked.form?.wanted ?? [];
  if (tooLong(ctx)) return false;
  if (wanted.includes(answer.form)) return true;
  if (HOW_MANY.test(asked.form?.words ?? "") && isCount(answer.text)) return true;
  if (isNamedValue(answer.text)) return true;
  return answer.value !== undefined && (answer.form === "equation" || isWhole(answer.value, wanted));
}

const isCount = (text: string): boolean => COUNT_IN_WORDS.test(text) || COUNT_WITH_WORDS.test(text);

/** `x = 3` and `A = 4\pi` always fit: the name in front says what the value is. */
function isNamedValue(text: string): boolean {
  const [, value] = /^[a-zA-Z]\s*=([^=<>]+)$/.exec(text) ?? [];
  return value !== undefined && !/[a-zA-Z]/.test(value.replaceAll(/\\[a-zA-Z]+(?:\{[a-zA-Z ]+\})?/g, ""));
}

/** "6/2" is an integer for the form's sake: another skill looks at what is not simplified. */
function isWhole(value: string, wanted: readonly AnswerForm[]): boolean {
  return wanted.includes("integer") && !value.includes("/");
}

function tooLong({ draft: { answer, asked } }: MathContext): boolean {
  const most = PLACES.find(([word]) => word.test(asked.form?.words ?? ""))?.[1];
  const decimals =
    answer.form === "decimal" ? (answer.text.split(".")[1] ?? "").match(/^\d*/)?.[0].length : 0;
  return most !== undefined && (decimals ?? 0) > most;
}
