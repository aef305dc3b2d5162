import type { ShellCall, ShellPlace } from "../../model/coding-context.ts";
import { readWord, skipBlanks, type Cursor, type PsWord } from "./powershell-words.ts";
import { readCall, type CallWays } from "./shell-call.ts";
import { addCall, addError, linkStages, type Reading, type Scope } from "./shell-reading.ts";
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

/** Adds the calls of a PowerShell text to the reading; answers those that share the input and output of who runs it. */
export function readPowerShell(text: string, scope: Scope, reading: Reading): readonly ShellCall[] {
  let nested = 0;
  let place = scope.place;
  const cursor: Cursor = {
    text,
    at: 0,
    inside(close) {
      const outer = place;
      place = close === ")" ? "substitution" : place;
      nested++;
      if (nested > MAX_NESTED) {
        cursor.fail(`more than ${MAX_NESTED} brackets within each other`, cursor.at);
        cursor.at = text.length;
      } else readStatements(close);
      nested--;
      place = outer;
    },
    fail(message, at) {
      addError(reading, scope.ranged ? `Character ${at + 1}: ${message}.` : `In a nested text: ${message}.`);
    },
  };

  function readStatements(close: ")" | "}" | undefined): ShellCall[] {
    const calls: ShellCall[] = [];
    for (;;) {
      skipBlanks(cursor, true);
      const c = text[cursor.at];
      if (c === undefined) {
        if (close !== undefined) cursor.fail(`a ${close} is missing`, text.length);
        return calls;
      }
      if (c === close) {
        cursor.at++;
        return calls;
      }
      const before = cursor.at;
      calls.push(...readPipeline());
      // A mark that nothing here takes, such as a closing one without an opening one.
      if (cursor.at === before) cursor.at++;
    }
  }

  function readPipeline(): readonly ShellCall[] {
    const stages: (readonly ShellCall[])[] = [readCommand()];
    while (text[cursor.at] === "|" && text[cursor.at + 1] !== "|") {
      cursor.at++;
      skipBlanks(cursor, true);
      stages.push(readCommand());
    }
    linkStages(stages);
    const calls = stages.flat();
    const two = text.slice(cursor.at, cursor.at + 2);
    if (two === "&&" || two === "||") cursor.at += 2;
    else if (text[cursor.at] === "&") {
      cursor.at++;
      for (const call of calls) call.background = true;
    }
    return calls;
  }

  function readCommand(): readonly ShellCall[] {
    const words: PsWord[] = [];
    const redirects: ShellCall["redirects"] = [];
    const outer = place;
    let isCalled = false;
    let isLanguage = false;
    let end = cursor.at;
    // Programs within the words of this command are read first and stand behind it.
    const before = reading.calls.length;
    for (;;) {
      skipBlanks(cursor, false);
      const c = text[cursor.at];
      if (c === "&" && words.length === 0 && !isCalled && text[cursor.at + 1] !== "&") {
        isCalled = true;
        cursor.at++;
        continue;
      }
      if (c === undefined || /[\r\n;|&)}]/.test(c)) break;
      const redirect = redirectAt();
      if (redirect !== undefined) redirects.push(redirect);
      else {
        if (words.length === 0 && !isCalled && skipAssignment()) continue;
        if (c === "{" && !isLanguage) place = blockPlace(words[0], outer);
        const word = readWord(cursor);
        if (!isLanguage || word.kind !== "bare") place = isLanguage ? place : outer;
        if ((words.length === 0 || isLanguage) && !isCalled && word.kind === "bare") {
          const keyword = word.text.toLowerCase();
          if (KEYWORDS.has(keyword)) {
            isLanguage = true;
            place = KEYWORDS.get(keyword) ?? outer;
          } else if (keyword === "." && words.length === 0) isCalled = true;
          else if (keyword !== "return") words.push(word);
        } else if (endsTarget(word, words)) words.length = 0;
        else words.push(word);
      }
      end = Math.min(cursor.at, text.length);
    }
    place = outer;
    return isLanguage ? [] : said(words, redirects, isCalled, end, before);
  }

  function skipAssignment(): boolean {
    ASSIGNMENT.lastIndex = cursor.at;
    const target = ASSIGNMENT.exec(text)?.[0];
    cursor.at += target?.length ?? 0;
    return target !== undefined;
  }

  function redirectAt(): ShellCall["redirects"][number] | undefined {
    REDIRECT.lastIndex = cursor.at;
    const op = REDIRECT.exec(text)?.[0];
    if (op === undefined) return undefined;
    cursor.at += op.length;
    // As in Bash, the number of the stream is left out.
    const bare = op.replace(/^[*\d]/, "");
    if (bare.includes("&")) return { op: ">&", target: op.slice(-1) };
    skipBlanks(cursor, false);
    return { op: bare, target: /[\r\n;|&)}]|^$/.test(text[cursor.at] ?? "") ? "" : readWord(cursor).text };
  }

  function said(
    words: readonly PsWord[],
    redirects: ShellCall["redirects"],
    isCalled: boolean,
    end: number,
    before: number,
  ): readonly ShellCall[] {
    const [first] = words;
    if (first === undefined || first.kind === "block") return [];
    if (first.kind === "value" && !isCalled) {
      if (METHOD.test(first.text.split("(", 1)[0] ?? ""))
        cursor.fail(`a call of .NET was not read (${first.text.slice(0, 60)})`, first.start);
      return [];
    }
    noteUnreadable(words);
    const range = { start: first.start, end };
    const inner = reading.calls.splice(before);
    const calls = readCall({ words, redirects, env: {}, range }, { ...scope, place }, reading, WAYS);
    for (const call of inner) addCall(reading, call);
    return calls;
  }

  function noteUnreadable([first, ...args]: readonly PsWord[]): void {
    const name = WAYS.nameOf(first?.text ?? "").toLowerCase();
    const isShell = name === "powershell" || name === "pwsh";
    if (isShell && args.some(({ text: arg }) => /^-e(?:c|nc\w*)?$/i.test(arg)))
      cursor.fail("an encoded command was not read", first?.start ?? 0);
    if (name === "cmd") cursor.fail("what cmd runs was not read", first?.start ?? 0);
  }

  return readStatements(undefined);
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
