import { CALCULATES_BEFORE, DENIALS } from "./draft/surroundings.ts";
import { calculates } from "./draft/words.ts";

/** Words beside a number that make another number of it, besides those that calculate in a draft. */
const MORE = new Set(
  // Numbers
  (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen" +
    " twenty thirty forty fifty sixty seventy eighty ninety trillion trillions" +
    // Parts
    " third fourth fifth sixth seventh eighth ninth tenth quarters sevenths ninths elevenths twelfth twelfths twentieth twentieths" +
    " hundredth hundredths thousandth thousandths millionth millionths" +
    // Operations
    " over divided multiplied pi power root sqrt log ln sin cos tan or" +
    // Amounts below zero
    " loss deficit debt" +
    // Of the day and of the calendar
    " am pm noon midnight bc bce" +
    " january february march april june july august september october november december"
  ).split(" "),
);

/** `p.m.` */
const HALF_DAY = /\b[ap]\.\s?m\b/;
const COMPASS =
  /\b(?:north|south|east|west|northeast|northwest|southeast|southwest|(?:counter|anti)?clockwise)\b/;
/** A side after a distance or a place; apples that are left are apples. */
const SIDE =
  /\b(?:units?|steps?|spaces?|places?|squares?|blocks?|floors?|levels?|degrees?|miles?|met(?:er|re)s?|feet|foot|inch(?:es)?|yards?|to the|\w?m) (?:to the )?(?:left|right|up|down|upwards?|downwards?|above|below|forwards?|backwards?)\b/;
/** "3 times the price", and not "3 times", "3 times a week". */
const TIMES = /\btimes (?!(?:an?|per|each|every|in|on|during|as|more|less)\b)/;
const EXPONENT = /\bto the \w+$/;

/** Whether words beside a number may change its value or its side: `dozen`, `fifths`, `times pi`, `p.m.`, `units left`. Counted things do not. */
export function changesNumber(words: string): boolean {
  const plain = words.toLowerCase().replaceAll(/\s+/g, " ").trim();
  return (
    plain.split(/[^\p{L}]+/u).some((word) => MORE.has(word) || calculates(word)) ||
    [HALF_DAY, COMPASS, SIDE, TIMES, EXPONENT].some((form) => form.test(plain))
  );
}

/** In front of a number or a formula, besides those of a draft. */
const MORE_BEFORE = new Set(
  (
    "negative sum difference product quotient opposite reciprocal inverse maximum minimum ceiling exp abs cbrt arcsin arccos arctan arc" +
    " cot sec csc sinh cosh tanh about"
  ).split(" "),
);

/** Whether words in front of a value make another one of it: `the square root of`, `negative`. */
export function calculatesBefore(words: string): boolean {
  return wordsOf(words).some((word) => CALCULATES_BEFORE.has(word) || MORE_BEFORE.has(word));
}

const MORE_DENIALS = new Set("no none neither nor without except but unless aren't and or".split(" "));

/** Whether words say the opposite of what is beside them, or that there is more: "not", "but", "and". */
export function deniesOrAdds(words: string): boolean {
  return wordsOf(words).some((word) => DENIALS.has(word) || MORE_DENIALS.has(word));
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().split(/[^\p{L}']+/u);
}
