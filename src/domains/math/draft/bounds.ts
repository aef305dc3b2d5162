import { parseNumber, toText, type Rational } from "../expression/rational.ts";
import type { Bound } from "../math-types.d.ts";
import type { Asking } from "./asking.ts";
import { readCounted } from "./counted.ts";

const NUMBER = String.raw`(-?\d(?:[\d,]{0,15}\d)?(?:\.\d{1,9})?)`;
/** Between a word that asks and the thing that is asked for: "find the smallest". */
const FIND_THE = String.raw`^(?:what (?:is|are)|find|compute|determine|calculate|which) (?:the |an? |all )?(?:(?:smallest|least|largest|greatest|unique|only|exact|possible|sum of all) ){0,3}`;
const THING = String.raw`(?:integers?|numbers?|values?|solutions?|roots?|multiples?|primes?|divisors?|factors?|differences?|squares?|cubes?|palindromes?)`;
const KIND = String.raw`(?:(?:real|rational|even|odd|prime|whole|perfect|integer|composite) ){0,3}`;

const SIGNED = new RegExp(
  `${FIND_THE}(positive|negative|non-?negative) (?:[a-z]+-digit )?${KIND}${THING}\\b`,
  "i",
);
const DIGITS = new RegExp(
  `${FIND_THE}(?:positive )?${KIND}(one|two|three|four|five|six)-digit (?:positive )?${KIND}${THING}\\b`,
  "i",
);
const NAMED = new RegExp(`^(?:what|which|find|determine)\\b.{0,80}?\\b${THING} `, "i");
/** Behind a number: it is a part of a larger one, as in "6 thousand", "10^6", "5!", "2n". */
const GOES_ON = String.raw`(?! ?(?:[\^!%*/×·\\]|(?:hundred|thousand|million|billion|dozen|times|squared|cubed|percent)\b)|[a-z\d])`;
const FROM_TO = `(between|from) ${NUMBER} (?:and|to|through) ${NUMBER}${GOES_ON}(,? inclusive)?`;
const RANGE = new RegExp(`\\b${FROM_TO}`, "i");
const LIMIT = new RegExp(
  `\\b${THING} (?:of \\d{1,9} )?(?:(?:that is|which is|that's|strictly) ){0,2}(less than|greater than|more than|larger than|smaller than|at most|at least|no more than|no less than|not exceeding) ${NUMBER}(?=[ .,;?]{0,2}$|[,;]| (?:that|which|such|and|with|whose|for)\\b)`,
  "i",
);
/** Of several numbers, or of something else about them: their own bounds do not hold for it. */
const AGGREGATE =
  /\b(?:sum|product|difference|distance|average|mean|median|mode|ratio|number of|how many|percent|percentage|area|perimeter|length|square root|remainder|digit of|digits of|reciprocal)\b/i;
const PROBABILITY =
  /\b(?:what is|what's|find|compute|determine|calculate) the probability\b|^what probability\b/i;
const NOT_ONE_PROBABILITY = /\b(?:percent|percentage|times|how many|expected|odds)|%/i;
const IN_PERCENT = /\bpercent|%/i;
const NOT_LESS =
  /\bhow (?:old|long|tall|far|heavy|high|wide|deep|fast)\b|\bhow much\b.{0,80}?\b(?:left|remain\w*|cost|pay|spend|weigh)\b|\bhow (?:much|many) (?:more|fewer|less|longer|older|taller|greater)\b/i;
/** Measures that go below zero. */
const BELOW_ZERO = /\b(?:degrees|points|dollars|cents|temperature|feet|meters)\b/i;
const MANY = /^how many [\w'-]+/i;
/** "Of the 3 digit numbers" counts no three things, and "of the 2 types of pens" may count pens. */
const HOW_MANY_OF =
  /\bhow many of the (\d{1,9})(?= (?!dozens|hundreds|thousands|millions)(?:[a-z]+s|people|children|men|women)(?![\w'’-]| of\b))/i;
/** The range that the counted numbers are in, and no other numbers of the question. */
const COUNT_FROM = new RegExp(
  `\\bhow many (?:(?:positive|even|odd|prime|whole|perfect|different|distinct) ){0,3}(?:integers|numbers|primes|multiples|squares)` +
    `(?: of \\d{1,9})?(?: (?:are|there|lie|exist)){0,2} ${FROM_TO}`,
  "i",
);
const ANSWER_FROM = new RegExp(
  `\\b(?:answer|result)\\b.{0,60}\\b(?:integer|whole number)s? (?:from|between) ${NUMBER} (?:to|and|through) ${NUMBER}`,
  "i",
);
const SIZES: Readonly<Record<string, number>> = { one: 1, two: 2, three: 3, four: 4, five: 5, six: 6 };

/** Bounds of the asked number. `isCombined`: the answer is made of the parts of the asked number, as `m + n` is. */
export function readBounds(asking: Asking, isCombined: boolean): Bound[] {
  const { clause, end } = asking;
  const answer = ANSWER_FROM.exec(end);
  const range = answer && rangeOf(answer[0], answer[1], answer[2], true);
  const own = isCombined ? [] : [...ofValue(clause), ...ofChance(asking), ...ofCount(asking)];
  return [...own, range].filter((one) => one !== null && one !== undefined);
}

function ofValue(clause: string): (Bound | undefined)[] {
  const [, sign] = SIGNED.exec(clause) ?? [];
  const [digits, size = ""] = (AGGREGATE.test(clause) ? undefined : DIGITS.exec(clause)) ?? [];
  return [
    sign === undefined ? undefined : signBound(sign, /\bdifference/i.test(clause)),
    digits === undefined ? undefined : digitBound(`${size}-digit`, SIZES[size.toLowerCase()] ?? 1),
    ...(AGGREGATE.test(clause) || !NAMED.test(clause) ? [] : [between(clause), limit(clause)]),
  ];
}

function signBound(words: string, mayBeZero: boolean): Bound {
  if (/^negative$/i.test(words)) return { words, most: "0", strict: true };
  return /^positive$/i.test(words) && !mayBeZero
    ? { words, least: "0", strict: true }
    : { words, least: "0" };
}

function digitBound(words: string, size: number): Bound {
  return { words, least: `1${"0".repeat(size - 1)}`, most: "9".repeat(size) };
}

function between(clause: string): Bound | undefined {
  const [words, kind = "", least, most, inclusive] = RANGE.exec(clause) ?? [];
  const isClosed = inclusive !== undefined || kind.toLowerCase() === "from";
  return words === undefined ? undefined : rangeOf(words, least, most, isClosed);
}

function rangeOf(words: string, from = "", to = "", isClosed: boolean): Bound | undefined {
  const [least, most] = [parseNumber(from), parseNumber(to)];
  if (least === undefined || most === undefined) return undefined;
  return { words, least: toText(least), most: toText(most), ...(isClosed ? {} : { strict: true }) };
}

function limit(clause: string): Bound | undefined {
  const [, relation = "", number = ""] = LIMIT.exec(clause) ?? [];
  const value = parseNumber(number);
  if (value === undefined) return undefined;
  const words = `${relation} ${number}`;
  const strict = /than/i.test(relation) && !/^no /i.test(relation) ? { strict: true as const } : {};
  return /less than|smaller|at most|no more|exceeding/i.test(relation) && !/no less/i.test(relation)
    ? { words, most: toText(value), ...strict }
    : { words, least: toText(value), ...strict };
}

function ofChance({ clause, sentence, behind }: Asking): (Bound | undefined)[] {
  const isOther = NOT_ONE_PROBABILITY.test(sentence) || IN_PERCENT.test(behind);
  const isAsked = PROBABILITY.test(clause) && !isOther;
  return [isAsked ? { words: "probability", least: "0", most: "1" } : undefined];
}

function ofCount(asking: Asking): (Bound | undefined)[] {
  const { clause } = asking;
  const counted = readCounted(asking);
  const [ofThe, whole] = HOW_MANY_OF.exec(clause) ?? [];
  const [words] = NOT_LESS.exec(clause) ?? (BELOW_ZERO.test(clause) ? undefined : MANY.exec(clause)) ?? [];
  if (ofThe !== undefined && whole !== undefined)
    return [{ words: ofThe, least: "0", most: String(Number(whole)) }];
  if (counted !== undefined) return [countedIn(clause) ?? { words: upTo(clause, counted), least: "0" }];
  return [words === undefined ? undefined : { words, least: "0" }];
}

/** The words that ask for counted things: "how many more eggs". */
function upTo(clause: string, counted: string): string {
  const words = clause.slice(0, clause.indexOf(counted) + counted.length);
  return words.slice(Math.max(0, words.toLowerCase().lastIndexOf("how many")));
}

/** There are at most 100 integers from 1 to 100. */
function countedIn(clause: string): Bound | undefined {
  const [whole, kind = "", from = "", to = ""] = COUNT_FROM.exec(clause) ?? [];
  const most = whole === undefined ? undefined : howMany(parseNumber(from), parseNumber(to));
  const words = whole?.slice(whole.lastIndexOf(kind));
  return words === undefined || most === undefined ? undefined : { words, least: "0", most };
}

function howMany(from: Rational | undefined, to: Rational | undefined): string | undefined {
  if (from?.den !== 1n || to?.den !== 1n || to.num < from.num) return undefined;
  return String(to.num - from.num + 1n);
}
