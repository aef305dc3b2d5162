import type { Side } from "./sides.ts";
import type { Token } from "./token.ts";
import { unitName } from "./units.ts";
import { calculates, WORDS, wordsAt } from "./words.ts";

/** Words that calculate in front of a side. */
export const CALCULATES_BEFORE = new Set(
  (
    "times less divided multiplied dividing multiplying over average mean median square cube root roots log ln sin cos tan gcd lcm max min" +
    " floor ceil sqrt between"
  ).split(" "),
);

/** Behind a side. */
const CALCULATES_BEHIND = new Set(
  "dozen dozens hundred hundreds thousand thousands million millions billion mod modulo remainder r percent squared cubed base".split(
    " ",
  ),
);

/** "5 added to 3 * 2", "5 subtracted from 3 * 4". */
const JOINED = new Set(["added to", "subtracted from"]);

/** "A third of 12". */
const PARTS = new Set("third fourth fifth sixth seventh eighth ninth tenth".split(" "));

/** Behind one of them a number is no part of the side in front. */
const PREPOSITIONS = new Set(
  "for in on at per by to from after with each every as of out and so then thus but while".split(" "),
);

/** Words that end a part of a sentence: nothing in front of them belongs to the side behind. */
const ENDS = new Set(
  (
    "is are was were be been has have had do does did get gets got make makes made total cost costs spend spends spent pay pays paid" +
    " need needs use uses used means that's so then thus therefore because since which who left gave give gives took take takes earn earns" +
    " earned sell sells sold buy buys bought performing picks eats walks runs drinks produces equals amount price sum"
  ).split(" "),
);

/** Nothing in front of the side belongs to what it calculates. */
export function isCutBefore(tokens: readonly Token[], { from, isOpen }: Side): boolean {
  const next = tokens[from - 1]?.kind ?? "wall";
  const isCall =
    tokens[from]?.kind === "open" && tokens[from]?.glued && (next === "word" || next === "variable");
  if (isCall) return false;
  if (next === "relation") return tokens[from - 1]?.text !== "other";
  if (next !== "word" && next !== "currency") return next === "wall" || next === "open" || next === "mark";
  let at = from - 1;
  const words: string[] = [];
  for (; ["word", "currency"].includes(tokens[at]?.kind ?? ""); at--) {
    const word = tokens[at]?.text ?? "";
    const isAmount = word === "of" && ENDS.has(tokens[at - 1]?.text ?? "");
    if (ENDS.has(word) || isAmount || words.length > 8) return !isMultiplied(tokens, at);
    if (JOINED.has(`${tokens[at - 1]?.text} ${word}`)) return false;
    // "The roots of x^2 = 9" are of the equation; those of a number are of the number.
    const isOfEquation = isOpen && word === "roots";
    if (calculates(word) || (CALCULATES_BEFORE.has(word) && !isOfEquation)) return false;
    if (word === "of" && PARTS.has(tokens[at - 1]?.text ?? "")) return false;
    words.push(word);
  }
  const before = tokens[at]?.kind ?? "wall";
  if (before === "operator" || before === "dots") return false;
  if (!["number", "group", "close", "postfix"].includes(before)) return true;
  if (words.length === 1 && words[0] === "and") return isResult(tokens, at);
  if (isUnit(tokens[from + 1]) && isLargerUnit(words.toReversed())) return false;
  return !words.some((word) => ["of", "as"].includes(word));
}

/** "twice the price", "3 times the sum": the words that end a part of a sentence name what is multiplied. */
function isMultiplied(tokens: readonly Token[], end: number): boolean {
  const isArticle = ["the", "their", "its", "this", "that"].includes(tokens[end - 1]?.text ?? "");
  const word = tokens[isArticle ? end - 2 : end - 1]?.text ?? "";
  return calculates(word) || word === "times";
}

const isUnit = (token: Token | undefined): boolean =>
  token?.kind === "word" && unitName(token.text) !== undefined;

/** The words in front of "6 inches" in "5 feet 6 inches", of "5 minutes" in "2 hours and 5 minutes": one measure with two numbers. */
function isLargerUnit([unit = "", joined, ...others]: readonly string[]): boolean {
  return others.length === 0 && (joined === undefined || joined === "and") && unitName(unit) !== undefined;
}

/** The number is right behind a relation: `= $8`. */
function isResult(tokens: readonly Token[], number: number): boolean {
  let at = number - 1;
  while (["currency", "mark"].includes(tokens[at]?.kind ?? "")) at--;
  return tokens[at]?.kind === "relation";
}

/** "2 and 1/2", and not "2 and 1/2 * 6 = 3". */
function isFraction(tokens: readonly Token[], at: number): boolean {
  const isPart = tokens[at + 1]?.text === "/" && tokens[at + 2]?.kind === "number";
  return isPart && tokens[at + 3]?.kind !== "operator";
}

/** Nothing behind the side belongs to what it calculates. */
export function isCutBehind(tokens: readonly Token[], { to }: Side): boolean {
  const next = tokens[to]?.kind ?? "wall";
  if (next === "open") return !tokens[to]?.glued && tokens[to + 1]?.text !== "mod";
  if (next !== "word") return ["wall", "relation", "close", "postfix", "mark"].includes(next);
  const { words, behind: at } = wordsAt(tokens, to);
  if (words.some((word) => CALCULATES_BEHIND.has(word))) return false;
  if (words[0] === "and" && isFraction(tokens, at)) return false;
  const behind = tokens[at]?.kind ?? "wall";
  const isPair =
    (words.length === 1 && !PREPOSITIONS.has(words[0] ?? "")) || (words.length === 2 && words[1] === "and");
  return !(isPair && ["number", "currency", "group", "operator"].includes(behind));
}

const SUPPOSES = new Set("if whether suppose assume assuming not unless".split(" "));

/** The words in front of the side suppose the equation: "if 5 + 3 = 9". */
export function isSupposed(tokens: readonly Token[], { from }: Side): boolean {
  for (let at = from - 1; ["word", "currency"].includes(tokens[at]?.kind ?? "") && at >= from - WORDS; at--)
    if (SUPPOSES.has(tokens[at]?.text ?? "")) return true;
  return false;
}

/** A base is named in front of the side, in which its digits mean another number: "in base 7, 5 + 4 = 12". */
export function isInBase(tokens: readonly Token[], { from }: Side): boolean {
  const before = tokens.slice(Math.max(0, from - WORDS), from);
  return before.some(({ text }, at) => text === "base" && before[at + 1]?.kind === "number");
}

/** Words that say that something does not hold. */
export const DENIALS = new Set(
  "not false wrong incorrect impossible contradiction untrue never doesn't isn't".split(" "),
);

/** The words in or behind a link ask or deny that it holds: "5 + 3 = 9?", "5 + 3 = 9, which is wrong", "5 + 3 is not = 9". */
export function isDenied(tokens: readonly Token[], { units }: Side, { to, units: behind }: Side): boolean {
  if ([...units, ...behind].some((word) => DENIALS.has(word))) return true;
  for (const { kind, text } of tokens.slice(to, to + WORDS + 2)) {
    if (text === "?" || DENIALS.has(text)) return true;
    if (kind !== "word" && text !== ",") return false;
  }
  return false;
}

const ROUNDS = new Set(
  "remainder remaining leftover over with whole full complete rounded rounding round rounds about approximately around roughly nearly almost".split(
    " ",
  ),
);

/** The words around an equation say that its right side is rounded, or that something is left: "17 / 5 = 3 with 2 left over". */
export function saysRounded(tokens: readonly Token[], left: Side, right: Side): boolean {
  const isPlain = ({ kind, text }: Token): boolean => kind !== "wall" || text === ",";
  const before = tokens.slice(Math.max(0, left.from - WORDS), left.from);
  const behind = tokens.slice(right.to, right.to + 2 * WORDS);
  const end = behind.findIndex((token) => !isPlain(token));
  const near = [
    ...before.slice(before.findLastIndex((token) => !isPlain(token)) + 1),
    ...behind.slice(0, end < 0 ? undefined : end),
  ];
  return (
    right.units.some((word) => ROUNDS.has(word)) ||
    near.some(({ kind, text }) => kind === "word" && ROUNDS.has(text))
  );
}
