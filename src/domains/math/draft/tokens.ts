import { FRACTIONS, SEPARATOR, SIZES, TEXTS } from "../expression/latex.ts";
import { READ_CHARS } from "./limits.ts";
import type { Token, TokenKind } from "./token.ts";
import { calculates } from "./words.ts";

/** A longer number is not read. */
const NUMBER = 60;
/** Fractions in fractions that are read. */
const DEPTH = 8;
/** Characters of one argument of a command. */
const ARGUMENT = 400;
const IN_EXPRESSION: ReadonlySet<TokenKind> = new Set([
  "number",
  "group",
  "variable",
  "operator",
  "postfix",
  "open",
  "close",
]);

const OPERATORS: ReadonlyMap<string, string> = new Map([
  ..."+-*/^".split("").map((sign) => [sign, sign] as const),
  ["−", "-"],
  ["–", "-"],
  ["×", "*"],
  ["·", "*"],
  ["⋅", "*"],
  ["∗", "*"],
]);

const COMMANDS: ReadonlyMap<string, { readonly kind: TokenKind; readonly text: string }> = new Map(
  (
    [
      ["operator", "*", "times cdot ast"],
      ["relation", "≈", "approx simeq"],
      ["relation", "other", "ne neq le leq ge geq lt gt sim equiv cong"],
      ["wall", "", "implies iff Rightarrow Longrightarrow rightarrow to quad qquad therefore"],
      ["dots", "", "ldots dots cdots"],
      ["word", "degrees", "circ degree"],
    ] as const
  ).flatMap(([kind, text, names]) => names.split(" ").map((name) => [name, { kind, text }] as const)),
);

/** Commands that show their argument in another way and mean nothing. */
const LAYOUT = new Set([
  ...SIZES,
  ...TEXTS,
  ..."displaystyle textstyle boxed fbox cancel hfill limits".split(" "),
]);

/** Commands with arguments that make one operand: how many there are. */
const GROUPS: ReadonlyMap<string, number> = new Map([
  ...FRACTIONS.map((name) => [name, 2] as const),
  ["binom", 2],
  ["sqrt", 1],
]);

const GLUED_UNITS = new Set("kg cm mm km ml mg lb lbs oz ft mph min mins hr hrs sec secs am pm".split(" "));
const BLANK = /[^\S\n]/;
const DIGIT = /\d/;
const LETTER = /\p{L}/u;
const WORD = /\p{L}[\p{L}'’]*(?:-\p{L}[\p{L}'’]*)*/uy;
const PLAIN = /\d+(?:\.\d+)?|\.\d+/y;
const THOUSANDS = new RegExp(String.raw`\d{1,3}(?:(?:${SEPARATOR})\d{3})+(?!\d)(?:\.\d+)?`, "y");
/** Behind a number: time, ratio, range, list without blanks, index, feet and inches, version, repeating decimals, date. */
const NO_NUMBER =
  /[:,–_]\d|[^\S\n]:[^\S\n]\d|['"]\d|_|\.\d|\.(?:\(\d|\\(?:overline|bar|dot)(?![a-zA-Z]))|(?:\/\d{1,2}\/\d{4})(?!\d)|(?:st|nd|rd|th)(?!\p{L})/uy;
const COMMAND = /\\(?:[A-Za-z]+|[^A-Za-z])/y;
const MARK = /<<([^<>\n]*)>>/y;
const CONTINUES = /[\s&]{0,20}(?:=|\\approx|≈)(?!=)/y;
const BULLET = /[-*+•–][^\S\n]|\(?\d{1,3}[.)][^\S\n]/y;
const BESIDE_VARIABLE = /\s*(?:[-+=^)*/≈]|\\cdot|\\times|\\approx)/y;
const DEGREE = /\^(?:\\circ(?![a-zA-Z])|\{\\circ\})/y;
const ENVIRONMENT = /\{[a-zA-Z*]{1,20}\}/y;
const ARROW = /=>|->|→|⇒|<=>|<->/y;
const RELATION = /==|~=|!=|<=|>=|:=|[=≈≠<>≤≥~]/y;
const MULTIPLIES = /[xX][^\S\n]*(?:\\?\$[^\S\n]*)?(?:\d|\.\d|\()/y;

/** Reads a text into tokens, in time that grows with its length. Text behind the first 50,000 characters is not read. */
export function tokensOf(text: string): readonly Token[] {
  return scan(text.slice(0, READ_CHARS), DEPTH);
}

function scan(text: string, depth: number): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length) {
    const next = tokenAt(text, at, tokens, depth);
    if (next.kind !== undefined)
      tokens.push({ ...next, kind: next.kind, start: at, glued: isGlued(text, at) });
    at = next.end;
  }
  return tokens;
}

/** One token or, without a kind, something that means nothing. */
interface Read {
  readonly kind?: TokenKind;
  readonly text: string;
  readonly end: number;
  readonly divides?: true;
  readonly words?: readonly string[];
}

const isGlued = (text: string, at: number): boolean => at > 0 && !/[\s$]/.test(text[at - 1] ?? "");
const nothing = (end: number): Read => ({ text: "", end });

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

function tokenAt(text: string, at: number, before: readonly Token[], depth: number): Read {
  const char = text[at] ?? "";
  if (char === "\n") return lineEnd(text, at, before);
  if (BLANK.test(char)) return nothing(at + 1);
  if (isLineStart(text, at)) {
    const bullet = matchAt(BULLET, text, at);
    if (bullet !== undefined) return { kind: "wall", text: "", end: at + bullet.length };
  }
  if (DIGIT.test(char) || (char === "." && DIGIT.test(text[at + 1] ?? ""))) return numberAt(text, at);
  if (char === "\\") return commandAt(text, at, before, depth);
  if (LETTER.test(char)) return wordAt(text, at, before);
  return signAt(text, at, depth);
}

function isLineStart(text: string, at: number): boolean {
  for (let i = at - 1; i >= 0 && i > at - 20; i--) {
    if (text[i] === "\n") return true;
    if (!BLANK.test(text[i] ?? "")) return false;
  }
  return at < 20;
}

/** A line that begins with a relation, or ends with one or with an operator, goes on. */
function lineEnd(text: string, at: number, before: readonly Token[]): Read {
  const last = before.at(-1)?.kind;
  const goesOn = last === "relation" || last === "operator" || matchAt(CONTINUES, text, at + 1) !== undefined;
  return goesOn ? nothing(at + 1) : { kind: "wall", text: "\n", end: at + 1 };
}

function numberAt(text: string, at: number): Read {
  const thousands = matchAt(THOUSANDS, text, at);
  const written = thousands ?? matchAt(PLAIN, text, at) ?? "";
  const end = at + written.length;
  const beyond = matchAt(NO_NUMBER, text, end);
  if (beyond !== undefined || written.length > NUMBER || text[at - 1] === "_") {
    const isOrdinal = beyond !== undefined && LETTER.test(beyond);
    const skipped = isOrdinal ? beyond.length : Math.min(1, beyond?.length ?? 0);
    return { kind: "opaque", text: written.slice(0, NUMBER), end: end + skipped };
  }
  const plain = thousands === undefined ? written : written.replace(/[^\d.]/g, "");
  return { kind: "number", text: plain.startsWith(".") ? `0${plain}` : plain, end };
}

function wordAt(text: string, at: number, before: readonly Token[]): Read {
  const behindNumber = before.at(-1)?.kind === "number" && isGlued(text, at);
  const behindOperand = ["number", "close", "group", "word"].includes(before.at(-1)?.kind ?? "");
  if (behindOperand && matchAt(MULTIPLIES, text, at) !== undefined)
    return { kind: "operator", text: "*", end: at + 1 };
  const word = matchAt(WORD, text, at) ?? text[at] ?? "";
  const end = at + word.length;
  if (word.length === 1) return { kind: isVariable(text, at, before) ? "variable" : "word", text: word, end };
  if (behindNumber && !GLUED_UNITS.has(word)) return { kind: "opaque", text: word, end };
  if (word === "percent" && before.at(-1)?.kind === "number") return { kind: "postfix", text: "%", end };
  return { kind: "word", text: word.toLowerCase(), end };
}

/** A letter of its own beside an operator, a relation or a number. */
function isVariable(text: string, at: number, before: readonly Token[]): boolean {
  if (!/[A-Za-z]/.test(text[at] ?? "")) return false;
  const last = before.at(-1);
  if (last !== undefined && ["operator", "relation", "open"].includes(last.kind)) return true;
  if (isGlued(text, at) && last !== undefined && ["number", "variable", "close"].includes(last.kind))
    return true;
  return matchAt(BESIDE_VARIABLE, text, at + 1) !== undefined;
}

function signAt(text: string, at: number, depth: number): Read {
  const char = text[at] ?? "";
  const end = at + 1;
  const mark = char === "<" ? matchAt(MARK, text, at) : undefined;
  if (mark !== undefined) return { kind: "mark", text: mark.slice(2, -2), end: at + mark.length };
  const arrow = matchAt(ARROW, text, at);
  if (arrow !== undefined) return { kind: "wall", text: "", end: at + arrow.length };
  const relation = matchAt(RELATION, text, at);
  if (relation !== undefined) return relationOf(relation, at + relation.length);
  if (char === "*" && text[end] === "*") return starsAt(text, at);
  const degree = char === "^" ? matchAt(DEGREE, text, at) : undefined;
  if (degree !== undefined) return { kind: "word", text: "degrees", end: at + degree.length };
  if (char === "^" && text[end] === "{") return powerAt(text, end, depth);
  if (char === "." && text[end] === ".")
    return { kind: "dots", text: "", end: at + (matchAt(/\.+/y, text, at)?.length ?? 1) };
  if (char === "…") return { kind: "dots", text: "", end };
  const operator = OPERATORS.get(char);
  if (char === "÷") return { kind: "operator", text: "/", end, divides: true };
  if (operator !== undefined) return { kind: "operator", text: operator, end };
  if (char === "$")
    return /^\.?\d/.test(text.slice(end, end + 2)) ? { kind: "currency", text: "$", end } : nothing(end);
  if ("€£¥".includes(char)) return { kind: "currency", text: char, end };
  if ("([".includes(char)) return { kind: "open", text: "(", end };
  if (")]".includes(char)) return { kind: "close", text: ")", end };
  if (char === "%" || char === "!") return { kind: "postfix", text: char, end };
  const power = "²³".indexOf(char);
  if (power >= 0) return { kind: "postfix", text: `^{${power + 2}}`, end };
  if (char === "°") return { kind: "word", text: "degrees", end };
  if ("{}&`".includes(char)) return nothing(end);
  if (char === ":" && isRatio(text, at)) return { kind: "opaque", text: char, end };
  return { kind: '.,;:?—"“”'.includes(char) ? "wall" : "opaque", text: char, end };
}

/** `12 : 4` with blanks, in which the sign divides. */
const isRatio = (text: string, at: number): boolean =>
  /^\d[^\S\n]:[^\S\n]\d$/.test(text.slice(at - 2, at + 3));

function relationOf(sign: string, end: number): Read {
  const text = sign === "=" || sign === "==" ? "=" : sign === "≈" || sign === "~=" ? "≈" : "other";
  return { kind: "relation", text, end };
}

/** `2**3` is a power; any other pair of stars makes letters bold. */
function starsAt(text: string, at: number): Read {
  const isPower = /[\d)]/.test(text[at - 1] ?? "") && /[\d(]/.test(text[at + 2] ?? "");
  return isPower ? { kind: "operator", text: "^", end: at + 2 } : nothing(at + 2);
}

function powerAt(text: string, at: number, depth: number): Read {
  const inside = argumentAt(text, at);
  if (inside === undefined) return { kind: "opaque", text: "", end: at };
  const exponent = expressionIn(inside.text, depth);
  return exponent === undefined
    ? { kind: "opaque", text: "", end: inside.end }
    : { kind: "postfix", text: `^{${exponent.text}}`, end: inside.end };
}

function commandAt(text: string, at: number, before: readonly Token[], depth: number): Read {
  const command = matchAt(COMMAND, text, at) ?? "\\";
  const name = command.slice(1);
  const end = at + command.length;
  const known = COMMANDS.get(name);
  if (known !== undefined) return { ...known, end };
  const count = GROUPS.get(name);
  if (count !== undefined) return groupAt(text, end, name, count, depth);
  if (name === "begin" || name === "end")
    return { kind: "wall", text: "", end: end + (matchAt(ENVIRONMENT, text, end)?.length ?? 0) };
  if (name === "div") return { kind: "operator", text: "/", end, divides: true };
  if (name === "%") return { kind: "postfix", text: "%", end };
  if (name === "$") return { kind: "currency", text: "$", end };
  if (name === "\\") return lineEnd(text, end - 1, before);
  if ("()[]".includes(name)) return { kind: "wall", text: "", end };
  if (LAYOUT.has(name) || /^[^A-Za-z]$/.test(name)) return nothing(end);
  return { kind: "opaque", text: command, end };
}

function groupAt(text: string, at: number, name: string, count: number, depth: number): Read {
  const degree = name === "sqrt" ? matchAt(/\[\d{1,3}\]/y, text, at) : undefined;
  let end = at + (degree?.length ?? 0);
  const written: string[] = [];
  const words: string[] = [];
  for (let i = 0; i < count; i++) {
    const argument = argumentAt(text, end);
    const inside = argument && expressionIn(argument.text, depth);
    if (argument === undefined || inside === undefined)
      return { kind: "opaque", text: "", end: Math.max(argument?.end ?? 0, end) };
    written.push(`{${inside.text}}`);
    words.push(...inside.words);
    end = argument.end;
  }
  return {
    kind: "group",
    text: `\\${FRACTIONS.includes(name) ? "frac" : name}${degree ?? ""}${written.join("")}`,
    end,
    words,
  };
}

/** `{…}` with its braces, or one digit or letter. */
function argumentAt(text: string, from: number): { readonly text: string; readonly end: number } | undefined {
  let at = from;
  while (text[at] === " ") at++;
  if (text[at] !== "{")
    return /[\dA-Za-z]/.test(text[at] ?? "") ? { text: text[at] ?? "", end: at + 1 } : undefined;
  let open = 0;
  for (let i = at; i < text.length && i < at + ARGUMENT; i++) {
    if (text[i] === "{") open++;
    if (text[i] === "}") open--;
    if (open === 0) return { text: text.slice(at, i + 1), end: i + 1 };
  }
  return undefined;
}

/** An argument and its words, where the rest is one expression. */
function expressionIn(
  text: string,
  depth: number,
): { readonly text: string; readonly words: readonly string[] } | undefined {
  if (depth === 0) return undefined;
  const tokens = scan(text, depth - 1);
  const words = tokens.filter(isUnit).map((token) => token.text);
  const rest = tokens.filter((token) => !isUnit(token));
  const isPlain = rest.every(({ kind }) => kind === "word" || IN_EXPRESSION.has(kind));
  if (!isPlain || rest.length === 0 || words.some(calculates)) return undefined;
  return { text: rest.map((token) => token.text).join(" "), words };
}

/** In an argument a letter alone is a variable. */
function isUnit({ kind, text }: Token): boolean {
  return kind === "currency" || (kind === "word" && !/^[A-Za-z]$/.test(text));
}
