import type { ShellCall, ShellCommand, ShellPlace } from "../../model/coding-context.ts";

export type Dialect = ShellCommand["dialect"];

/** A word as its program gets it: quotes taken off, what only the shell knows left as written. */
export interface ShellWord {
  readonly text: string;
  readonly literal: boolean;
  /** The substitutions in it as written. Their programs have been read where the word stands. */
  readonly substitutions: readonly string[];
}

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
}

/** One reading of a command line. */
export interface Reading {
  readonly calls: ShellCall[];
  readonly errors: Set<string>;
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

export const TOP: Scope = {
  via: [],
  place: "top",
  background: false,
  depth: 0,
  ranged: true,
  done: new Set(),
};

export function plainWord(text: string): ShellWord {
  return { text, literal: true, substitutions: [] };
}

/** Several words as the one text that `eval` and `ssh` make of them. */
export function joined(words: readonly ShellWord[]): ShellWord {
  return {
    text: words.map(({ text }) => text).join(" "),
    literal: words.every(({ literal }) => literal),
    substitutions: words.flatMap(({ substitutions }) => substitutions),
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
