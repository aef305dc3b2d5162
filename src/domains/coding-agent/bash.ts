import {
  forEachChild,
  parse,
  type Command,
  type CommandNode,
  type HereDoc,
  type ParsedScript,
  type Pipeline,
  type Redirection,
  type SyntaxNode,
  type Word,
} from "unbash";
import type { ShellCall, ShellPlace } from "../../model/coding-context.ts";
import { BASH_WAYS, readCall } from "./shell-call.ts";
import {
  addError,
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

/** The calls of a part of the tree that share its input and output. Those of substitutions are added to the reading only. */
function readNode(node: SyntaxNode, scope: Scope, reading: Reading, input?: ShellWord): Calls {
  if (isFull(reading)) return [];
  const read = (child: SyntaxNode, inner = scope): Calls => readNode(child, inner, reading);
  switch (node.type) {
    case "CompoundList":
    case "AndOr":
      return node.commands.flatMap((child) => read(child));
    case "Statement":
      return read(node.command, node.background === true ? { ...scope, background: true } : scope);
    case "Pipeline":
      return readPipeline(node, scope, reading);
    case "Command":
      return readSimple(node, scope, reading, input);
    case "Redirected":
      return readRedirected(node.command, node.redirects, scope, reading);
    case "Function":
      // What a definition holds runs later, if at all: it is in no pipe of this line.
      read(node.body, at(scope, "function"));
      return [];
    case "Subshell":
      return read(node.body, at(scope, "subshell"));
    case "BraceGroup":
      return read(node.body);
    case "Coproc":
      return read(node.body, { ...scope, background: true });
    default:
      return readControl(node, scope, reading);
  }
}

function readControl(node: SyntaxNode, scope: Scope, reading: Reading): Calls {
  const read = (child: SyntaxNode, place: ShellPlace): Calls => readNode(child, at(scope, place), reading);
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

function readPipeline(node: Pipeline, scope: Scope, reading: Reading): Calls {
  const isTimed = node.prefixes.some(({ type }) => type === "Time");
  const inner = isTimed ? { ...scope, via: [...scope.via, "time"] } : scope;
  const stages = node.commands.map((command, i) =>
    readNode(command, inner, reading, saidBy(node.commands[i - 1])),
  );
  linkStages(stages);
  return stages.flat();
}

/** What a stage of a pipeline says that a shell in the next one would run: `echo "rm -rf x" | sh`. */
function saidBy(node: CommandNode | undefined): ShellWord | undefined {
  if (node?.type !== "Command" || node.name === undefined) return undefined;
  const args = node.args.map(wordOf);
  switch (programName(node.name.value)) {
    case "echo":
      return joined(args.filter(({ text }) => !/^-[neE]+$/.test(text)));
    case "printf":
      return joined(args);
    case "cat":
      return args.length === 0 ? inputOf(node.redirects) : undefined;
    default:
      return undefined;
  }
}

function readRedirected(
  command: SyntaxNode,
  redirects: readonly Redirection[],
  scope: Scope,
  reading: Reading,
): Calls {
  const calls = readNode(command, scope, reading);
  const own = redirects.map(redirectOf);
  for (const call of calls) call.redirects = [...call.redirects, ...own];
  for (const redirect of redirects) joinSubstitutions(redirect, calls, scope, reading);
  return calls;
}

function readSimple(node: Command, scope: Scope, reading: Reading, piped: ShellWord | undefined): Calls {
  const calls = readCall(saidIn(node, piped), scope, reading, BASH_WAYS);
  for (const part of node.prefix) joinSubstitutions(part, calls, scope, reading);
  if (node.name !== undefined) joinSubstitutions(node.name, calls, scope, reading);
  for (const part of node.suffix) joinSubstitutions(part, calls, scope, reading);
  return calls;
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
  return readScript(node.script, at(scope, "substitution"), reading);
}

const MAY_SUBSTITUTE = /[$`]|[<>]\(/;

type Substitution = Extract<
  SyntaxNode,
  { type: "CommandExpansion" | "ProcessSubstitution" | "ArithmeticCommandExpansion" }
>;

function isSubstitution(node: SyntaxNode): node is Substitution {
  return (
    node.type === "CommandExpansion" ||
    node.type === "ProcessSubstitution" ||
    node.type === "ArithmeticCommandExpansion"
  );
}

function saidIn(node: Command, piped: ShellWord | undefined): Said {
  const env: ShellCall["env"] = {};
  for (const part of node.prefix) {
    if (part.type !== "Assignment") continue;
    Object.defineProperty(env, part.name, {
      value: valueText(part.value),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return {
    words: node.name === undefined ? [] : [wordOf(node.name), ...node.args.map(wordOf)],
    redirects: node.redirects.map(redirectOf),
    env,
    range: { start: node.pos, end: node.end },
    input: inputOf(node.redirects) ?? piped,
  };
}

type Argument = Command["args"][number];
type AssignedValue = Extract<Argument, { type: "Assignment" }>["value"];

function valueText(value: AssignedValue): string {
  return value.type === "Word" ? value.value : `(${value.elements.map((word) => word.value).join(" ")})`;
}

function wordOf(argument: Argument): ShellWord {
  if (argument.type === "Word") return { text: argument.value, ...shellParts(argument) };
  const text = `${argument.text.slice(0, argument.text.indexOf("=") + 1)}${valueText(argument.value)}`;
  return { text, ...shellParts(argument) };
}

/** What of a word only the shell knows. Patterns of file names count as known: they stand in the word as they are. */
function shellParts(node: SyntaxNode & { readonly text: string }): Omit<ShellWord, "text"> {
  if (!MAY_EXPAND.test(node.text)) return { literal: true, substitutions: [] };
  const substitutions: string[] = [];
  let literal = true;
  const look = (child: SyntaxNode): void => {
    if (EXPANSIONS.has(child.type)) literal = false;
    if (isSubstitution(child)) substitutions.push(child.text);
    else forEachChild(child, look);
  };
  look(node);
  return { literal, substitutions };
}

const MAY_EXPAND = /[$`{]|[<>]\(/;
const EXPANSIONS: ReadonlySet<SyntaxNode["type"]> = new Set<SyntaxNode["type"]>([
  "SimpleExpansion",
  "ParameterExpansion",
  "CommandExpansion",
  "ArithmeticExpansion",
  "ProcessSubstitution",
  "BraceExpansion",
]);

function redirectOf(redirect: Redirection): ShellCall["redirects"][number] {
  if (redirect.type === "HereDoc") return { op: redirect.operator, target: redirect.body.text };
  return { op: redirect.operator, target: redirect.target?.value ?? "" };
}

function bodyOf(doc: HereDoc): ShellWord {
  if (doc.delimiter?.quoted === true) return plainWord(doc.body.text);
  return { text: doc.body.text, ...shellParts(doc.body) };
}

/** What the last of its redirections gives a program to read as text. */
function inputOf(redirects: readonly Redirection[]): ShellWord | undefined {
  const last = redirects.findLast(({ type }) => type === "HereDoc" || type === "HereString");
  if (last?.type === "HereDoc") return bodyOf(last);
  const target: Word | undefined = last?.type === "HereString" ? last.target : undefined;
  return target === undefined ? undefined : wordOf(target);
}
