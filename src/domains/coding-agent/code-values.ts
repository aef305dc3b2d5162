import { fromBase64 } from "./bash-output.ts";
import type { CodeToken } from "./code-tokens.ts";

/** A text that a program computes from texts written in it; `isOpen`: it has parts that only a run knows. */
export interface CodeText {
  readonly text: string;
  readonly isOpen: boolean;
}
/** A value: one text, several (a list), or nothing that is known. */
export type CodeValue = readonly CodeText[] | undefined;

export interface CodeReader {
  readonly tokens: readonly CodeToken[];
  at: number;
  readonly vars: Map<string, CodeValue>;
  depth: number;
}

const MAX_DEPTH = 20;
const MAX_LIST = 60;

/** Names that say where somebody's home is, and where the program runs. */
const HOME = /(?:^|[.:])(?:home|homedir)$|^(?:process|Deno)\.env\.(?:HOME|USERPROFILE)$/;
const HERE = /(?:^|[.:])(?:getcwd|cwd|pwd)$|^__dirname$/;
const ENVIRONMENT =
  /^(?:os\.environ(?:\.get)?|os\.getenv|getenv|process\.env|[$%]?ENV(?:\.fetch)?|\$_(?:ENV|SERVER)|Deno\.env\.get)$/;
const JOINS = /(?:^|\.)(?:join|joinpath|resolve|catdir|catfile)$/;
/** Calls that give back the path that they are given. */
const SAME =
  /(?:^|[.:])(?:expanduser|expandvars|abspath|realpath|normpath|normalize|expand_path|fspath|str|String|Path|PurePath|Pathname|new|glob|bsd_glob|iglob|Dir|list|sorted|decode|quote|shellescape)$/;
const DECODES = /(?:^|[.:])(?:b64decode|decode_base64|decode64|base64_decode|atob|urlsafe_b64decode)$/;
/** What may follow a value and leaves it as it is. */
const KEEPS = /^(?:expanduser|resolve|absolute|as_posix|to_s|trim|strip|decode|toString|to_path)$/;

export const peek = (reader: CodeReader, ahead = 0): string => {
  const token = reader.tokens[reader.at + ahead];
  return token?.kind === "string" ? "" : (token?.text ?? "");
};

/** The value of the expression at the cursor, which stands behind it then. */
export function readValue(reader: CodeReader): CodeValue {
  if (++reader.depth > MAX_DEPTH) {
    reader.depth--;
    return undefined;
  }
  let value = readTerm(reader);
  for (;;) {
    const mark = peek(reader);
    if (mark !== "+" && mark !== "." && mark !== "/") break;
    reader.at++;
    const isMethod = mark === "." && reader.tokens[reader.at]?.kind === "name" && peek(reader, 1) !== "{";
    value = isMethod ? afterMethod(reader, value) : added(value, readTerm(reader), mark === "/" ? "/" : "");
  }
  reader.depth--;
  return value;
}

function added(left: CodeValue, right: CodeValue, between: string): CodeValue {
  if (left?.length !== 1 || right?.length !== 1) return undefined;
  const [a, b] = [left[0], right[0]];
  if (a === undefined || b === undefined) return undefined;
  return [{ text: pathOf(a.text, b.text, between), isOpen: a.isOpen || b.isOpen }];
}

function pathOf(left: string, right: string, between: string): string {
  if (between === "/" && right.startsWith("/")) return right;
  return `${left}${left.endsWith("/") ? "" : between}${right}`;
}

const one = (text: string): CodeValue => [{ text, isOpen: false }];

/** `.decode()` and `.expanduser()` keep a value; of others nothing is known. */
function afterMethod(reader: CodeReader, value: CodeValue): CodeValue {
  const name = peek(reader);
  reader.at++;
  // In PHP and Perl the same mark joins texts.
  if (ENVIRONMENT.test(name)) return added(value, readNamed(reader, name), "");
  if (value === undefined) return readNamed(reader, name);
  if (peek(reader) !== "(") return KEEPS.test(name) ? value : HOME.test(name) ? one("~") : undefined;
  const args = readArguments(reader);
  if (HOME.test(name)) return one("~");
  if (KEEPS.test(name)) return value;
  return name === "joinpath" ? args.reduce<CodeValue>((sum, arg) => added(sum, arg, "/"), value) : undefined;
}

function readTerm(reader: CodeReader): CodeValue {
  const token = reader.tokens[reader.at];
  if (token === undefined) return undefined;
  reader.at++;
  if (token.kind === "string") {
    let text = filled(token, reader);
    // Texts that stand beside each other are one.
    while (reader.tokens[reader.at]?.kind === "string") {
      const next = filled(reader.tokens[reader.at] ?? token, reader);
      text = { text: text.text + next.text, isOpen: text.isOpen || next.isOpen };
      reader.at++;
    }
    return [text];
  }
  if (token.kind === "name") return readNamed(reader, token.text);
  if (token.text === "[" || token.text === "(" || token.text === "{") return readList(reader, token.text);
  return token.text === "\\" || token.text === "*" ? readTerm(reader) : undefined;
}

/** A string with the values that the text itself gives to its variables. */
function filled(token: CodeToken, reader: CodeReader): CodeText {
  if (token.isOpen !== true) return { text: token.text, isOpen: false };
  let isOpen = false;
  const text = token.text.replace(/\$(\w+)/g, (whole, name: string) => {
    const value = reader.vars.get(name) ?? reader.vars.get(`$${name}`);
    if (value?.length === 1 && value[0]?.isOpen === false) return value[0].text;
    isOpen = true;
    return whole;
  });
  return { text, isOpen };
}

function readList(reader: CodeReader, opening: string): CodeValue {
  reader.at--;
  const items = readArguments(reader);
  if (opening === "(") return items.length === 1 ? items[0] : flat(items);
  return flat(items);
}

function flat(items: readonly CodeValue[]): CodeValue {
  return items.some((item) => item === undefined) ? undefined : items.flatMap((item) => item ?? []);
}

/** The values between the bracket at the cursor and its end; `key=value` and `key: value` are left out. */
export function readArguments(reader: CodeReader): CodeValue[] {
  const items: CodeValue[] = [];
  reader.at++;
  let depth = 0;
  while (reader.at < reader.tokens.length) {
    const mark = peek(reader);
    const token = reader.tokens[reader.at];
    if (token?.kind === "mark" && depth === 0 && /[)\]}]/.test(mark)) {
      reader.at++;
      break;
    }
    if (token?.kind === "mark" && /[,\n]/.test(mark)) reader.at++;
    else if (depth > 0 || items.length >= MAX_LIST) {
      if (/^[([{]$/.test(mark)) depth++;
      else if (/^[)\]}]$/.test(mark)) depth--;
      reader.at++;
    } else if (token?.kind === "name" && /^[=:]$/.test(peek(reader, 1)) && peek(reader, 2) !== "=") {
      reader.at += 2;
      readValue(reader);
    } else {
      items.push(readValue(reader));
      depth = skipRest(reader);
    }
  }
  return items;
}

/** Goes to the end of an argument whose rest is not understood; brackets that it opens are passed. */
function skipRest(reader: CodeReader): number {
  let depth = 0;
  while (reader.at < reader.tokens.length) {
    const token = reader.tokens[reader.at];
    if (token?.kind === "mark") {
      if (depth === 0 && /[,)\]}]/.test(token.text)) return 0;
      if (/[([{]/.test(token.text)) depth++;
      else if (/[)\]}]/.test(token.text)) depth--;
    }
    reader.at++;
  }
  return 0;
}

function readNamed(reader: CodeReader, name: string): CodeValue {
  if (name === "await" || name === "new" || (name === "glob" && peek(reader) === "")) return readTerm(reader);
  const next = peek(reader);
  if (ENVIRONMENT.test(name))
    return variableOf(next === "(" || next === "[" || next === "{" ? key(reader) : "");
  if (next !== "(") {
    if (HOME.test(name)) return one("~");
    if (HERE.test(name)) return one(".");
    return reader.vars.get(name);
  }
  const args = readArguments(reader);
  if (HOME.test(name)) return one("~");
  if (HERE.test(name)) return one(".");
  if (ENVIRONMENT.test(name)) return variableOf(args[0]?.[0]?.text ?? "");
  if (JOINS.test(name))
    return args.reduce<CodeValue>((sum, arg) => (sum?.length === 0 ? arg : added(sum, arg, "/")), []);
  if (DECODES.test(name) || (name.endsWith("Buffer.from") && args[1]?.[0]?.text === "base64")) {
    const text = fromBase64(args[0]?.[0]?.text ?? "?");
    return text === undefined ? undefined : one(text);
  }
  return SAME.test(name) ? args[0] : undefined;
}

/** The text between the brackets at the cursor: `['HOME']`, `{HOME}`, `("HOME", …)`. */
function key(reader: CodeReader): string {
  const token = reader.tokens[reader.at + 1];
  readArguments(reader);
  return token?.text ?? "";
}

function variableOf(name: string): CodeValue {
  if (name === "HOME" || name === "USERPROFILE") return one("~");
  return name === "PWD" ? one(".") : undefined;
}
