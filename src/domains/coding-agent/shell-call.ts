import type { ShellCall } from "../../model/coding-context.ts";
import { addCall, type Reading, type Said, type Scope, type ShellWord } from "./shell-reading.ts";
import { commandTexts, executedBy } from "./shell-texts.ts";
import { programName, splitArgs } from "./shell-words.ts";
import { wrapped } from "./shell-wrappers.ts";

/** What a dialect knows about names and switches. */
export interface CallWays {
  nameOf(written: string): string;
  split(name: string, args: readonly string[]): Pick<ShellCall, "flags" | "operands">;
}

export const BASH_WAYS: CallWays = {
  nameOf: (written) => programName(written),
  split: (name, args) => splitArgs(name, args),
};

/**
 * Adds the calls of one simple command to the reading: the program without its wrappers, then those that it runs itself. Answers the
 * calls that share its input and output.
 */
export function readCall(said: Said, scope: Scope, reading: Reading, ways: CallWays): readonly ShellCall[] {
  const [first, ...args] = said.words;
  if (first === undefined)
    return said.redirects.length === 0 ? [] : added(said, "", [], scope, reading, ways);
  // `eval "$(ssh-agent)"`: what it runs is what the substitution says, and that nobody knows.
  if (scope.done.has(first.text)) return [];
  const name = ways.nameOf(first.text);
  const inner = wrapped(name, args);
  if (inner !== undefined) {
    const env = { ...said.env, ...inner.env };
    return readCall(
      { ...said, words: inner.words, env },
      { ...scope, via: [...scope.via, name] },
      reading,
      ways,
    );
  }
  const own = added(said, name, args, scope, reading, ways);
  return [...own, ...readInner(name, args, said, scope, reading, ways)];
}

/** The programs that this one is told to run. */
function readInner(
  name: string,
  args: readonly ShellWord[],
  said: Said,
  scope: Scope,
  reading: Reading,
  ways: CallWays,
): ShellCall[] {
  const executed = executedBy(name, args).flatMap(({ words, via }) =>
    readCall({ ...said, words, redirects: [] }, { ...scope, via: [...scope.via, via] }, reading, ways),
  );
  const texts = commandTexts(name, args, said.input).flatMap(({ text, dialect, via }) =>
    reading.readText(text, dialect, { ...scope, via: [...scope.via, via] }),
  );
  return [...executed, ...texts];
}

function added(
  said: Said,
  name: string,
  args: readonly ShellWord[],
  scope: Scope,
  reading: Reading,
  ways: CallWays,
): ShellCall[] {
  const texts = args.map(({ text }) => text);
  const call: ShellCall = {
    name,
    args: texts,
    ...ways.split(name, texts),
    literal: said.words.every(({ literal }) => literal),
    via: [...scope.via],
    place: scope.place,
    into: [],
    from: [],
    redirects: said.redirects,
    env: said.env,
    background: scope.background,
    ...(scope.ranged && said.range !== undefined ? { range: said.range } : {}),
  };
  return addCall(reading, call) ? [call] : [];
}
