/** Commands of LaTeX that stand around a value or within it. */
const COMMAND = /\\(?:text|mathrm|mbox)\s*\{[^{}]*\}|\\[a-zA-Z]+|\\./g;
/** Digits, operators, brackets and single letters. */
const FORMULA = /^[\p{L}\d\s.,:;+\-−–±*×·/÷^_=<>≤≥|()[\]{}%$€£°∞π√!]+$/u;
const WORD = /\p{L}{2}/u;
/** A label such as `B4`; a formula writes `x_4` or `4x`. */
const LABEL = /\p{L}\d/u;
/** The answer to a question for a year is a word like another. */
const YEAR = /^(?:1\d{3}|20\d{2})$/;

/** A number, a fraction, a root, an interval, a tuple: what has another meaning without its signs and brackets. */
export function isMathAnswer(answer: string): boolean {
  const plain = answer.replaceAll(COMMAND, " ").trim();
  return /[\d∞π]/.test(plain) && FORMULA.test(plain) && ![WORD, LABEL, YEAR].some((form) => form.test(plain));
}

/** The math data sets, by the name of the set or of a file: `gsm8k`, `aime24.jsonl`, `MATH-500.jsonl`. */
const MATH_SET =
  /(?:^|[\\/])(?:aime|amc|gsm-?8k|svamp|game-?(?:of-?)?24|math(?:[-_]?500)?)(?![a-z])[^\\/]*$/i;

/** Accepted answers, and where they come from. */
export interface GoldSource {
  readonly golds: readonly (readonly string[] | undefined)[];
  /** Names of the data set and of the file, as far as they are known. */
  readonly from: readonly (string | undefined)[];
  /** They come from a data set that asks for names, dates and places. */
  readonly asksForWords?: boolean;
}

/**
 * Why exact match and F1 say nothing about answers to these questions; undefined where they may judge. Both compare words without
 * punctuation. Math is a set or file named after a math data set, and what has such answers in more than half of the questions, unless it
 * comes from a set that asks for words.
 */
export function whyNoWords({ golds, from, asksForWords = false }: GoldSource): string | undefined {
  if (asksForWords) return undefined;
  const known = golds.filter((gold) => gold !== undefined && gold.length > 0);
  const math = known.filter((gold) => gold?.some(isMathAnswer)).length;
  const isNamed = from.some((name) => name !== undefined && MATH_SET.test(name));
  if (math === 0 || (!isNamed && math * 2 <= known.length)) return undefined;
  return `${math} of ${known.length} accepted answers are math. Exact match and F1 compare words without signs and brackets: for them −7 is 7, 3/4 is 34, and [0,1) is (0,1).`;
}
