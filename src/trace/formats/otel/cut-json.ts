import { parseJson } from "../../../model/read-json.ts";

/** What VS Code writes at the end of an attribute that it cuts. */
const CUT_MARK = /\.\.\.\[truncated, original \d+ chars\]$/;
const SCALAR = /true|false|null|-?\d[\d.eE+-]*/y;
const BLANK = /\s+/y;

type Awaited = "key" | "colon" | "value" | "comma";

interface Reader {
  readonly text: string;
  at: number;
  /** Open containers by the signs that close them, and what each of them awaits. */
  readonly open: { readonly end: "}" | "]"; awaits: Awaited }[];
  /** Up to here every value is complete. */
  complete: number;
  /** The text that no quote ends, where it is a value. */
  openText: boolean;
}

/**
 * JSON that breaks off, as a limit on the length of attributes leaves it: all that stands before the break, the text that was open there
 * included. Undefined for what is no beginning of JSON.
 */
export function readCutJson(text: string): unknown {
  const reader: Reader = { text: text.replace(CUT_MARK, ""), at: 0, open: [], complete: 0, openText: false };
  for (;;) {
    BLANK.lastIndex = reader.at;
    if (BLANK.test(reader.text)) reader.at = BLANK.lastIndex;
    if (reader.at >= reader.text.length || !step(reader)) break;
  }
  if (reader.at < reader.text.length || reader.open.length === 0) return undefined;
  const ends = reader.open
    .toReversed()
    .map(({ end }) => end)
    .join("");
  if (!reader.openText) return parseJson(reader.text.slice(0, reader.complete) + ends);
  // Of an escape that was cut in its middle nothing is left.
  const whole = reader.text.replace(/(?<!\\)((?:\\\\)*)\\(?:u[0-9a-fA-F]{0,3})?$/, "$1");
  return parseJson(`${whole}"${ends}`);
}

/** Reads one token; false where no JSON goes on so. */
function step(reader: Reader): boolean {
  const { text, at, open } = reader;
  const top = open.at(-1);
  const sign = text[at];
  if (top === undefined && reader.complete > 0) return false;
  if (sign === "{" || sign === "[") {
    if (top !== undefined && top.awaits !== "value") return false;
    if (top !== undefined) top.awaits = "comma";
    open.push(sign === "{" ? { end: "}", awaits: "key" } : { end: "]", awaits: "value" });
    reader.complete = ++reader.at;
    return true;
  }
  if (top === undefined) return false;
  if (sign === top.end) {
    open.pop();
    reader.complete = ++reader.at;
    return true;
  }
  if (sign === "," || sign === ":") {
    if (top.awaits !== (sign === "," ? "comma" : "colon")) return false;
    top.awaits = sign === "," && top.end === "}" ? "key" : "value";
    reader.at++;
    return true;
  }
  return sign === '"' ? readText(reader, top) : readScalar(reader, top);
}

function readText(reader: Reader, top: { awaits: Awaited }): boolean {
  const { text, at } = reader;
  const isKey = top.awaits === "key";
  if (!isKey && top.awaits !== "value") return false;
  let end = text.indexOf('"', at + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  reader.at = end === -1 ? text.length : end + 1;
  if (end === -1) reader.openText = !isKey;
  else if (!isKey) reader.complete = reader.at;
  top.awaits = isKey ? "colon" : "comma";
  return true;
}

function isEscaped(text: string, quote: number): boolean {
  let slashes = 0;
  while (text[quote - 1 - slashes] === "\\") slashes++;
  return slashes % 2 === 1;
}

/** A number or word at the very end may have lost signs, so it is left out. */
function readScalar(reader: Reader, top: { awaits: Awaited }): boolean {
  if (top.awaits !== "value") return false;
  SCALAR.lastIndex = reader.at;
  if (!SCALAR.test(reader.text)) {
    const rest = reader.text.slice(reader.at, reader.at + 5);
    if (!["true", "false", "null", "-"].some((word) => word.startsWith(rest))) return false;
    reader.at = reader.text.length;
    return true;
  }
  reader.at = SCALAR.lastIndex;
  if (reader.at < reader.text.length) {
    reader.complete = reader.at;
    top.awaits = "comma";
  }
  return true;
}
