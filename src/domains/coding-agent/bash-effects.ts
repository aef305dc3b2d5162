import type { Command, Redirection, SyntaxNode } from "unbash";
import { forEachChild } from "unbash";
import { outputOf } from "./bash-output.ts";
import { expandText, type WordContext } from "./bash-words.ts";
import { assign, fileKey, plainWord, type Scope, type ShellWord, type Variable } from "./shell-reading.ts";
import { programName } from "./shell-words.ts";

type Argument = Command["args"][number];
export type Assigned = Extract<Argument, { type: "Assignment" }>;

/** What an assignment gives to its variable; undefined where nobody knows. */
function valueOf(node: Assigned, context: WordContext): Variable | undefined {
  if (node.index !== undefined) return undefined;
  const { value } = node;
  const old = context.vars.get(node.name);
  if (value.type !== "Word") {
    const elements = value.elements.flatMap((word) => expandText(word, context));
    return {
      kind: "list",
      words: node.append === true && old !== undefined ? [...old.words, ...elements] : elements,
    };
  }
  const words = expandText(value, context);
  if (node.append !== true) return { kind: "choice", words };
  if (old?.kind !== "choice") return undefined;
  return {
    kind: "choice",
    words: old.words.flatMap((before) => words.map((word) => joinedTo(before, word))),
  };
}

function joinedTo(a: ShellWord, b: ShellWord): ShellWord {
  return {
    text: a.text + b.text,
    literal: a.literal && b.literal,
    substitutions: [...a.substitutions, ...b.substitutions],
  };
}

/** A value that stands for the variable wherever it is used. Of what other programs print, the variable's name says more. */
function isPlain({ kind, words }: Variable): boolean {
  if (kind === "list") return words.every(({ literal }) => literal);
  return words.every(
    ({ text, literal }) => literal || (text.length < 200 && !/`|\$\(/.test(withoutPlaces(text))),
  );
}

const PLACES =
  /\$\(pwd(?: -[LP])?\)|`pwd`|\$\(git rev-parse --show-toplevel\)|`git rev-parse --show-toplevel`/g;
const withoutPlaces = (text: string): string => text.replace(PLACES, "");

export function assignAll(
  nodes: readonly Argument[] | Command["prefix"],
  scope: Scope,
  context: WordContext,
): void {
  for (const node of nodes) {
    if (node.type !== "Assignment") continue;
    const value = valueOf(node, context);
    if (value === undefined || !isPlain(value)) scope.vars.delete(node.name);
    else assign(scope, node.name, value, context.reading);
  }
}

const DECLARES = /^(?:export|declare|typeset|local|readonly)$/;

/** What a simple command leaves to those after it: variables, aliases, texts in files. */
export function leave(
  node: Command,
  words: readonly ShellWord[],
  scope: Scope,
  context: WordContext,
  input: ShellWord | undefined,
): void {
  const [first, ...args] = words;
  if (first === undefined) return assignAll(node.prefix, scope, context);
  const { vars } = scope;
  const { reading } = context;
  const name = programName(first.known ?? first.text);
  if (DECLARES.test(name)) assignAll(node.args, scope, context);
  else if (name === "unset") for (const { text } of args) vars.delete(text);
  else if (name === "set" && args[0]?.text === "--") setArguments(scope, args.slice(1), context);
  else if (name === "read") readInto(args, scope, context, input);
  else if (name === "printf" && args[0]?.text === "-v" && args[1] !== undefined) {
    const value = outputOf("printf", args.slice(2), undefined);
    if (value?.literal === true) assign(scope, args[1].text, { kind: "choice", words: [value] }, reading);
  } else if (name === "alias") {
    for (const { text, literal } of args) {
      const [, alias = "", value = ""] = /^([\w.-]+)=(.*)$/s.exec(text) ?? [];
      if (literal && alias !== "") reading.aliases.set(alias, plainWord(value));
    }
  } else if (name === "git") {
    const at = args.findIndex(({ text }) => /^alias\./i.test(text));
    const value = args[at + 1];
    if (at > 0 && value?.literal === true && !value.text.startsWith("!"))
      reading.aliases.set(`git ${args[at]?.text.slice(6) ?? ""}`, value);
  } else if (/^(?:cp|ln|install)$/.test(name)) {
    const [from, to] = args.filter(({ text }) => !text.startsWith("-")).map(({ text }) => text);
    if (from !== undefined && to !== undefined && /\/s?bin\//.test(from))
      reading.aliases.set(to, plainWord(from));
  }
}

/** The arguments of a script or a function: `$1`, `$@`. */
export function setArguments(scope: Scope, args: readonly ShellWord[], { reading }: WordContext): void {
  assign(scope, "@", { kind: "list", words: args }, reading);
  for (let i = 1; i <= 9; i++) {
    const word = args[i - 1];
    if (word === undefined) scope.vars.delete(String(i));
    else assign(scope, String(i), { kind: "choice", words: [word] }, reading);
  }
}

/** `read x <<< "…"`, and in a loop each line of what it is fed. */
function readInto(
  args: readonly ShellWord[],
  scope: Scope,
  { reading }: WordContext,
  input: ShellWord | undefined,
): void {
  const names = args.map(({ text }) => text).filter((text) => /^[A-Za-z_]\w*$/.test(text));
  const isLine = names.length === 1 && input?.literal === true;
  for (const name of names) scope.vars.delete(name);
  const [name] = names;
  if (!isLine || name === undefined || input === undefined) return;
  const lines = input.text.split("\n").filter((line) => line.trim() !== "");
  const words = lines.slice(0, 20).map((line) => plainWord(line.trim()));
  if (words.length > 0) assign(scope, name, { kind: "choice", words }, reading);
}

/** Texts that go into files: `echo … > x.sh`, `… | tee x.sh`. What the line then runs can be read. */
export function keepFiles(
  name: string,
  args: readonly ShellWord[],
  redirects: readonly Redirection[],
  printed: ShellWord | undefined,
  context: WordContext,
): void {
  if (printed === undefined) return;
  const { files } = context.reading;
  const keep = (path: string, isMore: boolean): void => {
    const old = isMore ? files.get(fileKey(path)) : undefined;
    if (printed.text.length <= 50_000 && files.size < 50)
      files.set(
        fileKey(path),
        old === undefined ? printed : joinedTo({ ...old, text: `${old.text}\n` }, printed),
      );
  };
  for (const node of redirects)
    if (node.type === "Redirect" && /^(?:>|>>|>\||&>)$/.test(node.operator) && node.target !== undefined)
      for (const { text } of expandText(node.target, context)) keep(text, node.operator === ">>");
  if (name === "tee")
    for (const { text } of args)
      if (!text.startsWith("-"))
        keep(
          text,
          args.some((arg) => arg.text === "-a"),
        );
}

/** Whether a function's body uses what it is called with. */
export function usesArguments(body: SyntaxNode): boolean {
  let isUsed = false;
  const look = (node: SyntaxNode): void => {
    if (isUsed) return;
    if (node.type === "SimpleExpansion") isUsed = /^\$[1-9@*]$/.test(node.text);
    else if (node.type === "ParameterExpansion") isUsed = /^(?:[1-9]|@|\*)$/.test(node.parameter);
    if (!isUsed) forEachChild(node, look);
  };
  look(body);
  return isUsed;
}
