import type { ShellWord } from "./shell-reading.ts";

/** A place in a PowerShell text, and what to do with the commands that stand within a word. */
export interface Cursor {
  readonly text: string;
  at: number;
  /** Reads the statements up to the closing mark, which it consumes. The cursor stands behind the opening one. */
  readonly inside: (close: ")" | "}") => void;
  readonly fail: (message: string, at: number) => void;
}

/** A word, and how it begins: `bare` words name programs, others are values. */
export interface PsWord extends ShellWord {
  readonly start: number;
  readonly kind: "bare" | "value" | "block";
}

interface Draft {
  text: string;
  literal: boolean;
  readonly substitutions: string[];
}

const ENDS_WORD = /[\s;|&)}]/;
const BLANK = /[ \t\f\v\u00A0]/;

/** Blanks, continued lines and comments; with `lines`, line ends too. */
export function skipBlanks(cursor: Cursor, lines: boolean): void {
  const { text } = cursor;
  for (;;) {
    const c = text[cursor.at];
    if (c === undefined) return;
    if (BLANK.test(c) || (lines && /[\r\n;]/.test(c))) cursor.at++;
    else if (c === "`" && /^`\r?\n/.test(text.slice(cursor.at, cursor.at + 3)))
      cursor.at = text.indexOf("\n", cursor.at) + 1;
    else if (c === "#") cursor.at = orEnd(text.indexOf("\n", cursor.at), text);
    else if (text.startsWith("<#", cursor.at)) skipComment(cursor);
    else return;
  }
}

function skipComment(cursor: Cursor): void {
  const end = cursor.text.indexOf("#>", cursor.at + 2);
  if (end === -1) cursor.fail("a comment is not closed", cursor.at);
  cursor.at = end === -1 ? cursor.text.length : end + 2;
}

function orEnd(at: number, text: string): number {
  return at === -1 ? text.length : at;
}

/** The word at the cursor, which must stand on one. */
export function readWord(cursor: Cursor): PsWord {
  const start = cursor.at;
  const draft: Draft = { text: "", literal: true, substitutions: [] };
  const first = cursor.text[start] ?? "";
  if (first === "{") return readBlock(cursor, start);
  while (cursor.at < cursor.text.length && !ENDS_WORD.test(cursor.text[cursor.at] ?? "")) {
    const before = cursor.at;
    readPart(cursor, draft);
    if (cursor.at === before) cursor.at++;
  }
  return { ...draft, start, kind: /^(?:[$@'"([!,+]|\d)/.test(first) ? "value" : "bare" };
}

function readBlock(cursor: Cursor, start: number): PsWord {
  cursor.at++;
  cursor.inside("}");
  const text = cursor.text.slice(start, cursor.at);
  return { text, literal: true, substitutions: [], start, kind: "block" };
}

function readPart(cursor: Cursor, draft: Draft): void {
  const { text, at } = cursor;
  const two = text.slice(at, at + 2);
  if (two === "@'" || two === '@"') return readHereString(cursor, draft);
  if (two === "@{") return skipTable(cursor, draft);
  if (two === "$(" || two === "@(") return readNested(cursor, draft, 2);
  switch (text[at]) {
    case "(":
      return readNested(cursor, draft, 1);
    case "'":
      return readSingle(cursor, draft);
    case '"':
      return readDouble(cursor, draft);
    case "`":
      draft.text += text[at + 1] ?? "";
      cursor.at += 2;
      return;
    case "$":
      return readVariable(cursor, draft);
    default:
      draft.text += text[at] ?? "";
      cursor.at++;
  }
}

function readNested(cursor: Cursor, draft: Draft, opening: number): void {
  const start = cursor.at;
  cursor.at += opening;
  cursor.inside(")");
  const written = cursor.text.slice(start, cursor.at);
  draft.text += written;
  draft.literal = false;
  draft.substitutions.push(written);
}

const VARIABLE = /\$(?:\{[^}]*\}|[\w:?^$]+)/y;

function readVariable(cursor: Cursor, draft: Draft): void {
  VARIABLE.lastIndex = cursor.at;
  const name = VARIABLE.exec(cursor.text)?.[0] ?? "$";
  draft.text += name;
  if (name.length > 1) draft.literal = false;
  cursor.at += name.length;
}

function readSingle(cursor: Cursor, draft: Draft): void {
  const { text } = cursor;
  const start = cursor.at;
  for (cursor.at++; cursor.at < text.length; cursor.at++) {
    if (text[cursor.at] !== "'") draft.text += text[cursor.at];
    else if (text[cursor.at + 1] === "'") {
      draft.text += "'";
      cursor.at++;
    } else {
      cursor.at++;
      return;
    }
  }
  cursor.fail("a quote is not closed", start);
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", "0": "\0" };

function readDouble(cursor: Cursor, draft: Draft): void {
  const { text } = cursor;
  const start = cursor.at++;
  while (cursor.at < text.length) {
    const c = text[cursor.at] ?? "";
    const next = text[cursor.at + 1] ?? "";
    if (c === '"' && next !== '"') {
      cursor.at++;
      return;
    }
    if (c === '"' || c === "`") {
      draft.text += c === '"' ? '"' : (ESCAPES[next] ?? next);
      cursor.at += 2;
    } else if (c === "$" && next === "(") readNested(cursor, draft, 2);
    else if (c === "$") readVariable(cursor, draft);
    else {
      draft.text += c;
      cursor.at++;
    }
  }
  cursor.fail("a quote is not closed", start);
}

/** `@'` and `@"` up to a line that begins with the same the other way round. */
function readHereString(cursor: Cursor, draft: Draft): void {
  const { text } = cursor;
  const start = cursor.at;
  const quote = text[start + 1] ?? "'";
  const end = text.indexOf(`\n${quote}@`, start);
  if (end === -1) cursor.fail("a here-string is not closed", start);
  const body = text.slice(orEnd(text.indexOf("\n", start), text) + 1, end === -1 ? text.length : end);
  draft.text += body.replace(/\r$/, "");
  cursor.at = end === -1 ? text.length : end + 3;
  if (quote !== '"' || !body.includes("$")) return;
  draft.literal = false;
  if (body.includes("$(")) cursor.fail("programs inside a here-string were not read", start);
}

/** `@{ a = 1 }` is data. */
function skipTable(cursor: Cursor, draft: Draft): void {
  const { text } = cursor;
  const start = cursor.at;
  let depth = 0;
  for (cursor.at++; cursor.at < text.length; cursor.at++) {
    const c = text[cursor.at];
    if (c === "'" || c === '"') {
      // Its text is not needed; a brace within quotes must not count.
      const quoted = { text: "", literal: true, substitutions: [] };
      if (c === "'") readSingle(cursor, quoted);
      else readDouble(cursor, quoted);
      cursor.at--;
    } else if (c === "{") depth++;
    else if (c === "}" && --depth === 0) {
      cursor.at++;
      break;
    }
  }
  if (depth > 0) cursor.fail("a table is not closed", start);
  draft.text += text.slice(start, cursor.at);
  draft.literal = false;
}
