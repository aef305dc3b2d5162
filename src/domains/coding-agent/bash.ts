import {
  forEachChild,
  parse,
  type Command,
  type HereDoc,
  type ParsedScript,
  type Pipeline,
  type Redirection,
  type SyntaxNode,
  type Word,
} from "unbash";
import type { ShellCall, ShellPlace } from "../../model/coding-context.ts";
import { keepFiles, leave, setArguments, usesArguments } from "./bash-effects.ts";
import { outputOf } from "./bash-output.ts";
import { expandText, expandWord, isSubstitution, type WordContext } from "./bash-words.ts";
import { BASH_WAYS, readCall } from "./shell-call.ts";
import {
  addError,
  assign,
  fileKey,
  isFull,
  joined,
  linkStages,
  plainWord,
  type Reading,
  type Said,
  type Scope,
  type ShellWord,
} from "./shell-reading.ts";
import { isShell } from "./shell-texts.ts";
import { programName } from "./shell-words.ts";

type Calls = readonly ShellCall[];

/** Adds the calls of a Bash text to the reading; answers those that share the input and output of who runs it. */
export function readBash(text: string, scope: Scope, reading: Reading): Calls {
  return readScript(parse(text), scope, reading);
}

function readScript(script: ParsedScript, scope: Scope, reading: Reading): Calls {
  // A text within backticks is unescaped before it is read: its offsets are its own.
  const inner = script.source === undefined ? scope : { ...scope, ranged: false };
  for (const { message, pos } of script.errors ?? [])
    addError(reading, inner.ranged ? `Character ${pos + 1}: ${message}.` : `In a nested text: ${message}.`);
  return script.commands.flatMap((statement) => readNode(statement, inner, reading));
}

function at(scope: Scope, place: ShellPlace): Scope {
  return { ...scope, place };
}

/** A part that a shell of its own runs: what it gives to variables stays there. */
function apart(scope: Scope, place: ShellPlace): Scope {
  return { ...scope, place, vars: new Map(scope.vars) };
}

/** Substitutions within each other whose output is looked for. */
const MAX_OUTPUTS = 6;

function contextOf({ vars }: Pick<Scope, "vars">, reading: Reading, depth = 0): WordContext {
  return {
    vars,
    reading,
    output(script) {
      if (script === undefined || depth >= MAX_OUTPUTS) return undefined;
      const printed = printedByAll(script.commands, undefined, contextOf({ vars }, reading, depth + 1));
      return printed?.literal === true ? printed.text.replace(/\n+$/, "") : undefined;
    },
  };
}

/** The calls of a part of the tree that share its input and output. Those of substitutions are added to the reading only. */
function readNode(node: SyntaxNode, scope: Scope, reading: Reading, input?: ShellWord): Calls {
  if (isFull(reading)) return [];
  const read = (child: SyntaxNode, inner = scope): Calls => readNode(child, inner, reading, input);
  switch (node.type) {
    case "CompoundList":
    case "AndOr":
      return node.commands.flatMap((child) => read(child));
    case "Statement":
      return read(node.command, node.background === true ? { ...scope, background: true } : scope);
    case "Pipeline":
      return readPipeline(node, scope, reading, input);
    case "Command":
      return readSimple(node, scope, reading, input);
    case "Redirected":
      return readRedirected(node.command, node.redirects, scope, reading, input);
    case "Function":
      // What a definition holds runs later, if at all: it is in no pipe of this line.
      readNode(node.body, apart(scope, "function"), reading);
      if (usesArguments(node.body)) reading.functions.set(node.name.value, node.body);
      return [];
    case "Subshell":
      return read(node.body, apart(scope, "subshell"));
    case "BraceGroup":
      return read(node.body);
    case "Coproc":
      return read(node.body, { ...scope, background: true });
    default:
      return readControl(node, scope, reading, input);
  }
}

function readControl(node: SyntaxNode, scope: Scope, reading: Reading, input: ShellWord | undefined): Calls {
  const read = (child: SyntaxNode, place: ShellPlace): Calls =>
    readNode(child, at(scope, place), reading, input);
  switch (node.type) {
    case "If": {
      const branches = [node.then, ...node.elif.flatMap(({ clause, then }) => [clause, then]), node.else];
      const first = read(node.clause, scope.place);
      return [
        ...first,
        ...branches.flatMap((branch) => (branch === undefined ? [] : read(branch, "branch"))),
      ];
    }
    case "Case":
      readSubstitutions(node.word, scope, reading);
      return node.items.flatMap(({ pattern, body }) => {
        for (const word of pattern) readSubstitutions(word, scope, reading);
        return read(body, "branch");
      });
    case "For":
    case "Select":
      for (const word of node.wordlist ?? []) readSubstitutions(word, scope, reading);
      goThrough(node.name.value, node.wordlist, scope, reading);
      return read(node.body, "loop");
    case "While":
      return [...read(node.clause, "loop"), ...read(node.body, "loop")];
    case "ArithmeticFor":
      for (const part of [node.initialize, node.test, node.update])
        if (part !== undefined) readSubstitutions(part, scope, reading);
      return read(node.body, "loop");
    default:
      readSubstitutions(node, scope, reading);
      return [];
  }
}

/** Gives a loop's variable the words that it goes through, where they are written out. */
function goThrough(name: string, list: readonly Word[] | undefined, scope: Scope, reading: Reading): void {
  const context = contextOf(scope, reading);
  const words =
    list === undefined
      ? (scope.vars.get("@")?.words ?? [])
      : list.flatMap((word) => expandWord(word, context).flat());
  const known = words.filter(({ literal, text }) => literal || IN_PLACES.test(text));
  scope.vars.delete(name);
  if (known.length > 0) assign(scope, name, { kind: "choice", words: known }, reading);
}

/** What lies below the home and where the shell is. */
const IN_PLACES = /^\$(?:HOME|PWD|\{(?:HOME|PWD)\})(?:\/[^$`]*)?$/;

function readPipeline(node: Pipeline, scope: Scope, reading: Reading, input: ShellWord | undefined): Calls {
  const isTimed = node.prefixes.some(({ type }) => type === "Time");
  const inner = isTimed ? { ...scope, via: [...scope.via, "time"] } : scope;
  let fed = input;
  const stages = node.commands.map((command, i) => {
    const calls = readNode(command, inner, reading, fed);
    const isLast = i === node.commands.length - 1;
    fed = isLast ? undefined : printedBy(command, fed, contextOf(inner, reading));
    return calls;
  });
  linkStages(stages);
  return stages.flat();
}

const PRINTS =
  /^(?:echo|printf|cat|tee|sponge|true|:|which|command|type|basename|head|g?base64|openssl|xxd|rev|tr|sed)$/;

/** What a part of a line prints, as far as it is written there: a shell behind a pipe would run it. */
function printedBy(
  node: SyntaxNode,
  input: ShellWord | undefined,
  context: WordContext,
): ShellWord | undefined {
  switch (node.type) {
    case "Statement":
      return printedBy(node.command, input, context);
    case "Subshell":
    case "BraceGroup":
      return printedBy(node.body, input, context);
    case "CompoundList":
    case "AndOr":
      return printedByAll(node.commands, input, context);
    case "Pipeline":
      return node.commands.reduce<ShellWord | undefined>((fed, one) => printedBy(one, fed, context), input);
    case "Command": {
      if (node.name === undefined) return undefined;
      const [way = []] = expandWord(node.name, context);
      const [first, ...more] = [...way, ...wordsOf(node.args, context)];
      const name = programName(first?.text ?? "");
      if (!PRINTS.test(name)) return undefined;
      return outputOf(name, more, inputOf(node.redirects, context) ?? fileIn(name, more, context) ?? input);
    }
    default:
      return undefined;
  }
}

function printedByAll(
  nodes: readonly SyntaxNode[],
  input: ShellWord | undefined,
  context: WordContext,
): ShellWord | undefined {
  const parts: ShellWord[] = [];
  for (const node of nodes.slice(0, MAX_PRINTED)) {
    const printed = printedBy(node, input, context);
    if (printed === undefined) return undefined;
    if (printed.text !== "") parts.push(printed);
  }
  if (nodes.length === 0 || nodes.length > MAX_PRINTED) return undefined;
  const [only] = parts;
  if (parts.length === 1) return only;
  const all = joined(parts);
  return { ...all, text: parts.map(({ text }) => text).join("\n") };
}

/** Programs of a part whose output is put together. */
const MAX_PRINTED = 50;

/** A file that the line has written before. */
function fileIn(name: string, args: readonly ShellWord[], { reading }: WordContext): ShellWord | undefined {
  const [file] = args.filter(({ text }) => !/^-./.test(text));
  return name === "cat" && file !== undefined ? reading.files.get(fileKey(file.text)) : undefined;
}

function readRedirected(
  command: SyntaxNode,
  redirects: readonly Redirection[],
  scope: Scope,
  reading: Reading,
  input: ShellWord | undefined,
): Calls {
  const context = contextOf(scope, reading);
  const calls = readNode(command, scope, reading, inputOf(redirects, context) ?? input);
  const own = redirects.map((redirect) => redirectOf(redirect, context));
  for (const call of calls) call.redirects = [...call.redirects, ...own];
  for (const redirect of redirects) joinSubstitutions(redirect, calls, scope, reading);
  if (redirects.some(({ type }) => type === "Redirect"))
    keepFiles("", [], redirects, printedBy(command, input, context), context);
  return calls;
}

function readSimple(node: Command, scope: Scope, reading: Reading, piped: ShellWord | undefined): Calls {
  const context = contextOf(scope, reading);
  const args = wordsOf(node.args, context);
  const ways = node.name === undefined ? [[]] : expandWord(node.name, context);
  const said = saidIn(node, piped, context);
  const calls = ways.slice(0, MAX_WAYS).flatMap((way, i) => {
    const words = withAlias([...way, ...args], reading);
    const own = i === 0 ? scope : { ...scope, ranged: false };
    const read = readCall({ ...said, words }, own, reading, BASH_WAYS);
    return [...read, ...readFunction(words, own, reading)];
  });
  for (const part of node.prefix) joinSubstitutions(part, calls, scope, reading);
  if (node.name !== undefined) joinSubstitutions(node.name, calls, scope, reading);
  for (const part of node.suffix) joinSubstitutions(part, calls, scope, reading);
  const words = [...(ways[0] ?? []), ...args];
  leave(node, words, scope, context, said.input);
  if (node.redirects.length > 0 || words[0]?.text === "tee") {
    const printed = node.name === undefined ? undefined : printedBy(node, piped, context);
    keepFiles(words[0]?.text ?? "", args, node.redirects, printed, context);
  }
  return calls;
}

/** Names that one word may stand for, and functions within functions. */
const MAX_WAYS = 8;
const MAX_FUNCTIONS = 6;

function withAlias(words: readonly ShellWord[], reading: Reading): readonly ShellWord[] {
  const [first, ...args] = words;
  const alias = first?.literal === true ? reading.aliases.get(first.text) : undefined;
  const command = alias === undefined ? undefined : parse(alias.text).commands[0]?.command;
  if (command?.type !== "Command" || command.name === undefined) return words;
  return [...[command.name, ...command.args].map(({ text }) => plainWord(unquoted(text))), ...args];
}

const unquoted = (text: string): string => text.replace(/^(["'])(.*)\1$/s, "$2");

/** The body of a function of this line with the words that it is called with. */
function readFunction(words: readonly ShellWord[], scope: Scope, reading: Reading): Calls {
  const [first, ...args] = words;
  const body = first === undefined ? undefined : reading.functions.get(first.text);
  if (body === undefined || scope.depth > MAX_FUNCTIONS || reading.replays-- <= 0) return [];
  const inner = { ...apart(scope, "function"), ranged: false, depth: scope.depth + 1 };
  setArguments({ ...inner, place: "top" }, args, contextOf(inner, reading));
  return readNode(body, inner, reading);
}

/** `bash <(curl …)`, `tar c . > >(ssh …)` and `sh -c "$(curl …)"` are pipes in another dress. */
function joinSubstitutions(part: SyntaxNode, calls: Calls, scope: Scope, reading: Reading): void {
  const inner = readSubstitutions(part, scope, reading);
  if (inner.length === 0) return;
  const [own] = calls;
  const isCode = own !== undefined && (own.name === "eval" || isShell(own.name));
  const word = part.type === "Redirect" ? part.target : part;
  const mark = word?.type === "Word" ? /^[<>](?=\()/.exec(word.text)?.[0] : undefined;
  if (mark !== undefined || isCode) linkStages(mark === ">" ? [calls, inner] : [inner, calls]);
}

/** Reads the scripts of `$(…)`, backticks, `<(…)` and `>(…)` anywhere below a node; answers their calls. */
function readSubstitutions(node: SyntaxNode, scope: Scope, reading: Reading): Calls {
  if (node.type === "Word" && !MAY_SUBSTITUTE.test(node.text)) return [];
  if (!isSubstitution(node)) {
    const found: ShellCall[] = [];
    forEachChild(node, (child) => void found.push(...readSubstitutions(child, scope, reading)));
    return found;
  }
  if (node.script === undefined || scope.done.has(node.text)) return [];
  return readScript(node.script, apart(scope, "substitution"), reading);
}

const MAY_SUBSTITUTE = /[$`]|[<>]\(/;

function saidIn(node: Command, piped: ShellWord | undefined, context: WordContext): Said {
  const env: ShellCall["env"] = {};
  for (const part of node.prefix) {
    if (part.type !== "Assignment") continue;
    Object.defineProperty(env, part.name, {
      value: assignedText(part.value, context).text,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return {
    words: [],
    redirects: node.redirects.map((redirect) => redirectOf(redirect, context)),
    env,
    range: { start: node.pos, end: node.end },
    input: inputOf(node.redirects, context) ?? piped,
  };
}

type Argument = Command["args"][number];
type AssignedValue = Extract<Argument, { type: "Assignment" }>["value"];

function assignedText(value: AssignedValue, context: WordContext): ShellWord {
  if (value.type === "Word") return expandText(value, context)[0] ?? plainWord("");
  const all = joined(value.elements.flatMap((word) => expandText(word, context)));
  return { ...all, text: `(${all.text})` };
}

function wordsOf(args: readonly Argument[], context: WordContext): ShellWord[] {
  return args.flatMap((argument) => {
    if (argument.type === "Word")
      return expandWord(argument, context)
        .flat()
        .map((word) => saying(word, argument, context));
    const value = assignedText(argument.value, context);
    return [{ ...value, text: argument.text.slice(0, argument.text.indexOf("=") + 1) + value.text }];
  });
}

/** `<(echo …)` with what it says. */
function saying(word: ShellWord, node: Word, context: WordContext): ShellWord {
  const [part] = word.literal ? [] : (node.parts ?? []);
  if (part?.type !== "ProcessSubstitution" || part.operator !== "<" || part.script === undefined) return word;
  return { ...word, says: printedByAll(part.script.commands, undefined, context) };
}

function redirectOf(redirect: Redirection, context: WordContext): ShellCall["redirects"][number] {
  if (redirect.type === "HereDoc") return { op: redirect.operator, target: bodyOf(redirect, context).text };
  const { target } = redirect;
  return {
    op: redirect.operator,
    target: target === undefined ? "" : textIn(target, context).text,
  };
}

/** The one text of a place where no word is split. */
function textIn(node: Parameters<typeof expandText>[0], context: WordContext): ShellWord {
  const texts = expandText(node, context);
  const [only] = texts;
  if (texts.length === 1 && only !== undefined) return only;
  return { ...joined(texts), text: texts.map(({ text }) => text).join("\n") };
}

function bodyOf(doc: HereDoc, context: WordContext): ShellWord {
  if (doc.delimiter?.quoted === true) return plainWord(doc.body.text);
  const { body } = doc;
  // Its parts are looked for only where there may be some.
  return textIn(
    {
      value: body.text,
      get parts() {
        return body.parts;
      },
    },
    context,
  );
}

/** What the last of its redirections gives a program to read as text. */
function inputOf(redirects: readonly Redirection[], context: WordContext): ShellWord | undefined {
  const last = redirects.findLast(
    (one) => one.type !== "Redirect" || (one.operator === "<" && one.target !== undefined),
  );
  if (last?.type === "HereDoc") return bodyOf(last, context);
  if (last?.target === undefined) return undefined;
  if (last.type === "HereString") return textIn(last.target, context);
  const [part] = last.target.parts ?? [];
  if (part?.type === "ProcessSubstitution")
    return printedByAll(part.script?.commands ?? [], undefined, context);
  return context.reading.files.get(fileKey(last.target.value));
}
