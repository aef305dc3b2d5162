import { exactValue } from "../expression/evaluate.ts";
import { parseExpression } from "../expression/parse.ts";
import {
  add,
  divide,
  multiply,
  parseNumber,
  rational,
  subtract,
  toText,
  type Rational,
} from "../expression/rational.ts";
import type { DraftEquation, DraftNumber, GivenNumber } from "../math-types.d.ts";
import type { Token } from "./token.ts";

/** A number as it is written in a text. */
interface WrittenNumber {
  readonly text: string;
  readonly value: Rational;
}

/** Different numbers of a text that are read. */
const DIFFERENT = 1_000;

/** Numbers of a question that are tried with each other. */
const PAIRED = 10;

const ONE: Rational = { num: 1n, den: 1n };
const HALF: Rational = { num: 1n, den: 2n };
const HUNDRED: Rational = { num: 100n, den: 1n };

/** "One" and "a" are left out: they seldom count. */
const WORDS: ReadonlyMap<string, Rational> = new Map(
  (
    "two 2|three 3|four 4|five 5|six 6|seven 7|eight 8|nine 9|ten 10|eleven 11|twelve 12|thirteen 13|fourteen 14|fifteen 15|sixteen 16" +
    "|seventeen 17|eighteen 18|nineteen 19|twenty 20|thirty 30|forty 40|fifty 50|sixty 60|seventy 70|eighty 80|ninety 90|dozen 12|dozens 12|twice 2|double 2|thrice 3|triple 3|half 1/2"
  )
    .split("|")
    .map((entry) => {
      const [word = "", num = "", den = "1"] = entry.split(/[ /]/);
      return [word, rational(BigInt(num), BigInt(den)) ?? HUNDRED];
    }),
);

const PART = /\d+(?:\.\d+)?/g;

const SCALES: ReadonlyMap<string, Rational> = new Map([
  ["hundred", HUNDRED],
  ["thousand", { num: 1_000n, den: 1n }],
  ["million", { num: 1_000_000n, den: 1n }],
]);

/** Numbers of a text in its order, those in words too, each text once; a fraction is one. */
function numbersIn(tokens: readonly Token[]): readonly WrittenNumber[] {
  const found = new Map<string, WrittenNumber>();
  for (let at = 0; at < tokens.length && found.size < DIFFERENT; at++) {
    const isKnown = found.has(tokens[at]?.text ?? "");
    if (isKnown && tokens[at + 1]?.text !== "/" && tokens[at + 1]?.kind !== "word") continue;
    const fraction = fractionAt(tokens, at);
    const number = fraction ?? numberOf(tokens[at]);
    const whole = number && scaled(number, tokens[at + 1]);
    if (whole !== undefined) found.set(whole.text, whole);
    if (fraction !== undefined) at += 2;
  }
  return [...found.values()];
}

function numberOf(token: Token | undefined): WrittenNumber | undefined {
  if (token === undefined) return undefined;
  const { kind, text } = token;
  if (kind === "word") return word(text);
  const isPlain = kind === "number" || kind === "opaque";
  const value = isPlain ? parseNumber(text) : kind === "group" ? groupValue(text) : undefined;
  return value && { text, value };
}

/** "twenty", "twenty-five", "eight-hour". */
function word(text: string): WrittenNumber | undefined {
  const hyphen = text.indexOf("-");
  const value = WORDS.get(hyphen < 0 ? text : text.slice(0, hyphen));
  const more = value !== undefined && value.num >= 20n ? WORDS.get(text.slice(hyphen + 1)) : undefined;
  return value && { text, value: (hyphen > 0 && more && add(value, more)) || value };
}

/** "five hundred", "2 thousand". */
function scaled(number: WrittenNumber, next: Token | undefined): WrittenNumber {
  const scale = next?.kind === "word" ? SCALES.get(next.text) : undefined;
  const value = scale && multiply(number.value, scale);
  return value && next ? { text: `${number.text} ${next.text}`, value } : number;
}

function groupValue(text: string): Rational | undefined {
  const parsed = parseExpression(text);
  return parsed && exactValue(parsed);
}

/** `3/4` without blanks. */
function fractionAt(tokens: readonly Token[], at: number): WrittenNumber | undefined {
  const [top, slash, bottom] = [tokens[at], tokens[at + 1], tokens[at + 2]];
  if (top?.kind !== "number" || slash?.text !== "/" || bottom?.kind !== "number") return undefined;
  const [a, b] = [parseNumber(top.text), parseNumber(bottom.text)];
  const value = slash.glued && bottom.glued && a && b ? divide(a, b) : undefined;
  return value && { text: `${top.text}/${bottom.text}`, value };
}

/** Texts of the values that stand for one number: 20 also means 0.2, 0.8 and 1.2, as a percentage does. */
function meanings(value: Rational): readonly string[] {
  const part = divide(value, HUNDRED);
  const all = [value, part, part && subtract(ONE, part), part && add(ONE, part)];
  return all.flatMap((one) => (one === undefined ? [] : toText(one)));
}

/** Texts of what two numbers of the question make: a step that a person takes without writing it. */
function pairs(question: readonly WrittenNumber[]): readonly string[] {
  const values = [ONE, HALF, ...onceEach(question, PAIRED).map(({ value }) => value)];
  const made = values.flatMap((a) =>
    values.flatMap((b) =>
      [add(a, b), subtract(a, b), multiply(a, b), divide(a, b)].flatMap((one) => one ?? []),
    ),
  );
  return made.map(toText);
}

/** Texts of the numbers that fractions and roots are written with. */
function partsIn(tokens: readonly Token[]): readonly string[] {
  const groups = tokens.filter(({ kind }) => kind === "group").slice(0, DIFFERENT);
  const numbers = groups.flatMap(({ text }) => text.match(PART) ?? []);
  return [...new Set(numbers)].flatMap((part) => parseNumber(part) ?? []).map(toText);
}

/** The question's numbers, each value once, at most `most`, with whether the draft has them. */
export function givenOf(
  question: readonly Token[],
  draft: readonly Token[],
  most: number,
): readonly GivenNumber[] {
  const used = new Set([...numbersIn(draft).flatMap(({ value }) => meanings(value)), ...partsIn(draft)]);
  return onceEach(numbersIn(question), most).map(({ text, value }) => ({
    text,
    value: toText(value),
    isUsed: meanings(value).some((meaning) => used.has(meaning)) || isUsedInParts(value, used),
  }));
}

/** A fraction is also used where its parts are: `12 / 4 * 3` for three quarters. */
function isUsedInParts({ num, den }: Rational, used: ReadonlySet<string>): boolean {
  return den !== 1n && used.has(`${den}`) && (num === 1n || used.has(`${num}`));
}

/** The thought's numbers, each value once, at most `most`, with where they come from. */
export function draftNumbersOf(
  thought: readonly Token[],
  question: readonly Token[],
  equations: readonly DraftEquation[],
  most: number,
): readonly DraftNumber[] {
  const asked = numbersIn(question);
  const parts = asked.flatMap(({ value }) => [...meanings(value), `${value.num}`, `${value.den}`]);
  const given = new Set([...parts, ...partsIn(question)]);
  const derived = new Set([...equations.map(({ makes }) => makes), ...resultsIn(thought)]);
  const known = (value: string): DraftNumber["from"] =>
    given.has(value) ? "question" : derived.has(value) ? "derived" : "nowhere";
  const numbers = onceEach(numbersIn(thought), most).map(({ text, value }) => {
    const written = toText(value);
    return { text, value: written, from: known(written) };
  });
  if (numbers.every(({ from }) => from !== "nowhere")) return numbers;
  pairs(asked).forEach((value) => derived.add(value));
  return numbers.map((number) => ({ ...number, from: known(number.value) }));
}

/** Numbers right behind a relation: what the draft makes there. */
function resultsIn(tokens: readonly Token[]): readonly string[] {
  return tokens.flatMap(({ kind }, at) => {
    if (kind !== "relation") return [];
    const next = tokens.slice(at + 1, at + 4).find((token) => !["currency", "mark"].includes(token.kind));
    const number = numberOf(next);
    return number === undefined ? [] : toText(number.value);
  });
}

function onceEach(numbers: readonly WrittenNumber[], most: number): readonly WrittenNumber[] {
  const seen = new Map<string, WrittenNumber>();
  for (const number of numbers) {
    if (seen.size >= most) break;
    const key = toText(number.value);
    if (!seen.has(key)) seen.set(key, number);
  }
  return [...seen.values()];
}
