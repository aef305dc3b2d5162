import type { HookHost } from "../event.ts";

/** The program that a host starts for an event, before what HASP itself is told: `node …/dist/hook.cjs`, or `hasp hook`. */
export interface HookProgram {
  readonly file: string;
  readonly args: readonly string[];
}

/** The shells that hosts give a command line to. `windows`: cmd or PowerShell, whichever the host takes. */
export type Shell = "sh" | "windows" | "powershell";

const PLAIN: Readonly<Record<Shell, RegExp>> = {
  sh: /^[\w@%+=:,./-]+$/,
  windows: /^[\w@+=:./\\-]+$/,
  powershell: /^[\w@+=:./\\-]+$/,
};

function quoted(word: string, shell: Shell): string {
  if (PLAIN[shell].test(word)) return word;
  if (shell === "sh") return `'${word.replaceAll("'", String.raw`'\''`)}'`;
  if (shell === "powershell") return `'${word.replaceAll("'", "''")}'`;
  // A path on Windows holds no quotation mark.
  return `"${word}"`;
}

/** One command line for a shell. */
export function commandLine(words: readonly string[], shell: Shell): string {
  const line = words.map((word) => quoted(word, shell)).join(" ");
  // PowerShell takes a quoted first word for a text, unless it is told to call it.
  return shell === "powershell" && line.startsWith("'") ? `& ${line}` : line;
}

/** A path of another system says nothing there. */
export function isForWindows({ file }: HookProgram): boolean {
  return !file.startsWith("/");
}

/** What a host starts for one event. */
export function wordsFor({ file, args }: HookProgram, host: HookHost, event: string): readonly string[] {
  return [file, ...args, "--host", host, "--event", event];
}

/** The words of a line as `commandLine` writes them, quoted or plain. */
const WORDS: Readonly<Record<Shell, RegExp>> = {
  sh: /(?:'[^']*'|\\'|[^\s'\\])+/g,
  windows: /"[^"%$`]*"|[^\s"]+/g,
  powershell: /(?:'[^']*'|[^\s'])+/g,
};

function unquoted(word: string, shell: Shell): string {
  if (shell === "sh") return word.replaceAll(/'([^']*)'|\\'/g, (_, inner?: string) => inner ?? "'");
  if (shell === "windows") return word.replaceAll('"', "");
  return word.startsWith("'") ? word.slice(1, -1).replaceAll("''", "'") : word;
}

/**
 * The words of a command line; undefined unless it is, to the letter, the line that `commandLine` writes for them: one command, without
 * operators, substitutions, redirections, assignments or another way to quote.
 */
export function commandWords(line: string, shell: Shell): readonly string[] | undefined {
  if (/\p{Cc}/u.test(line)) return undefined;
  const plain = shell === "powershell" ? line.replace(/^& (?=')/, "") : line;
  const words = (plain.match(WORDS[shell]) ?? []).map((word) => unquoted(word, shell));
  return commandLine(words, shell) === line ? words : undefined;
}
