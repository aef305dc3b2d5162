import { leadingUnit } from "./units.ts";

/** Characters from the end of a thought in which its result stands with a unit. */
const LOOKED_AT = 300;
const BARE_NUMBER = /^-?[\d.,]{1,20}$/;
/** A calculator's mark `<<2*3=6>>`, and marks of LaTeX that stand between a number and its unit. */
const MARKS = /<<[^<>]{0,100}>>|\\(?:text|mathrm|mbox)\b|\\[()[\],;:! ]|[{}]/g;
/** Words alone: "in" and single letters are mostly no units in prose. */
const BEHIND = /^ {0,2}([a-zA-Z]{3,12}(?: (?:per|an?|each) [a-zA-Z]{3,12})?|%|¢)/;

/** The unit that a thought writes where it has the number of a bare answer for the last time: "minutes" for 90 and "so it takes 90 minutes". */
export function unitInThought(answer: string, thought: string): string | undefined {
  if (!BARE_NUMBER.test(answer)) return undefined;
  const text = plain(thought.slice(-LOOKED_AT));
  let at = text.lastIndexOf(answer);
  while (at > 0 && !isWholeNumber(text, at, answer.length)) at = text.lastIndexOf(answer, at - 1);
  if (at < 0 || !isWholeNumber(text, at, answer.length)) return undefined;
  const found = unitBeside(text, at, at + answer.length);
  return found === undefined || leadingUnit(found) === undefined ? undefined : found;
}

/** `$ 20.00` is `$20`. */
function plain(text: string): string {
  return text
    .replaceAll(MARKS, " ")
    .replaceAll(/ {2,}/g, " ")
    .replaceAll(/\$ (?=\d)/g, "$")
    .replaceAll(/(\d)\.0{1,9}(?!\d)/g, "$1");
}

function isWholeNumber(text: string, start: number, length: number): boolean {
  return (
    !/[\d.,]/.test(text[start - 1] ?? "") &&
    !/^(?:\d|[.,]\d)/.test(text.slice(start + length, start + length + 2))
  );
}

/** The words behind a number, or the dollar sign in front; one with another behind the number encloses mathematics. */
function unitBeside(text: string, start: number, end: number): string | undefined {
  const isEnclosed = text[end] === "$";
  if (text[start - 1] === "$" && !isEnclosed) return "$";
  return BEHIND.exec(text.slice(isEnclosed ? end + 1 : end, end + LOOKED_AT))?.[1];
}
