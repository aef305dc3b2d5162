import type { CodeEntry, QuestionLimit } from "../code-types.d.ts";
import { CONTEST_NAMES } from "./contest-names.ts";
import { LONGEST_TEXT, MOST_LISTED } from "./limits.ts";

/** A function, method or class that the question asks for. */
export type AskedEntry = Omit<CodeEntry, "isDefined">;

const DEFINITION = /^([ \t]*)(?:async[ \t]+)?(def|class)[ \t]+([A-Za-z_]\w{0,100})[ \t]*([(:].{0,400})$/;
const IN_ASSERT = /(?<![\w.])([A-Za-z_]\w{0,100})[ \t]*\(/g;
/** Functions around the asked one in an assert. */
const HELPERS = new Set(
  "abs all any assert bool dict float frozenset int isclose isinstance len list max min not repr round set sorted str sum tuple type".split(
    " ",
  ),
);

/**
 * The names that the question asks the program to define: the last function head that it shows, or the methods of its
 * `class Solution`; without either, the function that its asserts call or that its text names.
 */
export function askedEntries(question: string): readonly AskedEntry[] {
  const lines = question.split("\n");
  const solution = lines.findIndex((line) => /^[ \t]*class[ \t]+Solution\b/.test(line));
  if (solution >= 0) return ofClass(lines.slice(solution), question);
  const heads = lines.flatMap((line) => headOf(line) ?? []).filter(({ kind }) => kind === "def");
  const head = heads.findLast(({ indent }) => indent === "") ?? heads.at(-1);
  if (head !== undefined) return [entryOf(head, question)];
  return ofAssert(lines) ?? ofWords(question);
}

interface Head {
  readonly indent: string;
  readonly kind: string;
  readonly name: string;
  readonly rest: string;
  readonly words: string;
}

function headOf(line: string): Head | undefined {
  if (line.length > 1_000) return undefined;
  const [, indent = "", kind = "", name = "", rest = ""] = DEFINITION.exec(line) ?? [];
  return name === "" ? undefined : { indent, kind, name, rest, words: line.trim().slice(0, LONGEST_TEXT) };
}

function entryOf({ name, rest, words }: Head, question: string): AskedEntry {
  return { name, words, wantsValue: wantsValue(name, rest, question) };
}

function wantsValue(name: string, rest: string, question: string): boolean {
  const [, type] = /->[ \t]*([^:]{1,100}):/.exec(rest) ?? [];
  if (type !== undefined) return type.trim() !== "None";
  if (
    /\b(?:in[- ]place|(?:returns?|outputs?(?: with)?)[:\s-]{1,20}None|(?:not|n't) return)\b/i.test(question)
  )
    return false;
  return /\breturn/i.test(question) || isCompared(name, question);
}

/** Whether a line of the question compares a call of the function: `assert f(1) == 2`. */
const isCompared = (name: string, question: string): boolean =>
  question
    .split("\n")
    .some((line) => line.includes(`${name}(`) && /\)\s*(?:==|is\b|<|>|➞|->|=>)/.test(line.slice(0, 2_000)));

function ofClass(lines: readonly string[], question: string): readonly AskedEntry[] {
  const [first = ""] = lines;
  const indent = /^[ \t]*/.exec(first)?.[0] ?? "";
  const methods: AskedEntry[] = [];
  for (const line of lines.slice(1)) {
    const head = headOf(line);
    if (head === undefined) continue;
    if (head.indent.length <= indent.length) break;
    if (head.kind === "def" && !head.name.startsWith("__"))
      methods.push({ ...entryOf(head, question), owner: "Solution" });
  }
  const own: AskedEntry = { name: "Solution", words: first.trim().slice(0, LONGEST_TEXT), wantsValue: false };
  return [own, ...methods.slice(0, MOST_LISTED)];
}

function ofAssert(lines: readonly string[]): readonly AskedEntry[] | undefined {
  for (const line of lines) {
    const words = line.trim().slice(0, LONGEST_TEXT);
    if (!words.startsWith("assert")) continue;
    const called = [...words.slice("assert".length).matchAll(IN_ASSERT)].map(([, name = ""]) => name);
    const name = called.find((one) => !HELPERS.has(one));
    if (name !== undefined) return [{ name, words, wantsValue: /==|\bis\b/.test(words) }];
  }
  return undefined;
}

/** "Write a function add(a, b)", "Implement add(a, b)"; not what a text merely mentions, as in "given the function f(x)". */
const ORDERED =
  /\b(?:write|implement|define|create|complete)[ \t]+(?:(?:[\w-]{1,20}[ \t]+){0,4}(?:function|method)[ \t]+)?`?([A-Za-z_]\w{0,100})\(/i;

function ofWords(question: string): readonly AskedEntry[] {
  const [words = "", name] =
    /\b(?:function|method)[ \t]+(?:named|called)[ \t]+[`"']?([A-Za-z_]\w{0,100})\b/i.exec(question) ??
    /\bfunction[ \t]+`([A-Za-z_]\w{0,100})(?:\([^`]{0,200}\))?`/i.exec(question) ??
    ORDERED.exec(question) ??
    [];
  return name === undefined ? [] : [{ name, words, wantsValue: wantsValue(name, "", question) }];
}

/** Names that code of the question defines or imports: whoever runs the answer may have put it in front. */
export function givenNames(question: string): ReadonlySet<string> {
  const names = new Set(/^[ \t]*class[ \t]+Solution\b/m.test(question) ? CONTEST_NAMES : []);
  for (const line of question.split("\n")) {
    if (line.length > 1_000) continue;
    const code = line.replace(/^[ \t]*#?[ \t]*/, "");
    const [, imported] = /^(?:from[ \t]+[\w.]+[ \t]+)?import[ \t]+(.+)$/.exec(code) ?? [];
    for (const part of imported?.split(",") ?? []) {
      const [, name, renamed] =
        /^[ \t(]*([A-Za-z_]\w*)[\w.]*(?:[ \t]+as[ \t]+([A-Za-z_]\w*))?/.exec(part) ?? [];
      if (name !== undefined) names.add(renamed ?? name);
    }
    const [, defined] =
      /^(?:def|class)[ \t]+([A-Za-z_]\w*)/.exec(code) ?? /^([A-Z_][A-Z_\d]*)[ \t]*=/.exec(code) ?? [];
    if (defined !== undefined) names.add(defined);
  }
  return names;
}

const NUMBER = String.raw`\d[\d,_]{0,20}(?:[ \t]{0,3}(?:\*|\\cdot|\\times|×|·)?[ \t]{0,3}\{?10[ \t]{0,3}(?:\^|\*\*)[ \t]{0,3}\{?\d{1,2}\}?)?(?:\^\{?\d{1,2}\}?|\*\*\d{1,2}|e\d{1,2})?`;
const BOUND = new RegExp(
  String.raw`(?:(?:(?:<=?|≤|\\leq?(?:slant)?\b)[ \t$]{0,4})|\b(?:at most|up to|no more than|not exceed(?:ing)?)[ \t$]{1,4})(${NUMBER})`,
  "g",
);
/** Characters in front of an upper bound that may name what it bounds. */
const BEFORE = 60;

/** Upper bounds of the question. */
export function limitsOf(question: string): readonly QuestionLimit[] {
  const limits: QuestionLimit[] = [];
  for (const found of question.matchAll(BOUND)) {
    const [all, number = ""] = found;
    const most = valueOf(number);
    if (most === undefined) continue;
    const before =
      question
        .slice(Math.max(0, found.index - BEFORE), found.index)
        .split(/[\n;]|\.\s|,\s/)
        .at(-1) ?? "";
    const subject = before.split(/<=?|≤|\\leq?(?:slant)?\b/).at(-1) ?? "";
    limits.push({ words: `${before}${all}`.trim(), most, isSize: !/[[_]|\.\.\./.test(subject) });
    if (limits.length >= MOST_LISTED) break;
  }
  return limits;
}

/** "2 * 10^5", "200,000", "1e5". */
function valueOf(number: string): number | undefined {
  const plain = number.replaceAll(/[,_{}\s]/g, "").replaceAll("**", "^");
  const [, factor, exponent] = /^(?:(\d+)(?:\*|\\cdot|\\times|×|·))?10\^(\d+)$/.exec(plain) ?? [];
  const value = exponent === undefined ? powerOf(plain) : Number(factor ?? 1) * 10 ** Number(exponent);
  return Number.isFinite(value) ? value : undefined;
}

function powerOf(plain: string): number {
  const [base = "", exponent] = plain.split("^");
  return exponent === undefined ? Number(base) : Number(base) ** Number(exponent);
}
