/**
 * Deepest nesting that any reader of HASP takes, JSON and YAML alike: 200 levels. JSON of a program is rarely 20 deep; recursive code
 * (schemas, comparison, views) is safe at this depth, and runs out of stack at some thousands.
 */
export const MAX_DEPTH = 200;

/** Most values of one JSON text: `[{},{},…]` takes 20 times its length in memory. A million tokens with their probabilities are fewer. */
export const MAX_JSON_VALUES = 5_000_000;

/** Why a text gives no value. */
export interface JsonProblem {
  readonly kind: "syntax" | "deep" | "large";
  /** Offset in the text where it begins; of a syntax error 0, since the engine names none that can be relied on. */
  readonly at: number;
  /** A clause for a message, without a full stop: `it is nested more than 200 levels deep`. */
  readonly why: string;
  /** Of a syntax error, the words of the engine; they change with its version. */
  readonly engine?: string;
}

export type JsonResult =
  | { readonly value: unknown; readonly problem?: undefined }
  | { readonly value: undefined; readonly problem: JsonProblem };

/**
 * Reads JSON that may come from anyone: the only place where such text is parsed. Depth and number of values are limited before the parse,
 * so that neither the stack nor the memory runs out. Never throws. The length is limited by who reads the bytes.
 */
export function readJson(text: string): JsonResult {
  const problem = jsonExcess(text);
  if (problem !== undefined) return { value: undefined, problem };
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (error) {
    const engine = error instanceof Error ? error.message : "";
    return { value: undefined, problem: { kind: "syntax", at: 0, why: "it is not valid JSON", engine } };
  }
}

/** The value of the text, or undefined where `readJson` has a problem with it; JSON itself has no `undefined`. */
export function parseJson(text: string): unknown {
  return readJson(text).value;
}

const QUOTE = 34;
const COMMA = 44;
const OPEN_BRACKET = 91;
const BACKSLASH = 92;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;

/**
 * The first excess of a text, found without parsing it, also if it is no JSON. One pass; strings are skipped at the speed of `indexOf`.
 * `levels`: how deep it may be nested.
 */
export function jsonExcess(text: string, levels = MAX_DEPTH): JsonProblem | undefined {
  // Each level takes a character to open and each value one more: a short text needs no look.
  if (text.length <= levels) return undefined;
  let depth = 0;
  let values = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = stringEnd(text, at);
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      values++;
      if (++depth > levels) return tooDeep(at, levels);
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth--;
    else if (code === COMMA && ++values > MAX_JSON_VALUES) return tooMany(at);
  }
  return values > MAX_JSON_VALUES ? tooMany(0) : undefined;
}

function tooDeep(at: number, levels: number): JsonProblem {
  return { kind: "deep", at, why: `it is nested more than ${levels} levels deep` };
}

function tooMany(at: number): JsonProblem {
  return { kind: "large", at, why: `it holds more than ${MAX_JSON_VALUES} values` };
}

/** The first excess that the JSON of a value would have, found without making it. */
export function excessOfValue(value: unknown, levels = MAX_DEPTH): JsonProblem | undefined {
  let values = 0;
  const look = (one: unknown, left: number): JsonProblem | undefined => {
    if (typeof one !== "object" || one === null) return undefined;
    if (left === 0) return tooDeep(0, levels);
    const members: readonly unknown[] = Array.isArray(one) ? one : Object.values(one);
    values += 1 + Math.max(0, members.length - 1);
    if (values > MAX_JSON_VALUES) return tooMany(0);
    for (const member of members) {
      const found = look(member, left - 1);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return look(value, levels);
}

/** The closing quote of the JSON string that opens at `open`; the length of the text where none comes. */
export function stringEnd(text: string, open: number): number {
  for (let end = text.indexOf('"', open + 1); end !== -1; end = text.indexOf('"', end + 1))
    if (!isEscaped(text, end)) return end;
  return text.length;
}

function isEscaped(text: string, quote: number): boolean {
  let before = quote - 1;
  while (text.charCodeAt(before) === BACKSLASH) before--;
  return (quote - before) % 2 === 0;
}
