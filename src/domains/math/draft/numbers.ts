import { exactValue } from "../expression/evaluate.ts";
import { parseExpression } from "../expression/parse.ts";
import {
  add,
  divide,
  multiply,
  ONE,
  parseNumber,
  subtract,
  toText,
  type Rational,
} from "../expression/rational.ts";
import type { DraftEquation, DraftNumber, GivenNumber } from "../math-types.d.ts";
import { HALF, HUNDRED } from "./constants.ts";
import { numberWord, scaleOf } from "./number-words.ts";
import type { Token, TokenKind } from "./token.ts";

/** A number as it is written in a text. */
interface WrittenNumber {
  readonly text: string;
  readonly value: Rational;
}

/** Different numbers of a text that are read. */
const DIFFERENT = 1_000;

/** Numbers of a question that are tried with each other. */
const PAIRED = 10;

const PART = /\d+(?:\.\d+)?/g;

/** Numbers of a text in its order, those in words too, each text once; a fraction is one. */
function numbersIn(tokens: readonly Token[]): readonly WrittenNumber[] {
  const found = new Map<string, WrittenNumber>();
  for (let at = 0; at < tokens.length && found.size < DIFFERENT; at++) {
    const isKnown = found.has(tokens[at]?.text ?? "");
    if (isKnown && tokens[at + 1]?.text !== "/" && tokens[at + 1]?.kind !== "word") continue;
    const fraction = fractionAt(tokens, at);
    const number = fraction ?? numberOf(tokens[at]) ?? oneHundred(tokens, at);
    const whole = number && scaled(number, tokens[at + 1]);
    if (whole !== undefined) found.set(whole.text, whole);
    if (fraction !== undefined) at += 2;
  }
  return [...found.values()];
}

function numberOf(token: Token | undefined): WrittenNumber | undefined {
  if (token === undefined) return undefined;
  const { kind, text } = token;
  const value = VALUES[kind]?.(text);
  return value && { text, value };
}

/** "five hundred", "2 thousand". */
function scaled(number: WrittenNumber, next: Token | undefined): WrittenNumber {
  const scale = next?.kind === "word" ? scaleOf(next.text) : undefined;
  const value = scale && multiply(number.value, scale);
  return value && next ? { text: `${number.text} ${next.text}`, value } : number;
}

/** "a hundred", "one thousand": the first word alone seldom counts. */
function oneHundred(tokens: readonly Token[], at: number): WrittenNumber | undefined {
  const [first, next] = [tokens[at], tokens[at + 1]];
  const isOne = first?.kind === "word" && ["a", "one"].includes(first.text.toLowerCase());
  return isOne && next?.kind === "word" && scaleOf(next.text) ? { text: first.text, value: ONE } : undefined;
}

function groupValue(text: string): Rational | undefined {
  const parsed = parseExpression(text);
  return parsed && exactValue(parsed);
}

/** How a kind of token is read as a number. */
const VALUES: Partial<Record<TokenKind, (text: string) => Rational | undefined>> = {
  word: numberWord,
  number: parseNumber,
  opaque: parseNumber,
  group: groupValue,
};

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

/** Texts of what a sum or a difference of two percentages of the question stands for: 1.28 for a tip of 20% and a tax of 8%. */
function percentagesOfTwo(question: readonly Token[]): readonly string[] {
  const percentages = question.flatMap(({ kind, text }, at) => {
    const value = kind === "number" && question[at + 1]?.text === "%" ? parseNumber(text) : undefined;
    return value === undefined ? [] : { text, value };
  });
  const values = onceEach(percentages, PAIRED).map(({ value }) => value);
  const made = values.flatMap((a) => values.flatMap((b) => [add(a, b), subtract(a, b)]));
  return made.flatMap((one) => (one === undefined ? [] : meanings(one)));
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

/** Texts of the numbers that fractions, roots and exponents are written with. */
function partsIn(tokens: readonly Token[]): readonly string[] {
  const written = tokens.filter(({ kind }) => kind === "group" || kind === "postfix").slice(0, DIFFERENT);
  const numbers = written.flatMap(({ text }) => text.match(PART) ?? []);
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
  const made = equations.flatMap(({ makes }) => [makes, unsigned(makes)]);
  const derived = new Set([...made, ...resultsIn(thought)]);
  for (const value of coefficientsIn(thought)) derived.add(value);
  const known = (value: string): DraftNumber["from"] =>
    given.has(value) ? "question" : derived.has(value) ? "derived" : "nowhere";
  const numbers = onceEach(numbersIn(thought), most).map(({ text, value }) => {
    const written = toText(value);
    return { text, value: written, from: known(written) };
  });
  if (numbers.every(({ from }) => from !== "nowhere")) return numbers;
  for (const value of [...pairs(asked), ...percentagesOfTwo(question)]) derived.add(value);
  return numbers.map((number) => ({ ...number, from: known(number.value) }));
}

/** A number of a thought is read without the sign in front: `-34` is a result where `34` is computed with. */
const unsigned = (value: string): string => value.replace(/^-/, "");

/** Words between a calculation and its result: "84 - 17 - 5 leaves 62". */
const STATES = new Set("is are leaves makes gives equals".split(" "));

/** Numbers right behind a relation, or behind a calculation and a word that states its result. */
function resultsIn(tokens: readonly Token[]): readonly string[] {
  return tokens.flatMap(({ kind, text }, at) => {
    const isStated = kind === "word" && STATES.has(text) && isCalculation(tokens, at);
    if (kind !== "relation" && !isStated) return [];
    const next = tokens.slice(at + 1, at + 5).find((token) => !isBeforeResult(token));
    const number = numberOf(next);
    return number === undefined ? [] : toText(number.value);
  });
}

const isBeforeResult = ({ kind, text }: Token): boolean =>
  kind === "currency" || kind === "mark" || (kind === "operator" && text === "-");

/** An operator and its operand are right in front of an index. */
function isCalculation(tokens: readonly Token[], at: number): boolean {
  const signs = tokens.slice(Math.max(0, at - 3), at).filter(({ kind }) => kind !== "currency");
  const [operator, operand] = signs.slice(-2);
  return operator?.kind === "operator" && operand?.kind === "number";
}

/** Factors of variables, which collecting terms makes: 42 of `42x = 840`. */
function coefficientsIn(tokens: readonly Token[]): readonly string[] {
  return tokens.flatMap((token, at) => {
    const next = tokens[at + 1];
    const number = next?.kind === "variable" && next.glued ? numberOf(token) : undefined;
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
