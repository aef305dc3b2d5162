import { splitRelations, type Relation } from "../expression/chains.ts";
import { variablesOf, type Expression } from "../expression/expression.ts";
import { parseExpression } from "../expression/parse.ts";
import { clean, withoutTextCommands } from "./clean.ts";
import { readPercentage } from "./read-percentage.ts";
import { readValue } from "./read-value.ts";
import { common } from "./regions.ts";
import { isVariable, TURNED } from "./relations.ts";
import { sameLink } from "./same-unit-value.ts";
import { bracketed, partsAt, readList } from "./scan.ts";
import type { Shape, ShapeOf, ValueShape } from "./shapes.ts";

/** Longer answers are compared as texts alone. */
const MAX_LENGTH = 2_000;
const MAX_MEMBERS = 40;
/** Brackets of sets and tuples within each other. */
const MAX_DEPTH = 8;

/** In a list it is a member: `(A), (C)`. */
const CHOICE = /^(?:\(([A-J])\)|([A-J])[.):])(?!\s*(?:,|and\b|or\b))\s*/;
const MATRIX =
  /^[([]?\s*\\begin\{([pbB]?matrix|smallmatrix|array)\}(?:\{[lcr|]{0,20}\})?([^]*)\\end\{\1\}\s*[)\]]?$/;
const BASED = /^\(?([0-9A-Fa-f,.]{1,200})\)?_\{?\s*(?:\\text\s*\{)?\s*(\d{1,2}|[a-z]{3,7})\s*\}?\}?$/;
const BASES: Readonly<Record<string, string>> = {
  two: "2",
  three: "3",
  four: "4",
  five: "5",
  six: "6",
  seven: "7",
  eight: "8",
  nine: "9",
  ten: "10",
  twelve: "12",
  sixteen: "16",
};
const EMPTY_SET = /^(?:\\emptyset|\\varnothing|∅|\\\{\s*\\\})$/;
/** A name of what is asked for: `x`, `x_1`, `m + n`, `AB`, `\angle ABC`, `Area`. */
const NAME = /^(?:\\angle\s*|\\text\s*\{)?[A-Za-z][A-Za-z_\d{}'|\s+()-]{0,40}\}?$/;
/** `x + 2 = 5` does not say that x is 5; `p + 2q` and `f(x + 2)` may be asked for. */
const PLUS_NUMBER = /[+-]\s*\d+\s*(?:[+-]|$)/;
const IN_BRACKETS = /[({][^(){}]*[)}]/g;
/** `f^{-1}(x)`, `(x, y)`. */
const NAME_IN_BRACKETS = /^(?:[A-Za-z]\^\{?-1\}?\s*)?\([A-Za-z_\d{},\s]{1,40}\)$/;
/** The real numbers as an interval. */
const REALS = /^(?:\\mathbb\s*\{?\s*R\s*\}?|ℝ|all real numbers|all reals)$/i;
const MEMBER = /^[a-zA-Z(][a-zA-Z_\d{}(), ]{0,20}\s*(?:\\in(?![a-zA-Z])|∈)\s*/;
const HALF_DAY = /\s?[ap]\.?\s?m\.?$/i;
const PLUS_MINUS = /\\pm(?![a-zA-Z])|±/g;
const MINUS_PLUS = /\\mp(?![a-zA-Z])|∓/g;

const INFINITY = "\\infty";

/** How the answer is built. Never fails: what cannot be read is `unread`. */
export function readShape(answer: string, depth = 0): Shape {
  const text = clean(answer);
  if (text === "") return { kind: "empty", text };
  if (text.length > MAX_LENGTH || depth > MAX_DEPTH) return { kind: "unread", text };
  return (
    readChoice(text, depth) ??
    readMatrix(text, depth) ??
    readBased(text) ??
    readMembers(text, depth) ??
    readBracketed(text, depth) ??
    readRelations(text, depth) ??
    readRatio(text) ??
    readPercentage(text) ??
    readValue(text) ??
    readWords(text)
  );
}

function readChoice(text: string, depth: number): Shape | undefined {
  if (/^[A-J]$/.test(text)) return { kind: "choice", text, letter: text, rest: undefined };
  const plain = withoutTextCommands(text).replace(/^\(\s+([A-J])\s+\)/, "($1)");
  const [label, inBrackets, bare] = CHOICE.exec(plain) ?? [];
  if (label === undefined) return undefined;
  const behind = plain.slice(label.length);
  const rest = behind === "" ? undefined : readShape(behind, depth + 1);
  return { kind: "choice", text, letter: inBrackets ?? bare ?? "", rest };
}

function readMatrix(text: string, depth: number): Shape | undefined {
  const [, , inner] = MATRIX.exec(text) ?? [];
  if (inner === undefined) return undefined;
  const rows = inner.split(/\\\\|\\cr(?![a-z])/).filter((row) => row.trim() !== "");
  const cells = rows.map((row) => row.split("&").map((cell) => readShape(cell, depth + 1)));
  if (cells.flat().length > MAX_MEMBERS) return { kind: "unread", text };
  const members = cells.flat();
  // A single row or column is a vector, which may be written as a tuple, too.
  if (cells.length === 1 || cells.every((row) => row.length === 1))
    return { kind: "tuple", text, open: "(", close: ")", members };
  return { kind: "matrix", text, rows: cells };
}

function readBased(text: string): Shape | undefined {
  const [, digits, name] = BASED.exec(text) ?? [];
  const base = name === undefined ? undefined : /^\d/.test(name) ? name : BASES[name];
  if (digits === undefined || base === undefined || !/\d/.test(digits)) return undefined;
  return {
    kind: "based",
    text,
    digits: digits
      .replaceAll(",", "")
      .toUpperCase()
      .replace(/^0+(?=.)/, ""),
    base,
  };
}

/** A list without braces, a union of intervals, and a value with ±. */
function readMembers(text: string, depth: number): Shape | undefined {
  const plain = text.replace(MEMBER, "");
  if (REALS.test(plain)) return interval(text, ["(", `-${INFINITY}`], [INFINITY, ")"], depth);
  if (EMPTY_SET.test(text)) return { kind: "set", text, members: [], isBraced: true };
  const { parts, joins } = readList(text);
  if (parts.length > 1) return readJoined(readSet(text, parts, depth), joins);
  const united = partsAt(plain, ["\\cup", "∪"]);
  if (united.length > 1) {
    const union = readSet(text, united, depth, true);
    return union.kind === "set" ? { ...union, isUnion: true } : union;
  }
  if (!/\\pm(?![a-zA-Z])|±/.test(text)) return undefined;
  const signed = [
    text.replaceAll(PLUS_MINUS, "+").replaceAll(MINUS_PLUS, "-"),
    text.replaceAll(PLUS_MINUS, "-").replaceAll(MINUS_PLUS, "+"),
  ];
  return readSet(text, signed, depth);
}

/** A list whose words count: inequalities with "and" between them are the interval that they have in common. */
function readJoined(list: Shape, joins: ReadonlySet<"and" | "or">): Shape {
  const [join, another] = joins;
  if (list.kind !== "set" || join === undefined) return list;
  const intervals = list.members.filter(isInequality);
  if (intervals.length > 0 && another !== undefined) return { kind: "unread", text: list.text };
  const isOfOne = new Set(intervals.map(({ variable }) => variable)).size === 1;
  if (join === "or" || !isOfOne || intervals.length < list.members.length) return { ...list, join };
  // People also write "x < 1 and x > 3" for both parts: without a common part it is not clear.
  const met = common(intervals);
  return met === undefined ? { kind: "unread", text: list.text } : { ...met, text: list.text };
}

const isInequality = (shape: Shape): shape is ShapeOf<"tuple"> =>
  shape.kind === "tuple" && shape.variable !== undefined;

function readSet(text: string, parts: readonly string[], depth: number, isBraced = false): Shape {
  if (parts.length > MAX_MEMBERS) return { kind: "unread", text };
  const read = parts.map((part) => readShape(part, depth + 1));
  // `\pm 1, \pm 2` are four.
  const members = read.flatMap((one) => (one.kind === "set" && !one.isBraced ? one.members : [one]));
  return { kind: "set", text, members, isBraced };
}

function readBracketed(text: string, depth: number): Shape | undefined {
  const found = bracketed(text.replace(MEMBER, ""));
  if (found === undefined) return undefined;
  const { parts } = readList(found.inner, true);
  if (found.open === "\\{" || (found.open === "{" && readList(found.inner).parts.length > 1))
    return readSet(text, parts, depth, true);
  if (found.open === "{") return undefined;
  if (parts.length < 2) return undefined;
  if (parts.length > MAX_MEMBERS) return { kind: "unread", text };
  const { open, close } = found;
  const members = parts.map((part) => readShape(part, depth + 1));
  if (open + close === "[]" && members.every(isRow))
    return { kind: "matrix", text, rows: members.map((row) => row.members) };
  return { kind: "tuple", text, open, close, members };
}

/** Of `[[1, 2], [3, 4]]`. */
const isRow = (shape: Shape): shape is ShapeOf<"tuple"> =>
  shape.kind === "tuple" && shape.open + shape.close === "[]";

function readRelations(text: string, depth: number): Shape | undefined {
  const { sides, relations } = splitRelations(text);
  const [left = "", ...others] = sides;
  const [relation] = relations;
  if (relation === undefined) return undefined;
  if (sides.length > 30 || sides.includes("")) return { kind: "unread", text };
  const isFormula = parseExpression(left) !== undefined;
  if (relations.every((one) => one === "=" || one === "≈")) {
    if (isNumeric(left)) return readChainOf(text, sides, relations, depth);
    if (isName(left) && (!isFormula || sides.length === 2 || isNumeric(others[0] ?? "")))
      return named(text, left, others, relations.slice(1), depth);
  }
  return readInterval(text, sides, relations, depth) ?? readRelation(text, sides, relation);
}

function isName(text: string): boolean {
  return (
    (NAME.test(text) && !PLUS_NUMBER.test(text.replaceAll(IN_BRACKETS, ""))) || NAME_IN_BRACKETS.test(text)
  );
}

function isNumeric(text: string): boolean {
  const value = readValue(text);
  return value !== undefined && variablesOf(value.expression).length === 0;
}

/** The value of a chain of numbers, if each link holds: of its exact part, where it ends in a rounded one. */
function readChainOf(
  text: string,
  sides: readonly string[],
  relations: readonly Relation[],
  depth: number,
): Shape {
  const [first = "", ...others] = sides;
  const rounded = relations.indexOf("≈");
  const exact = rounded < 0 ? others : others.slice(0, rounded);
  const value = readValue(first);
  for (const side of exact) {
    const other = readValue(side);
    // `3x = 5` behind a number is another equation, not a link.
    if (other === undefined || value === undefined) return readFlipped(text, first, others, depth);
    const isSame = sameLink(value, other);
    if (isSame === undefined && variablesOf(other.expression).length === 0) return { kind: "unread", text };
    if (isSame === false && variablesOf(other.expression).length > 0)
      return readFlipped(text, first, others, depth);
    if (isSame === false) return { kind: "broken", text };
  }
  const last = readShape(exact.at(-1) ?? first, depth + 1);
  return last.kind === "value" ? { ...last, text } : last;
}

/** `5 = x`. */
function readFlipped(text: string, first: string, others: readonly string[], depth: number): Shape {
  const [name = ""] = others;
  if (others.length === 1 && isName(name)) return named(text, name, [first], [], depth);
  return readRelation(text, [first, ...others], "=");
}

function named(
  text: string,
  name: string,
  sides: readonly string[],
  relations: readonly Relation[],
  depth: number,
): Shape {
  const [first = ""] = sides;
  const of = sides.length > 1 ? readChainOf(text, sides, relations, depth) : readShape(first, depth + 1);
  if (of.kind === "broken") return of;
  return { kind: "named", text, name: plainName(name), of };
}

const plainName = (name: string): string => withoutTextCommands(name).replaceAll(/[\s{}]/g, "");

/** `1 < x \le 3` is the interval (1, 3]. */
function readInterval(
  text: string,
  sides: readonly string[],
  relations: readonly Relation[],
  depth: number,
): Shape | undefined {
  const [left = "", middle = "", right = ""] = sides;
  const [first, second] = relations;
  if (first === undefined || !isOrder(first)) return undefined;
  if (sides.length === 2) {
    if (isVariable(left) && isNumeric(middle)) return ofVariable(left, ray(text, first, middle, depth));
    return isVariable(middle) && isNumeric(left)
      ? ofVariable(middle, ray(text, TURNED[first], left, depth))
      : undefined;
  }
  const isBetween = sides.length === 3 && isVariable(middle) && isNumeric(left) && isNumeric(right);
  if (!isBetween || second === undefined) return undefined;
  const isRising = "<≤".includes(first) && "<≤".includes(second);
  const isFalling = ">≥".includes(first) && ">≥".includes(second);
  if (!isRising && !isFalling) return undefined;
  const [from, to] = isRising ? [left, right] : [right, left];
  const [below, above] = isRising ? [first, second] : [second, first];
  const [open, close] = ["≤≥".includes(below) ? "[" : "(", "≤≥".includes(above) ? "]" : ")"];
  return ofVariable(middle, interval(text, [open, from], [to, close], depth));
}

const isOrder = (relation: Relation): boolean => "<>≤≥".includes(relation);

function ofVariable(name: string, shape: ShapeOf<"tuple">): Shape {
  return { ...shape, variable: plainName(name) };
}

function ray(text: string, relation: Relation, bound: string, depth: number): ShapeOf<"tuple"> {
  const isBelow = relation === "<" || relation === "≤";
  return isBelow
    ? interval(text, ["(", `-${INFINITY}`], [bound, relation === "≤" ? "]" : ")"], depth)
    : interval(text, [relation === "≥" ? "[" : "(", bound], [INFINITY, ")"], depth);
}

function interval(
  text: string,
  [open, from]: readonly [string, string],
  [to, close]: readonly [string, string],
  depth: number,
): ShapeOf<"tuple"> {
  return {
    kind: "tuple",
    text,
    open,
    close,
    members: [readShape(from, depth + 1), readShape(to, depth + 1)],
  };
}

function readRelation(text: string, sides: readonly string[], relation: Relation): Shape {
  const [left, right] = sides.map((side): Expression | undefined => parseExpression(side));
  if (sides.length !== 2 || left === undefined || right === undefined) return { kind: "unread", text };
  return { kind: "relation", text, relation, left, right };
}

function readRatio(text: string): Shape | undefined {
  const plain = withoutTextCommands(text.replaceAll(/\\colon(?![a-zA-Z])/g, ":"));
  const parts = partsAt(plain.replace(HALF_DAY, ""), [":"]);
  if (parts.length < 2 || parts.length > 6) return undefined;
  const members = parts.map(readValue);
  return members.every((one): one is ValueShape => one !== undefined)
    ? { kind: "ratio", text, members }
    : undefined;
}

/** Words are letters; a formula that cannot be read is none of them. */
function readWords(text: string): Shape {
  const plain = withoutTextCommands(text).toLowerCase();
  const words = plain
    .replaceAll(/[.,;:!?"'()*_-]/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
  if (!/^[\p{L}\d ]+$/u.test(words) || !/\p{L}{2}/u.test(words)) return { kind: "unread", text };
  return { kind: "words", text, words: words.replace(/^(?:the|an?) /, "") };
}
