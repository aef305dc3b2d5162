import { exactValue } from "../expression/evaluate.ts";
import { parseExpression } from "../expression/parse.ts";
import { divide, parseNumber, rational, subtract, toText, type Rational } from "../expression/rational.ts";
import type { DraftEquation, DraftNumber, GivenNumber } from "../math-types.d.ts";
import type { Token } from "./tokens.ts";

/** A number as it is written in a text. */
export interface WrittenNumber {
  readonly text: string;
  readonly value: Rational;
}

const HUNDRED: Rational = { num: 100n, den: 1n };

/** "One" and "a" are left out: they seldom count. */
const WORDS: ReadonlyMap<string, Rational> = new Map(
  (
    "two 2|three 3|four 4|five 5|six 6|seven 7|eight 8|nine 9|ten 10|eleven 11|twelve 12|thirteen 13|fourteen 14|fifteen 15|sixteen 16" +
    "|seventeen 17|eighteen 18|nineteen 19|twenty 20|dozen 12|dozens 12|twice 2|double 2|thrice 3|triple 3|half 1/2"
  )
    .split("|")
    .map((entry) => {
      const [word = "", num = "", den = "1"] = entry.split(/[ /]/);
      return [word, rational(BigInt(num), BigInt(den)) ?? HUNDRED];
    }),
);

/** Numbers of a text in its order, those in words too; a fraction is one. */
export function numbersIn(tokens: readonly Token[]): readonly WrittenNumber[] {
  const found: WrittenNumber[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const fraction = fractionAt(tokens, at);
    const number = fraction ?? numberOf(tokens[at]);
    if (number !== undefined) found.push(number);
    if (fraction !== undefined) at += 2;
  }
  return found;
}

function numberOf(token: Token | undefined): WrittenNumber | undefined {
  if (token === undefined) return undefined;
  const { kind, text } = token;
  if (kind === "word") return word(text);
  const value = kind === "number" ? parseNumber(text) : kind === "group" ? groupValue(text) : undefined;
  return value && { text, value };
}

function word(text: string): WrittenNumber | undefined {
  const value = WORDS.get(text) ?? WORDS.get(text.split("-")[0] ?? "");
  return value && { text, value };
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

/** Texts of the values that stand for one number: 20 also means 0.2 and 0.8, as a percentage does. */
function meanings(value: Rational): readonly string[] {
  const part = divide(value, HUNDRED);
  const rest = part && subtract({ num: 1n, den: 1n }, part);
  return [value, part, rest].flatMap((one) => (one === undefined ? [] : toText(one)));
}

/** The question's numbers, each value once, at most `most`, with whether the draft has them. */
export function givenOf(
  question: readonly WrittenNumber[],
  draft: readonly WrittenNumber[],
  most: number,
): readonly GivenNumber[] {
  const used = new Set(draft.flatMap(({ value }) => meanings(value)));
  return onceEach(question, most).map(({ text, value }) => ({
    text,
    value: toText(value),
    isUsed:
      meanings(value)
        .slice(0, 2)
        .some((meaning) => used.has(meaning)) || isUsedInParts(value, used),
  }));
}

/** A fraction is also used where its parts are: `12 / 4 * 3` for three quarters. */
function isUsedInParts({ num, den }: Rational, used: ReadonlySet<string>): boolean {
  return den !== 1n && used.has(`${den}`) && (num === 1n || used.has(`${num}`));
}

/** The thought's numbers, each value once, at most `most`, with where they come from. */
export function draftNumbersOf(
  thought: readonly Token[],
  question: readonly WrittenNumber[],
  equations: readonly DraftEquation[],
  most: number,
): readonly DraftNumber[] {
  const given = new Set(
    question.flatMap(({ value }) => [...meanings(value), `${value.num}`, `${value.den}`]),
  );
  const derived = new Set([...equations.map(({ makes }) => makes), ...resultsIn(thought)]);
  return onceEach(numbersIn(thought), most).map(({ text, value }) => {
    const written = toText(value);
    const from = given.has(written) ? "question" : derived.has(written) ? "derived" : "nowhere";
    return { text, value: written, from };
  });
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
