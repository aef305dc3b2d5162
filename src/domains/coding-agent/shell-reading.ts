import type { SyntaxNode } from "unbash";
import type { ShellCall, ShellCommand, ShellPlace } from "../../model/coding-context.ts";

export type Dialect = ShellCommand["dialect"];

/** A word as its program gets it: quotes taken off, what only the shell knows left as written. */
export interface ShellWord {
  readonly text: string;
  readonly literal: boolean;
  /** The substitutions in it as written. Their programs have been read where the word stands. */
  readonly substitutions: readonly string[];
  /** Its text without the parts that only the shell knows; undefined where it is all known. */
  readonly known?: string;
  /** What `<(…)` has to say. */
  readonly says?: ShellWord | undefined;
}

/** What the line itself gives to a variable: one of several values (a loop goes through them), or a list. */
export interface Variable {
  readonly kind: "choice" | "list";
  readonly words: readonly ShellWord[];
}
export type Variables = Map<string, Variable>;

/** One simple command: its words and all that stands around them. */
export interface Said {
  readonly words: readonly ShellWord[];
  readonly redirects: ShellCall["redirects"];
  readonly env: ShellCall["env"];
  readonly range?: ShellCall["range"];
  /** What it is given to read: a heredoc, a here-string, or what `echo` says before the pipe. */
  readonly input?: ShellWord | undefined;
}

/** Where in a command line the reader is. */
export interface Scope {
  readonly via: readonly string[];
  readonly place: ShellPlace;
  readonly background: boolean;
  /** Texts within texts, as in `bash -c "bash -c …"`. */
  readonly depth: number;
  /** Offsets of the parser are offsets of the whole command line. */
  readonly ranged: boolean;
  /** Substitutions that an outer shell has run before this text is read. */
  readonly done: ReadonlySet<string>;
  /** What the line has given to variables up to here. A subshell has its own. */
  readonly vars: Variables;
}

/** One reading of a command line. */
export interface Reading {
  readonly calls: ShellCall[];
  readonly errors: Set<string>;
  /** A part was too long, too deep or too much to be read. */
  unread: boolean;
  /** Characters of values that may still be copied into words. */
  room: number;
  /** Functions that may still be read again for a call of theirs. */
  replays: number;
  /** Functions and aliases of the line, and texts that it writes into files. */
  readonly functions: Map<string, SyntaxNode>;
  readonly aliases: Map<string, ShellWord>;
  readonly files: Map<string, ShellWord>;
  /** Reads a text that a program takes for commands; answers the calls that share that program's input and output. */
  readText(text: ShellWord, dialect: Dialect, scope: Scope): readonly ShellCall[];
}

const MAX_CALLS = 500;
/** Of programs that can destroy, send or publish something, as many more: filler in front of them hides none. */
const MAX_WATCHED = 500;
const WATCHED = new Set(
  "bash chmod chown cp curl dd docker eval find git kubectl mkfs mv npm npx pip pnpm psql mysql sqlite3 rm rmdir rsync scp sh shred source ssh sudo tee terraform truncate twine wget xargs yarn zsh cargo gh printenv Remove-Item Invoke-Expression Invoke-WebRequest".split(
    " ",
  ),
);
const TOO_MANY = `More than ${MAX_CALLS} programs: of those after them only some were read.`;
const MAX_ERRORS = 20;
/** Names at the other ends of a pipe; more would make a long pipeline a square of itself. */
const MAX_PIPED = 20;

const MAX_ROOM = 400_000;
const MAX_REPLAYS = 100;
const MAX_VARIABLES = 500;
/** Values that one variable may have at once; of more, nothing is known. */
const MAX_VALUES = 20;
const MAX_VALUE = 20_000;

export function startReading(readText: Reading["readText"]): Reading {
  return {
    calls: [],
    errors: new Set(),
    unread: false,
    room: MAX_ROOM,
    replays: MAX_REPLAYS,
    functions: new Map(),
    aliases: new Map(),
    files: new Map(),
    readText,
  };
}

export function topScope(): Scope {
  return {
    via: [],
    place: "top",
    background: false,
    depth: 0,
    ranged: true,
    done: new Set(),
    vars: new Map(),
  };
}

export function plainWord(text: string): ShellWord {
  return { text, literal: true, substitutions: [] };
}

/** A path by which a file that the line writes is found again. */
export const fileKey = (path: string): string => path.replace(/^(?:\.\/)+/, "");

/** Several words as the one text that `eval` and `ssh` make of them. */
export function joined(words: readonly ShellWord[]): ShellWord {
  const literal = words.every((word) => word.literal);
  return {
    text: words.map(({ text }) => text).join(" "),
    literal,
    substitutions: words.flatMap(({ substitutions }) => substitutions),
    ...(literal ? {} : { known: words.map(({ text, known = text }) => known).join(" ") }),
  };
}

/** False where there are too many; says so in the errors. */
export function addCall(reading: Reading, call: ShellCall): boolean {
  const isWatched = WATCHED.has(call.name) || call.name.startsWith("mkfs.");
  if (reading.calls.length < MAX_CALLS + (isWatched ? MAX_WATCHED : 0)) {
    reading.calls.push(call);
    return true;
  }
  addError(reading, TOO_MANY);
  return false;
}

/** There is room for no more calls of any kind: what is left of the text need not be read, and the errors say so. */
export function isFull(reading: Reading): boolean {
  if (reading.calls.length < MAX_CALLS + MAX_WATCHED) return false;
  addError(reading, TOO_MANY);
  reading.unread = true;
  return true;
}

export function addError(reading: Reading, message: string): void {
  if (reading.errors.size < MAX_ERRORS) reading.errors.add(message);
}

/** Says of the calls of a pipeline's stages what they read from and write into. */
export function linkStages(stages: readonly (readonly ShellCall[])[]): void {
  const names = stages.map((stage) => stage.map(({ name }) => name));
  for (const [i, stage] of stages.entries()) {
    const after = names.slice(i + 1, i + 1 + MAX_PIPED).flat();
    const before = names.slice(Math.max(0, i - MAX_PIPED), i).flat();
    for (const call of stage) {
      call.into = [...call.into, ...after].slice(0, MAX_PIPED);
      call.from = [...before, ...call.from].slice(-MAX_PIPED);
    }
  }
}

/** Gives a variable its value. One that a branch or a loop gives is one more that it may have. */
export function assign({ vars, place }: Scope, name: string, value: Variable, reading: Reading): void {
  const old = vars.get(name);
  if (old === undefined && vars.size >= MAX_VARIABLES) {
    addError(reading, `More than ${MAX_VARIABLES} variables: of those after them nothing is known.`);
    reading.unread = true;
    return;
  }
  const isSure = old === undefined || place === "top" || place === "subshell" || place === "substitution";
  const words = isSure || value.kind === "list" ? value.words : [...old.words, ...value.words];
  const size = words.reduce((sum, { text }) => sum + text.length, 0);
  if (words.length > MAX_VALUES * (value.kind === "list" ? 3 : 1) || size > MAX_VALUE) vars.delete(name);
  else vars.set(name, { kind: value.kind, words });
}
