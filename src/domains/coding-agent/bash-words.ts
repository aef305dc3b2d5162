import { forEachChild, parse, type ParsedScript, type SyntaxNode, type Word } from "unbash";
import type { Reading, ShellWord, Variable, Variables } from "./shell-reading.ts";

type Parts = NonNullable<Word["parts"]>;
type Part = Parts[number];
type Parameter = Extract<Part, { type: "ParameterExpansion" }>;

/** What is known of the shell where a word stands. */
export interface WordContext {
  readonly vars: Variables;
  readonly reading: Reading;
  /** What a script would print, without the line ends behind it; undefined where only the shell knows. */
  output(script: ParsedScript | undefined): string | undefined;
}

/** A word of a program as far as it is made. */
interface Draft {
  text: string;
  /** Its text without the parts that only the shell knows. */
  known: string;
  literal: boolean;
  /** It is a word even if it is empty. */
  isQuoted: boolean;
  readonly substitutions: string[];
}

/** One way to read a word: the words that are finished, and those that what follows is added to. */
interface Way {
  readonly done: Draft[];
  open: Draft[];
}

/** Words that one word may become, and ways to read it; more are left as written. */
const MAX_FIELDS = 64;
const MAX_WAYS = 16;
const MAX_RANGE = 40;
const MAY_EXPAND = /[$`{]|[<>]\(/;

function draft(from?: Draft): Draft {
  if (from !== undefined) return { ...from, substitutions: [...from.substitutions] };
  return { text: "", known: "", literal: true, isQuoted: false, substitutions: [] };
}

/** The words that the shell makes of one, in each way that the values of its variables allow. */
export function expandWord(word: Word, context: WordContext): ShellWord[][] {
  if (!MAY_EXPAND.test(word.text) || word.parts === undefined)
    return [[{ text: word.value, literal: true, substitutions: [] }]];
  const ways: Way[] = [{ done: [], open: [draft()] }];
  for (const part of word.parts) addPart(ways, part, context, false);
  return ways.map(({ done, open }) =>
    [...done, ...open].filter(({ text, isQuoted }) => text !== "" || isQuoted).map(finished),
  );
}

/** The texts that a word, or the body of a here-document, may be where no word is split. */
export function expandText(
  node: { readonly value: string; readonly parts?: Parts | undefined },
  context: WordContext,
): ShellWord[] {
  if (!MAY_EXPAND.test(node.value) || node.parts === undefined)
    return [{ text: node.value, literal: true, substitutions: [] }];
  const ways: Way[] = [{ done: [], open: [draft()] }];
  for (const part of node.parts) addPart(ways, part, context, true);
  return ways.flatMap(({ done, open }) => [...done, ...open].map(finished));
}

function finished({ text, known, literal, substitutions }: Draft): ShellWord {
  return literal ? { text, literal, substitutions } : { text, literal, substitutions, known };
}

function addPart(ways: Way[], part: Part, context: WordContext, quoted: boolean): void {
  switch (part.type) {
    case "Literal":
    case "Glob":
      return addText(ways, part.value, quoted);
    case "SingleQuoted":
    case "AnsiCQuoted":
      return addText(ways, part.value, true);
    case "DoubleQuoted":
    case "LocaleString":
      addText(ways, "", true);
      for (const child of part.parts) addPart(ways, child, context, true);
      return;
    case "BraceExpansion":
      return addBraces(ways, part, context);
    case "SimpleExpansion":
    case "ParameterExpansion":
    case "CommandExpansion": {
      const value = valueOf(part, context);
      if (value === undefined || !hasRoom(value, ways, context.reading)) return addUnknown(ways, part);
      return addValue(ways, value, quoted, context.vars);
    }
    default:
      return addUnknown(ways, part);
  }
}

function addText(ways: readonly Way[], text: string, isQuoted: boolean): void {
  for (const { open } of ways)
    for (const one of open) {
      one.text += text;
      one.known += text;
      if (isQuoted) one.isQuoted = true;
    }
}

function addUnknown(ways: readonly Way[], part: Part): void {
  const substitutions: string[] = [];
  const look = (node: SyntaxNode): void => {
    if (isSubstitution(node)) substitutions.push(node.text);
    else forEachChild(node, look);
  };
  look(part);
  for (const { open } of ways)
    for (const one of open) {
      one.text += part.text;
      one.literal &&= part.type === "ExtendedGlob";
      one.substitutions.push(...substitutions);
    }
}

type Substitution = Extract<
  SyntaxNode,
  { type: "CommandExpansion" | "ProcessSubstitution" | "ArithmeticCommandExpansion" }
>;

export function isSubstitution(node: SyntaxNode): node is Substitution {
  return (
    node.type === "CommandExpansion" ||
    node.type === "ProcessSubstitution" ||
    node.type === "ArithmeticCommandExpansion"
  );
}

/** Values of variables are copied into words, and a line could ask for more copies than a memory holds. */
function hasRoom({ words }: Variable, ways: readonly Way[], reading: Reading): boolean {
  const fields = ways.reduce((sum, { done, open }) => sum + done.length + open.length, 0);
  if (fields * words.length > MAX_FIELDS) return false;
  reading.room -= words.reduce((sum, { text }) => sum + text.length + 1, 0) * fields;
  return reading.room > 0;
}

/** Adds a value: each of a choice makes a way of its own, and blanks in an unquoted one end a word. */
function addValue(ways: Way[], { kind, words }: Variable, quoted: boolean, vars: Variables): void {
  if (kind === "list") return addPieces(ways, words, quoted);
  const pieces = words.map((word) => (quoted ? [word] : split(word, vars)));
  const [first, ...others] = pieces;
  if (first === undefined) return;
  const before = others.length === 0 ? [] : ways.map(copied);
  addPieces(ways, first, quoted);
  for (const other of others.slice(0, MAX_WAYS)) {
    const more = before.map(copied);
    addPieces(more, other, quoted);
    ways.push(...more);
  }
}

function copied({ done, open }: Way): Way {
  return { done: done.map((one) => draft(one)), open: open.map((one) => draft(one)) };
}

function addPieces(ways: readonly Way[], pieces: readonly ShellWord[], quoted: boolean): void {
  for (const way of ways)
    for (const [i, piece] of pieces.entries()) {
      if (i > 0) {
        way.done.push(...way.open);
        way.open = [draft()];
      }
      for (const one of way.open) {
        one.text += piece.text;
        one.known += piece.known ?? piece.text;
        one.literal &&= piece.literal;
        one.isQuoted ||= quoted;
        one.substitutions.push(...piece.substitutions);
      }
    }
}

/** A value in pieces, as the shell splits it where it is not quoted. An empty first or last piece ends the word before or after it. */
function split(word: ShellWord, vars: Variables): ShellWord[] {
  const marks = vars.get("IFS")?.words[0]?.text ?? " \t\n";
  if (!word.literal || !Array.from(word.text).some((c) => marks.includes(c))) return [word];
  const pieces: ShellWord[] = [];
  let text = "";
  for (const c of word.text) {
    if (!marks.includes(c)) text += c;
    else if (text !== "" || pieces.length === 0) {
      pieces.push({ text, literal: true, substitutions: [] });
      text = "";
    }
  }
  return [...pieces, { text, literal: true, substitutions: [] }];
}

function addBraces(ways: Way[], part: Part, context: WordContext): void {
  const fields = ways.reduce((sum, { done, open }) => sum + done.length + open.length, 0);
  const written = bracesOf(part.text) ?? [];
  context.reading.room -= part.text.length * fields;
  if (written.length === 0 || written.length * fields > MAX_FIELDS || context.reading.room < 0)
    return addUnknown(ways, part);
  const members = written.flatMap((member) => {
    const command = parse(`_ ${member === "" ? "''" : member}`).commands[0]?.command;
    const [word] = command?.type === "Command" ? command.suffix : [];
    return word?.type === "Word" ? (expandWord(word, context)[0] ?? []) : [];
  });
  if (members.length * fields > MAX_FIELDS) return addUnknown(ways, part);
  for (const way of ways)
    way.open = way.open.flatMap((one) =>
      members.map(({ text, literal, known = text, substitutions }) => ({
        text: one.text + text,
        known: one.known + known,
        literal: one.literal && literal,
        isQuoted: one.isQuoted || text === "",
        substitutions: [...one.substitutions, ...substitutions],
      })),
    );
}

/** The members of `{a,b}` and `{1..3}` as written. */
function bracesOf(text: string): string[] | undefined {
  const inner = text.slice(1, -1);
  const [, from = "", to = ""] = /^(-?\d{1,6}|[a-zA-Z])\.\.(-?\d{1,6}|[a-zA-Z])$/.exec(inner) ?? [];
  if (from !== "") return rangeOf(from, to);
  if (inner.length > 2_000) return undefined;
  const members: string[] = [];
  let depth = 0;
  let start = 0;
  let quote = "";
  for (let i = 0; i < inner.length; i++) {
    const c = inner[i] ?? "";
    if (c === "\\") i++;
    else if (quote !== "") quote = c === quote ? "" : quote;
    else if (c === "'" || c === '"') quote = c;
    else if (c === "{" || c === "(") depth++;
    else if (c === "}" || c === ")") depth--;
    else if (c === "," && depth === 0) {
      members.push(inner.slice(start, i));
      start = i + 1;
    }
  }
  return [...members, inner.slice(start)];
}

function rangeOf(from: string, to: string): string[] | undefined {
  const isNumber = /\d/.test(from) && /\d/.test(to);
  const at = (end: string): number => (isNumber ? Number(end) : end.charCodeAt(0));
  const count = Math.abs(at(to) - at(from)) + 1;
  if (count > MAX_RANGE) return undefined;
  const step = at(to) < at(from) ? -1 : 1;
  return Array.from({ length: count }, (_, i) => {
    const code = at(from) + i * step;
    return isNumber ? String(code) : String.fromCharCode(code);
  });
}

function choice(text: string): Variable {
  return { kind: "choice", words: [{ text, literal: true, substitutions: [] }] };
}

/** The value of an expansion; undefined where only the shell knows it. */
function valueOf(part: Part, context: WordContext): Variable | undefined {
  if (part.type === "CommandExpansion") {
    const output = context.output(part.script);
    return output === undefined ? undefined : choice(output);
  }
  if (part.type === "SimpleExpansion") return named(part.text.slice(1), context.vars);
  return part.type === "ParameterExpansion" ? parameterValue(part, context) : undefined;
}

function named(name: string, vars: Variables): Variable | undefined {
  const known = vars.get(name === "*" ? "@" : name);
  if (known !== undefined) return known;
  return name === "IFS" ? choice(" ") : undefined;
}

function parameterValue(part: Parameter, context: WordContext): Variable | undefined {
  const own = ownValue(part, context.vars);
  const { operation } = part;
  if (operation === undefined) return own;
  switch (operation.type) {
    case "Default": {
      const isEmpty = own?.words.every(({ text }) => text === "") ?? false;
      const isElse = operation.operator.endsWith("+");
      if (own !== undefined && isEmpty === isElse) return isElse ? choice("") : own;
      if (operation.operator.endsWith("?") || (isElse && own === undefined)) return own;
      const words = expandText(operation.operand, context);
      // Nobody knows here whether the variable has a value outside of this line.
      return {
        kind: "choice",
        words: own === undefined ? words.map((word) => ({ ...word, literal: false })) : words,
      };
    }
    case "Slice": {
      const offset = Number(operation.offset.value);
      const length = operation.length === undefined ? undefined : Number(operation.length.value);
      // These begin with a slash on every machine of this dialect.
      const isRooted =
        /^(?:PATH|HOME|PWD|SHELL|OLDPWD)$/.test(part.parameter) && offset === 0 && length === 1;
      if (own === undefined && isRooted) return choice("/");
      return mapped(own, (text) => text.slice(offset, end(text, offset, length)));
    }
    case "CaseModification":
      if (operation.operand !== undefined) return undefined;
      return mapped(own, CASES[operation.operator]);
    case "Replace": {
      const { value: pattern } = operation.pattern;
      if (/[*?[$`]/.test(pattern) || pattern === "" || !/^\/{1,2}$/.test(operation.operator))
        return undefined;
      const { value } = operation.replacement;
      return mapped(own, (text) =>
        operation.operator === "//"
          ? text.replaceAll(pattern, () => value)
          : text.replace(pattern, () => value),
      );
    }
    case "Remove": {
      const { value: pattern } = operation.operand;
      if (/[*?[$`]/.test(pattern)) return undefined;
      const isStart = operation.operator.startsWith("#");
      return mapped(own, (text) => {
        if (isStart) return text.startsWith(pattern) ? text.slice(pattern.length) : text;
        return text.endsWith(pattern) ? text.slice(0, text.length - pattern.length) : text;
      });
    }
    default:
      return undefined;
  }
}

function end(text: string, offset: number, length: number | undefined): number | undefined {
  if (length === undefined || length < 0) return length;
  return (offset < 0 ? Math.max(0, text.length + offset) : offset) + length;
}

const CASES: Readonly<Record<"^" | "^^" | "," | ",,", (text: string) => string>> = {
  "^": (text) => text.slice(0, 1).toUpperCase() + text.slice(1),
  "^^": (text) => text.toUpperCase(),
  ",": (text) => text.slice(0, 1).toLowerCase() + text.slice(1),
  ",,": (text) => text.toLowerCase(),
};

/** What a variable has before an operation: an element of a list, or the value of the one that it names. */
function ownValue({ parameter, prefix, index }: Parameter, vars: Variables): Variable | undefined {
  if (prefix === "#") return undefined;
  const value = named(parameter, vars);
  if (prefix === "!") return value?.words[0] === undefined ? undefined : named(value.words[0].text, vars);
  if (value?.kind !== "list") return value;
  const at = index?.value ?? (parameter === "@" || parameter === "*" ? "@" : "0");
  if (at === "@" || at === "*") return value;
  const word = value.words.at(Number(at));
  return word === undefined ? undefined : { kind: "choice", words: [word] };
}

function mapped(value: Variable | undefined, change: (text: string) => string): Variable | undefined {
  if (value?.words.every(({ literal }) => literal) !== true) return undefined;
  return { kind: value.kind, words: value.words.map((word) => ({ ...word, text: change(word.text) })) };
}
