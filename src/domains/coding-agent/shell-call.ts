import type { ShellCall } from "../../model/coding-context.ts";
import { deedsOf, languageOf, programTexts } from "./code-deeds.ts";
import {
  addCall,
  fileKey,
  joined,
  plainWord,
  type Reading,
  type Said,
  type Scope,
  type ShellWord,
} from "./shell-reading.ts";
import { runTexts } from "./shell-runs.ts";
import { commandTexts, executedBy, scriptTexts, type CommandText } from "./shell-texts.ts";
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
  const name = nameOf(first, ways);
  const inner = wrapped(name, args);
  if (inner !== undefined) {
    const env = { ...said.env, ...inner.env };
    const words = name === "xargs" ? withInput(inner.words, args, said.input, reading) : inner.words;
    return readCall({ ...said, words, env }, { ...scope, via: [...scope.via, name] }, reading, ways);
  }
  const own = added(said, name, args, scope, reading, ways);
  return [...own, ...readInner(name, first, args, said, scope, reading, ways)];
}

/** A name with parts that only the shell knows is read without them: `r$(true)m`, `$PREFIX/bin/git`. */
function nameOf({ text, known = text }: ShellWord, ways: CallWays): string {
  const name = ways.nameOf(known);
  if (name.includes("?") || name.includes("[")) return patternName(name);
  return known === text || /^\w/.test(name) ? name : ways.nameOf(text);
}

/** Programs that somebody may call by a pattern of their name: `/bin/r?`, `/bin/r[m]`. */
const PATTERNED = "rm dd mv sh bash git find chmod chown shred curl wget python3 perl sudo".split(" ");

function patternName(name: string): string {
  if (!/^[\w?[\]]{2,20}$/.test(name)) return name;
  const pattern = name.replace(/\?/g, ".").replace(/\[[^\]]*$/, "");
  try {
    return PATTERNED.find((one) => new RegExp(`^(?:${pattern})$`).test(one)) ?? name;
  } catch {
    return name;
  }
}

/** What `xargs` hands on, where it is known what it is fed. */
function withInput(
  words: readonly ShellWord[],
  args: readonly ShellWord[],
  input: ShellWord | undefined,
  reading: Reading,
): readonly ShellWord[] {
  if (input?.literal !== true) return words;
  const fed = input.text
    .split(/[\s\0]+/)
    .filter(Boolean)
    .map(plainWord);
  const at = args.findIndex(({ text }) => /^-(?:I|i|J)/.test(text));
  const mark =
    at === -1 ? undefined : (/^-(?:I|J)(.+)/.exec(args[at]?.text ?? "")?.[1] ?? args[at + 1]?.text);
  if (fed.length > MAX_FED || (mark !== undefined && fed.length * words.length > MAX_FED)) {
    reading.unread = true;
    return words;
  }
  if (mark === undefined || mark === "") return [...words, ...fed];
  return words.flatMap((word) =>
    word.text.includes(mark)
      ? fed.map(({ text }) => ({ ...word, text: word.text.replaceAll(mark, () => text) }))
      : [word],
  );
}

const MAX_FED = 2_000;

/** `git y` where the line has made `y` a name of a command of git. */
function ofGitAlias(name: string, args: readonly ShellWord[], { aliases }: Reading): readonly CommandText[] {
  const alias = name === "git" ? aliases.get(`git ${args[0]?.text ?? ""}`) : undefined;
  if (alias === undefined) return [];
  return [{ text: joined([plainWord("git"), alias, ...args.slice(1)]), dialect: "bash", via: "git alias" }];
}

/** The programs that this one is told to run. */
function readInner(
  name: string,
  written: ShellWord,
  args: readonly ShellWord[],
  said: Said,
  scope: Scope,
  reading: Reading,
  ways: CallWays,
): ShellCall[] {
  const executed = executedBy(name, args).flatMap(({ words, via }) =>
    readCall({ ...said, words, redirects: [] }, { ...scope, via: [...scope.via, via] }, reading, ways),
  );
  const file = reading.files.get(fileKey(written.text));
  const given: readonly CommandText[] = [
    ...commandTexts(name, args, said.input),
    ...scriptTexts(name, args, (path) => reading.files.get(fileKey(path))),
    ...(file === undefined || name === "cat" ? [] : [{ text: file, dialect: "bash" as const, via: name }]),
    ...runTexts(name, args, said),
    ...ofGitAlias(name, args, reading),
  ];
  const texts = given.flatMap(({ text, dialect, via, args: own }) => {
    const inner = { ...scope, via: [...scope.via, via] };
    const isHere = /^(?:eval|source|\.|trap)$/.test(name);
    if (!isHere) inner.vars = innerVars(scope, said, own);
    return reading.readText(text, dialect, inner);
  });
  return [...executed, ...texts, ...readCode(name, args, said, scope, reading)];
}

/** What a shell of its own knows of variables: those of the line, its own environment and its arguments. */
function innerVars({ vars }: Scope, { env }: Said, args: readonly ShellWord[] | undefined): Scope["vars"] {
  const inner = new Map(vars);
  for (const [name, text] of Object.entries(env))
    inner.set(name, { kind: "choice", words: [plainWord(text)] });
  if (args === undefined) return inner;
  inner.set("@", { kind: "list", words: args.slice(1) });
  for (const [i, word] of args.slice(0, 10).entries())
    inner.set(String(i), { kind: "choice", words: [word] });
  return inner;
}

/** What a program in another language does, as if a shell did it: `python3 -c "shutil.rmtree('/')"` is `rm -rf /`. */
function readCode(
  name: string,
  args: readonly ShellWord[],
  said: Said,
  scope: Scope,
  reading: Reading,
): readonly ShellCall[] {
  const language = languageOf(name);
  if (language === undefined) return [];
  const inner = { ...scope, via: [...scope.via, name] };
  const texts = programTexts(name, args, said.input, (path) => reading.files.get(fileKey(path)));
  return texts
    .flatMap(({ text }) => deedsOf(text, language))
    .slice(0, MAX_DEEDS)
    .flatMap(({ words, text }) => {
      if (text !== undefined) return reading.readText(text, "bash", inner);
      return readCall({ words, redirects: [], env: {} }, { ...inner, ranged: false }, reading, BASH_WAYS);
    });
}

const MAX_DEEDS = 200;

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
