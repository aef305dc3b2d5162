import { parseJson, readJson, stringEnd } from "../model/read-json.ts";

/** One value of a file that holds many: a line of JSONL, an entry of an array, a row of CSV. */
export interface JsonEntry {
  /** 0-based line where it begins. */
  readonly line: number;
  /** What a person calls it where the line does not say enough: `entry 12`, 1-based; undefined in JSONL. */
  readonly name: string | undefined;
  /** Undefined where the text is no JSON; `problem` then says why. */
  readonly value: unknown;
  /** Its text in the file, without the blanks around it: numbers as they were written. */
  readonly source: string;
  readonly problem?: string;
}

const INCOMPLETE = "it is not complete JSON";
const BROKEN_OFF = "the file breaks off here, before its array ends";

/**
 * The values of a text in its order: the lines of JSONL, the entries of one JSON array (each parsed by itself, so that a file that
 * breaks off still gives those before), or one value over many lines. A byte order mark, CRLF and blank lines do not matter. Never throws.
 */
export function* jsonEntries(text: string): Generator<JsonEntry> {
  const start = text.search(/[^\s\uFEFF]/);
  if (start < 0) return;
  if (text[start] === "[") return yield* arrayEntries(text, start);
  const whole = valueOverLines(text, start);
  if (whole !== undefined) {
    const source = text.slice(start).trim();
    return yield { line: lineCounter(text)(start), name: undefined, value: whole, source };
  }
  yield* lineEntries(text);
}

/** A file that is one value in many lines; JSONL shows itself by its first line. */
function valueOverLines(text: string, start: number): unknown {
  const end = text.indexOf("\n", start);
  if (end < 0 || parseJson(text.slice(start, end)) !== undefined) return undefined;
  return parseJson(text.slice(start));
}

function* lineEntries(text: string): Generator<JsonEntry> {
  let line = 0;
  for (let from = 0; from <= text.length; line++) {
    const at = text.indexOf("\n", from);
    const end = at < 0 ? text.length : at;
    const source = text.slice(from, end).trim();
    from = end + 1;
    if (source !== "") yield entryOf(source, line, undefined);
  }
}

function entryOf(source: string, line: number, name: string | undefined, problem = INCOMPLETE): JsonEntry {
  const { value, problem: found } = readJson(source);
  if (found === undefined) return { line, name, value, source };
  return { line, name, value, source, problem: found.kind === "syntax" ? problem : found.why };
}

function* arrayEntries(text: string, open: number): Generator<JsonEntry> {
  const lineOf = lineCounter(text);
  let number = 0;
  let from = open + 1;
  for (;;) {
    const end = elementEnd(text, from);
    const source = text.slice(from, end);
    const begins = from + Math.max(0, source.search(/\S/));
    const cutOff = end === text.length;
    const entry =
      source.trim() === ""
        ? undefined
        : entryOf(source.trim(), lineOf(begins), `entry ${++number}`, cutOff ? BROKEN_OFF : INCOMPLETE);
    if (entry !== undefined) yield entry;
    if (cutOff) {
      if (entry?.problem === undefined) yield theEnd(lineOf(begins), BROKEN_OFF);
      return;
    }
    from = end + 1;
    if (text[end] === "]") break;
  }
  if (text.slice(from).trim() !== "") yield theEnd(lineOf(from), "more text follows the array");
}

const theEnd = (line: number, problem: string): JsonEntry => ({
  line,
  name: undefined,
  value: undefined,
  source: "",
  problem,
});

/** The 0-based line of a position; asked with growing ones. Every line is looked for once, also in a file of one long line. */
function lineCounter(text: string): (position: number) => number {
  let line = 0;
  const following = (from: number): number => {
    const at = text.indexOf("\n", from);
    return at < 0 ? text.length : at;
  };
  let next = following(0);
  return (position) => {
    for (; next < position; next = following(next + 1)) line++;
    return line;
  };
}

const QUOTE = 34;
const COMMA = 44;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;

/** Where the element that begins at `from` ends: its comma or the bracket that closes all; the length of the text where neither comes. */
function elementEnd(text: string, from: number, closes = CLOSE_BRACKET): number {
  let depth = 0;
  for (let i = from; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) i = stringEnd(text, i);
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) depth++;
    else if (depth === 0 && (code === COMMA || code === closes)) return i;
    else if (depth > 0 && (code === CLOSE_BRACE || code === CLOSE_BRACKET)) depth--;
  }
  return text.length;
}

/**
 * The JSON text of a member of an object, as it was written: `JSON.parse` makes 1 of `1.0` and loses digits of long integers. Of several
 * members of one name the last, as `JSON.parse` takes it. Undefined without such a member. `object`: the text of a valid JSON object.
 */
export function memberSource(object: string, name: string): string | undefined {
  let found: string | undefined;
  for (let from = object.indexOf("{") + 1; from < object.length;) {
    const open = object.indexOf('"', from);
    if (open < 0) return found;
    const close = stringEnd(object, open);
    const colon = object.indexOf(":", close);
    if (colon < 0) return found;
    const end = elementEnd(object, colon + 1, CLOSE_BRACE);
    if (parseJson(object.slice(open, close + 1)) === name) found = object.slice(colon + 1, end).trim();
    from = end + 1;
  }
  return found;
}
