import { leadingUnit } from "./units.ts";

/** Characters from the end of a thought in which its result stands with a unit. */
const LOOKED_AT = 300;
const BARE_NUMBER = /^-?[\d.,]{1,20}$/;
/** A calculator's mark `<<2*3=6>>`, and marks of LaTeX that stand between a number and its unit. */
const MARKS = /<<[^<>]{0,100}>>|\\(?:text|mathrm|mbox)\b|\\[()[\],;:! ]|[{}]/g;
/** Words alone: "in" and single letters are mostly no units in prose. */
const BEHIND = /^ {0,2}([a-zA-Z]{3,12}(?: (?:per|an?|each) [a-zA-Z]{3,12})?|%|¢)/;

/**
 * The unit that a thought writes where it has the number of a bare answer for the last time: "minutes" for 90 and "so it takes 90 minutes".
 * None where the number is beside another noun before, as in "5 songs of 5 minutes": either may be meant.
 */
export function unitInThought(answer: string, thought: string): string | undefined {
  if (!BARE_NUMBER.test(answer)) return undefined;
  const text = plain(thought.slice(-LOOKED_AT));
  const beside = placesOf(answer, text).map((at) => unitBeside(text, at, at + answer.length));
  const found = beside.at(-1);
  const name = found === undefined ? undefined : leadingUnit(found);
  const isOther = (words: string): boolean => leadingUnit(words) !== name && isNoun(words);
  return name === undefined || beside.some((words) => words !== undefined && isOther(words))
    ? undefined
    : found;
}

/** Offsets at which a text has a number, of which it is no part. */
function placesOf(number: string, text: string): readonly number[] {
  const places: number[] = [];
  for (let at = text.indexOf(number); at >= 0; at = text.indexOf(number, at + 1))
    if (isWholeNumber(text, at, number.length)) places.push(at);
  return places;
}

/** A unit, or a word in the plural. */
function isNoun(words: string): boolean {
  return (
    leadingUnit(words) !== undefined ||
    /^(?!(?:is|was|has|does|this|plus|minus|times|less|equals|gives|makes|costs|leaves|means)\b)[a-z]+s\b/i.test(
      words,
    )
  );
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
