import type { ShellCall, ShellPlace } from "../../model/coding-context.ts";
import { readWord, skipBlanks, type Cursor, type PsWord } from "./powershell-words.ts";
import { readCall, type CallWays } from "./shell-call.ts";
import {
  addCall,
  addError,
  assign,
  linkStages,
  plainWord,
  type Reading,
  type Scope,
  type ShellWord,
} from "./shell-reading.ts";
import { ENCODED, encodedCommand } from "./shell-texts.ts";
import { programName, splitArgs } from "./shell-words.ts";

/** Brackets within brackets; scripts of people have a handful. */
const MAX_NESTED = 60;

/** Short names that PowerShell has for commands of its own; their switches are words (`-Recurse`). */
const ALIASES = new Set(
  "ac cat cd chdir clc clear cls copy cp cpi curl del dir echo erase gc gci gi gp iex irm iwr kill ls man md mi mkdir move mp mv ni popd ps pushd pwd rd ren ri rm rmdir rni rp sc set si sl sleep sls sp spps start tee type wget where write %  ?".split(
    /\s+/,
  ),
);

const WAYS: CallWays = {
  nameOf: (written) => programName(written, /[\\/]/),
  split: (name, args) =>
    name.includes("-") || ALIASES.has(name.toLowerCase())
      ? splitArgs(name, args, true)
      : splitArgs(name, args),
};

/** Words that begin a statement of the language, and where their blocks stand; undefined: where the statement does. */
const KEYWORDS: ReadonlyMap<string, ShellPlace | undefined> = new Map([
  ...["if", "elseif", "else", "switch", "catch"].map((word) => [word, "branch"] as const),
  ...["for", "foreach", "while", "do", "until"].map((word) => [word, "loop"] as const),
  ...["function", "filter", "class", "enum", "workflow"].map((word) => [word, "function"] as const),
  ...[
    "try",
    "finally",
    "trap",
    "begin",
    "process",
    "end",
    "data",
    "param",
    "throw",
    "break",
    "continue",
    "using",
  ].map((word) => [word, undefined] as const),
]);
const LOOPING = /^(?:foreach-object|where-object|foreach|where|%|\?)$/i;
/** `=` of an assignment and `in` of a loop: what stands before is no command, what follows may be one. */
const ENDS_TARGET = /^(?:[-+*/%]?=|in)$/;
/** `$x=` written without a blank. */
const ASSIGNMENT = /\$\{?[\w:.]+\}?(?:\[[^\]\n]{0,200}\])?[-+*/%]?=/y;
const REDIRECT = /(?:[*1-6])?>{1,2}(?:&[12])?/y;
const METHOD = /^\[[\w.]+\]::\w+$/;

/** Reading one text: where it is, and what of the places around that is. */
interface Reader extends Cursor {
  readonly scope: Scope;
  readonly reading: Reading;
  place: ShellPlace;
  nested: number;
}

/** Adds the calls of a PowerShell text to the reading; answers those that share the input and output of who runs it. */
export function readPowerShell(text: string, scope: Scope, reading: Reading): readonly ShellCall[] {
  const reader: Reader = {
    text,
    at: 0,
    scope,
    reading,
    place: scope.place,
    nested: 0,
    inside: (close) => readInside(reader, close),
    fail(message, at) {
      addError(reading, scope.ranged ? `Character ${at + 1}: ${message}.` : `In a nested text: ${message}.`);
    },
  };
  return readStatements(reader, undefined);
}

function readInside(reader: Reader, close: ")" | "}"): void {
  const outer = reader.place;
  if (close === ")") reader.place = "substitution";
  reader.nested++;
  if (reader.nested > MAX_NESTED) {
    reader.fail(`more than ${MAX_NESTED} brackets within each other`, reader.at);
    reader.at = reader.text.length;
  } else readStatements(reader, close);
  reader.nested--;
  reader.place = outer;
}

function readStatements(reader: Reader, close: ")" | "}" | undefined): ShellCall[] {
  const { text } = reader;
  const calls: ShellCall[] = [];
  for (;;) {
    skipBlanks(reader, true);
    const c = text[reader.at];
    if (c === undefined) {
      if (close !== undefined) reader.fail(`a ${close} is missing`, text.length);
      return calls;
    }
    if (c === close) {
      reader.at++;
      return calls;
    }
    const before = reader.at;
    calls.push(...readPipeline(reader));
    // A mark that nothing here takes, such as a closing one without an opening one.
    if (reader.at === before) reader.at++;
  }
}

function readPipeline(reader: Reader): readonly ShellCall[] {
  const { text } = reader;
  const stages: (readonly ShellCall[])[] = [readCommand(reader)];
  while (text[reader.at] === "|" && text[reader.at + 1] !== "|") {
    reader.at++;
    skipBlanks(reader, true);
    stages.push(readCommand(reader));
  }
  linkStages(stages);
  const calls = stages.flat();
  const two = text.slice(reader.at, reader.at + 2);
  if (two === "&&" || two === "||") reader.at += 2;
  else if (text[reader.at] === "&") {
    reader.at++;
    for (const call of calls) call.background = true;
  }
  return calls;
}

/** A command as far as it is read. */
interface Command {
  readonly words: PsWord[];
  readonly redirects: ShellCall["redirects"];
  /** Where its own words stand; that of a keyword's block may be another. */
  readonly outer: ShellPlace;
  /** Programs within its words are read first and stand behind it: those from this one on. */
  readonly before: number;
  /** By `&` or `.`: then a value in the first place is what runs. */
  isCalled: boolean;
  /** It begins with a keyword: no program, but blocks that hold some. */
  isLanguage: boolean;
  /** The variable that it gives a value, in small letters. */
  target?: string | undefined;
  end: number;
}

function readCommand(reader: Reader): readonly ShellCall[] {
  const command: Command = {
    words: [],
    redirects: [],
    outer: reader.place,
    before: reader.reading.calls.length,
    isCalled: false,
    isLanguage: false,
    end: reader.at,
  };
  while (readPart(reader, command));
  reader.place = command.outer;
  return command.isLanguage ? [] : said(reader, command);
}

/** One word or redirect more; false at the end of the command. */
function readPart(reader: Reader, command: Command): boolean {
  const { text } = reader;
  const { words } = command;
  skipBlanks(reader, false);
  const c = text[reader.at];
  const isFirst = words.length === 0 && !command.isCalled;
  if (isFirst && c === "&" && text[reader.at + 1] !== "&") {
    command.isCalled = true;
    reader.at++;
    return true;
  }
  if (c === undefined || /[\r\n;|&)}]/.test(c)) return false;
  const redirect = redirectAt(reader);
  if (redirect !== undefined) command.redirects.push(redirect);
  else if (isFirst && skipAssignment(reader, command)) return true;
  else {
    if (c === "{" && !command.isLanguage) reader.place = blockPlace(words[0], command.outer);
    takeWord(reader, command, readWord(reader));
  }
  command.end = Math.min(reader.at, text.length);
  return true;
}

function takeWord(reader: Reader, command: Command, word: PsWord): void {
  const { words, outer, isLanguage } = command;
  // The place that a keyword gave lasts until the next word of the language.
  if (!isLanguage) reader.place = outer;
  const mayBeKeyword = (words.length === 0 || isLanguage) && !command.isCalled && word.kind === "bare";
  if (!mayBeKeyword) {
    if (endsTarget(word, words)) {
      command.target = word.text === "=" && words.length === 1 ? variableIn(words[0]?.text ?? "") : undefined;
      words.length = 0;
    } else words.push(word);
    return;
  }
  const keyword = word.text.toLowerCase();
  if (KEYWORDS.has(keyword)) {
    command.isLanguage = true;
    reader.place = KEYWORDS.get(keyword) ?? outer;
  } else if (keyword === "." && words.length === 0) command.isCalled = true;
  else if (keyword !== "return") words.push(word);
}

const variableIn = (text: string): string | undefined => /^\$\{?(\w+)\}?=?$/.exec(text)?.[1]?.toLowerCase();

function skipAssignment(reader: Reader, command: Command): boolean {
  ASSIGNMENT.lastIndex = reader.at;
  const target = ASSIGNMENT.exec(reader.text)?.[0];
  reader.at += target?.length ?? 0;
  if (target !== undefined) command.target = variableIn(target);
  return target !== undefined;
}

function redirectAt(reader: Reader): ShellCall["redirects"][number] | undefined {
  REDIRECT.lastIndex = reader.at;
  const op = REDIRECT.exec(reader.text)?.[0];
  if (op === undefined) return undefined;
  reader.at += op.length;
  // As in Bash, the number of the stream is left out.
  const bare = op.replace(/^[*\d]/, "");
  if (bare.includes("&")) return { op: ">&", target: op.slice(-1) };
  skipBlanks(reader, false);
  const hasTarget = !/[\r\n;|&)}]|^$/.test(reader.text[reader.at] ?? "");
  return { op: bare, target: hasTarget ? readWord(reader).text : "" };
}

/** The calls of a command that was read. */
function said(reader: Reader, command: Command): readonly ShellCall[] {
  const { redirects, isCalled, end, before, target } = command;
  const words = command.words.map((word) => valueOf(word, reader));
  const { scope, reading, place } = reader;
  const [first] = words;
  if (first === undefined || first.kind === "block") return [];
  if (first.kind === "value" && !isCalled) {
    keepValue(reader, target, words);
    const deleted = deletedBy(first.text);
    if (deleted !== undefined) {
      const own = [plainWord("Remove-Item"), plainWord("-Recurse"), deleted];
      return readCall({ words: own, redirects: [], env: {} }, { ...scope, place }, reading, WAYS);
    }
    if (METHOD.test(first.text.split("(", 1)[0] ?? ""))
      reader.fail(`a call of .NET was not read (${first.text.slice(0, 60)})`, first.start);
    return [];
  }
  noteUnreadable(reader, words);
  const range = { start: first.start, end };
  const inner = reading.calls.splice(before);
  const calls = readCall({ words, redirects, env: {}, range }, { ...scope, place }, reading, WAYS);
  for (const call of inner) addCall(reading, call);
  return calls;
}

function noteUnreadable(reader: Reader, [first, ...args]: readonly PsWord[]): void {
  const name = WAYS.nameOf(first?.text ?? "").toLowerCase();
  const isEncoded = /^(?:powershell|pwsh)$/.test(name) && args.some(({ text }) => ENCODED.test(text));
  if (isEncoded && encodedCommand(args) === undefined)
    reader.fail("an encoded command was not read", first?.start ?? 0);
  if (name === "cmd") reader.fail("what cmd runs was not read", first?.start ?? 0);
}

/** `[IO.Directory]::Delete($HOME, $true)` does what `Remove-Item -Recurse` does. */
function deletedBy(text: string): ShellWord | undefined {
  const [, path = ""] =
    /^\[(?:System\.)?IO\.(?:Directory|File|DirectoryInfo)\]::Delete\(\s*([^,]+?)\s*(?:,[^)]*)?\)/i.exec(
      text,
    ) ?? [];
  if (path === "") return undefined;
  const plain = path.replace(/^(["'])(.*)\1$/s, "$2");
  return plain.includes("$") ? { text: plain, literal: false, substitutions: [] } : plainWord(plain);
}

/** Remembers a text that a variable is given: `$x = 'C:\'`. */
function keepValue(
  { scope, reading }: Reader,
  target: string | undefined,
  [first, second]: readonly PsWord[],
): void {
  if (target === undefined || first === undefined) return;
  if (second !== undefined || !first.literal) scope.vars.delete(target);
  else assign(scope, target, { kind: "choice", words: [plainWord(first.text)] }, reading);
}

/** A word that is one variable, with the text that the line gave to it. */
function valueOf(word: PsWord, { scope }: Reader): PsWord {
  if (word.literal || scope.vars.size === 0) return word;
  const name = /^\$\{?(\w+)\}?$/.exec(word.text)?.[1]?.toLowerCase();
  const value = name === undefined ? undefined : scope.vars.get(name)?.words[0];
  return value === undefined ? word : { ...word, text: value.text, literal: true };
}

function endsTarget(word: PsWord, before: readonly PsWord[]): boolean {
  const isTarget = before.length > 0 && before.every(({ kind }) => kind === "value");
  return isTarget && word.kind === "bare" && ENDS_TARGET.test(word.text);
}

/** Where the block of a command stands: `ForEach-Object { … }` runs it again and again, others apart. */
function blockPlace(first: PsWord | undefined, outer: ShellPlace): ShellPlace {
  if (first === undefined) return outer;
  return LOOPING.test(first.text) ? "loop" : "subshell";
}
