import { type JsonProblem, readJson } from "../../model/read-json.ts";

/** What a text turned out to be as JSON. */
export interface JsonDocument {
  /** All of it, or what stood before the place where it stops being JSON. Undefined where that is nothing. */
  readonly value: unknown;
  /** Where it stops being JSON, as an offset of the text, and why. Absent where it is whole. */
  readonly broken?: { readonly at: number; readonly why: string };
  /** It is refused as a whole: nested too deep, or of too many values. `broken` says where. */
  readonly excess?: JsonProblem;
  /** `NaN`, `Infinity` and `-Infinity`, which Python writes and JSON does not know; they are read as null. */
  readonly notNumbers: number;
}

/**
 * Reads JSON as far as it goes: of a document that breaks off, or has a slip in its middle, everything before that place.
 * Never throws. A container that was open there holds the members that were complete.
 */
export function readJsonDocument(text: string): JsonDocument {
  const { value, problem } = readJson(text);
  if (problem === undefined) return { value, notNumbers: 0 };
  if (problem.kind === "syntax") return readLeniently(text);
  return { value: undefined, notNumbers: 0, broken: problem, excess: problem };
}

type Container =
  | { readonly kind: "list"; readonly into: unknown[] }
  | { readonly kind: "object"; readonly into: Record<string, unknown>; key: string | undefined };

interface Reader {
  readonly text: string;
  at: number;
  readonly open: Container[];
  root: unknown;
  hasRoot: boolean;
  notNumbers: number;
  /** A value has just ended: a comma or the end of its container follows. */
  ended: boolean;
  /** A comma has just been read: a member follows. */
  continued: boolean;
}

const BLANKS = /[ \t\r\n]*/y;
const SCALAR = /-?(?:NaN|Infinity)|true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

function readLeniently(text: string): JsonDocument {
  const reader: Reader = {
    text,
    at: 0,
    open: [],
    root: undefined,
    hasRoot: false,
    notNumbers: 0,
    ended: false,
    continued: false,
  };
  let why: string | undefined;
  for (;;) {
    skipBlanks(reader);
    if (reader.hasRoot && reader.open.length === 0) {
      why = reader.at < text.length ? "something follows after its end" : undefined;
      break;
    }
    why = step(reader);
    if (why !== undefined) break;
  }
  const { root: value, notNumbers, at } = reader;
  return why === undefined ? { value, notNumbers } : { value, notNumbers, broken: { at, why } };
}

function skipBlanks(reader: Reader): void {
  BLANKS.lastIndex = reader.at;
  BLANKS.exec(reader.text);
  reader.at = BLANKS.lastIndex;
}

/** Reads one token; answers what is wrong with it. */
function step(reader: Reader): string | undefined {
  if (reader.at >= reader.text.length) return "it breaks off";
  const top = reader.open.at(-1);
  const sign = reader.text[reader.at];
  if (top !== undefined && (sign === "]" || sign === "}")) return close(reader, top, sign);
  if (reader.ended) return comma(reader, sign);
  if (top?.kind === "object" && top.key === undefined) return readKey(reader, top);
  return readValue(reader, sign);
}

function comma(reader: Reader, sign: string | undefined): string | undefined {
  if (sign !== ",") return "a comma is expected";
  reader.at++;
  reader.ended = false;
  reader.continued = true;
  return undefined;
}

function close(reader: Reader, top: Container, sign: string): string | undefined {
  if ((top.kind === "list") !== (sign === "]")) return `\`${sign}\` closes what was not opened`;
  if (reader.continued || (top.kind === "object" && top.key !== undefined)) return "a value is missing";
  reader.open.pop();
  reader.at++;
  reader.ended = true;
  return undefined;
}

function readKey(reader: Reader, top: Container & { kind: "object" }): string | undefined {
  const key = readString(reader);
  if (key === undefined) return "a key in quotes is expected";
  skipBlanks(reader);
  if (reader.text[reader.at] !== ":") return "a colon is expected";
  reader.at++;
  top.key = key;
  reader.continued = false;
  return undefined;
}

function readValue(reader: Reader, sign: string | undefined): string | undefined {
  if (sign === "{" || sign === "[") {
    const container: Container =
      sign === "[" ? { kind: "list", into: [] } : { kind: "object", into: {}, key: undefined };
    put(reader, container.into);
    reader.open.push(container);
    reader.at++;
    reader.ended = false;
    return undefined;
  }
  if (sign === '"') {
    const text = readString(reader);
    if (text === undefined) return "a text does not end, or holds what no text may";
    put(reader, text);
    return undefined;
  }
  return readScalar(reader);
}

function readScalar(reader: Reader): string | undefined {
  SCALAR.lastIndex = reader.at;
  const word = SCALAR.exec(reader.text)?.[0];
  if (word === undefined) return "a value is expected";
  // A number at the very end may have lost digits.
  if (reader.open.length > 0 && SCALAR.lastIndex >= reader.text.length) return "it breaks off";
  reader.at = SCALAR.lastIndex;
  const isNumber = !/NaN|Infinity/.test(word);
  if (!isNumber) reader.notNumbers++;
  put(reader, isNumber ? (JSON.parse(word) as unknown) : null);
  return undefined;
}

/** The text that begins here, and the place behind it; undefined where none ends. */
function readString(reader: Reader): string | undefined {
  const { text, at } = reader;
  if (text[at] !== '"') return undefined;
  let end = text.indexOf('"', at + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  if (end === -1) return undefined;
  try {
    const value = JSON.parse(text.slice(at, end + 1)) as string;
    reader.at = end + 1;
    return value;
  } catch {
    return undefined;
  }
}

function isEscaped(text: string, quote: number): boolean {
  let slashes = 0;
  while (text[quote - 1 - slashes] === "\\") slashes++;
  return slashes % 2 === 1;
}

function put(reader: Reader, value: unknown): void {
  const top = reader.open.at(-1);
  reader.ended = true;
  reader.continued = false;
  if (top === undefined) {
    reader.root = value;
    reader.hasRoot = true;
  } else if (top.kind === "list") top.into.push(value);
  else if (top.key !== undefined) {
    // Not by assignment: a key may be `__proto__`.
    Object.defineProperty(top.into, top.key, { value, writable: true, enumerable: true, configurable: true });
    top.key = undefined;
  }
}
