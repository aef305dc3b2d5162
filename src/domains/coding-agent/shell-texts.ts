import { fromBase64 } from "./bash-output.ts";
import { joined, plainWord, type Dialect, type ShellWord } from "./shell-reading.ts";

/** A text that a program takes for commands, and how `via` calls that program then. */
export interface CommandText {
  readonly text: ShellWord;
  readonly dialect: Dialect;
  readonly via: string;
  /** The arguments that the text gets, its name first: `bash -c '…' name a b`. */
  readonly args?: readonly ShellWord[];
}

const SHELLS = new Set(["bash", "sh", "zsh", "dash", "ash", "ksh", "rbash"]);
const SHELL_VALUED = new Set(["-o", "+o", "-O", "+O", "--rcfile", "--init-file"]);
const POWERSHELLS = new Set(["pwsh", "powershell"]);
const SSH_VALUED = new Set("-p -i -l -o -F -L -R -D -J -b -c -E -e -I -m -O -Q -S -W -w -B".split(" "));

/** A program that reads commands from its input where it is given no script. */
export function isShell(name: string): boolean {
  return SHELLS.has(name);
}

/** The words after the switches. */
function afterSwitches(args: readonly ShellWord[], valued: ReadonlySet<string>): number {
  let i = 0;
  for (; i < args.length; i++) {
    const text = args[i]?.text ?? "";
    if (text === "--") return i + 1;
    if (!/^[-+]./.test(text)) break;
    if (valued.has(text)) i++;
  }
  return i;
}

function ofShell(name: string, args: readonly ShellWord[], input: ShellWord | undefined): CommandText[] {
  const start = afterSwitches(args, SHELL_VALUED);
  const switches = args.slice(0, start).map(({ text }) => text);
  const [script, ...more] = args.slice(start);
  const hasCode = switches.some((text) => /^-[a-zA-Z]*c[a-zA-Z]*$/.test(text));
  const readsInput = script === undefined || INPUTS.has(script.text) || switches.includes("-s");
  if (hasCode) return script === undefined ? [] : [{ ...bash(script, `${name} -c`), args: more }];
  return readsInput && input !== undefined ? [bash(input, name)] : [];
}

const INPUTS = new Set(["-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"]);

/** Scripts that the line itself has written, or that `<(…)` says: `sh x.sh`, `source <(echo …)`. */
export function scriptTexts(
  name: string,
  args: readonly ShellWord[],
  fileText: (path: string) => ShellWord | undefined,
): readonly CommandText[] {
  const isSource = name === "source" || name === ".";
  if (!isSource && !SHELLS.has(name)) return [];
  const start = isSource ? 0 : afterSwitches(args, SHELL_VALUED);
  const hasCode = !isSource && args.slice(0, start).some(({ text }) => /^-[a-zA-Z]*c[a-zA-Z]*$/.test(text));
  const [script, ...more] = args.slice(start);
  if (script === undefined || hasCode) return [];
  const text = script.says ?? fileText(script.text);
  return text === undefined ? [] : [{ ...bash(text, name), args: [script, ...more] }];
}

function bash(text: ShellWord, via: string): CommandText {
  return { text, dialect: "bash", via };
}

function ofSsh(args: readonly ShellWord[], input: ShellWord | undefined): CommandText[] {
  const behind = args.slice(afterSwitches(args, SSH_VALUED) + 1);
  const command = behind[0]?.text === "--" ? behind.slice(1) : behind;
  const isFed = input !== undefined && isShell(command[0]?.text ?? "") && (command[1]?.text ?? "-s") === "-s";
  if (isFed) return [bash(input, "ssh")];
  if (command.length > 0) return [bash(joined(command), "ssh")];
  return input === undefined ? [] : [bash(input, "ssh")];
}

function ofPowerShell(name: string, args: readonly ShellWord[], input: ShellWord | undefined): CommandText[] {
  const at = args.findIndex(({ text }) => /^[-/](?:c|command)$/i.test(text));
  const command = at === -1 ? [] : args.slice(at + 1);
  if (command.length > 0) return [{ text: joined(command), dialect: "powershell", via: `${name} -Command` }];
  const encoded = encodedCommand(args);
  if (encoded !== undefined)
    return [{ text: plainWord(encoded), dialect: "powershell", via: `${name} -EncodedCommand` }];
  const isFed = input !== undefined && (at !== -1 || args.every(({ text }) => text.startsWith("-")));
  return isFed ? [{ text: input, dialect: "powershell", via: name }] : [];
}

export const ENCODED = /^[-/]e(?:c|nc?\w*)?$/i;

/** The text behind `-EncodedCommand`: base64 of two bytes a character. Undefined where it is none. */
export function encodedCommand(args: readonly ShellWord[]): string | undefined {
  const at = args.findIndex(({ text }) => ENCODED.test(text));
  const text = at === -1 ? undefined : fromBase64(args[at + 1]?.text ?? "");
  const decoded = text?.replace(/([^])([^])/g, (_, low: string, high: string) =>
    String.fromCharCode(low.charCodeAt(0) + 256 * high.charCodeAt(0)),
  );
  return decoded !== undefined && /[A-Za-z]/.test(decoded) ? decoded : undefined;
}

/** The word after a switch, alone or at the end of a cluster. */
function valueOf(args: readonly ShellWord[], pattern: RegExp): ShellWord | undefined {
  const at = args.findIndex(({ text }) => pattern.test(text));
  return at === -1 ? undefined : args[at + 1];
}

function one(text: ShellWord | undefined, via: string, dialect: Dialect = "bash"): CommandText[] {
  return text === undefined || text.text.trim() === "" ? [] : [{ text, dialect, via }];
}

/** What `trap` runs; `trap - EXIT`, `trap -l` and `trap '' INT` run nothing. */
function ofTrap(args: readonly ShellWord[]): CommandText[] {
  const [code] = args.filter(({ text }) => text !== "--");
  return args.length < 2 || code?.text.startsWith("-") === true ? [] : one(code, "trap");
}

/** What `watch -n 5 git status` hands to a shell. */
function ofWatch(args: readonly ShellWord[]): CommandText[] {
  const command = args.slice(afterSwitches(args, new Set(["-n", "--interval", "-q", "--equexit"])));
  return command.length === 0 ? [] : one(joined(command), "watch");
}

/** The texts that a program takes for commands: `bash -c '…'`, `eval "…"`, `ssh host '…'`, what a shell is fed. */
export function commandTexts(
  name: string,
  args: readonly ShellWord[],
  input: ShellWord | undefined,
): readonly CommandText[] {
  if (SHELLS.has(name)) return ofShell(name, args, input);
  if (POWERSHELLS.has(name.toLowerCase())) return ofPowerShell(name, args, input);
  switch (name) {
    case "eval":
      return args.length === 0 ? [] : one(joined(args), "eval");
    case "ssh":
      return ofSsh(args, input);
    case "su":
    case "sg":
    case "script":
    case "runuser":
      return one(valueOf(args, /^(?:-[a-z]*c|--command)$/), `${name} -c`);
    case "trap":
      return ofTrap(args);
    case "watch":
      return ofWatch(args);
    case "flock":
      return one(valueOf(args, /^(?:-c|--command)$/), "flock -c");
    case "env":
      return one(valueOf(args, /^(?:-[a-z]*S|--split-string)$/), "env -S");
    default:
      return ofInvoke(name, args);
  }
}

function ofInvoke(name: string, args: readonly ShellWord[]): CommandText[] {
  if (!/^(?:iex|invoke-expression)$/i.test(name)) return [];
  return one(joined(args.filter(({ text }) => !/^-command$/i.test(text))), "iex", "powershell");
}

const EXEC = new Set(["-exec", "-execdir", "-ok", "-okdir"]);
const EXEC_END = new Set([";", "+", "\\;"]);

/** The commands that `find … -exec … \;` and `fd … -x …` run. */
export function executedBy(
  name: string,
  args: readonly ShellWord[],
): readonly { readonly words: readonly ShellWord[]; readonly via: string }[] {
  if (name === "fd" || name === "fdfind") {
    const at = args.findIndex(({ text }) => /^(?:-x|-X|--exec|--exec-batch)$/.test(text));
    const words = at === -1 ? [] : args.slice(at + 1);
    return words.length === 0 ? [] : [{ words, via: `${name} -x` }];
  }
  if (name !== "find" && name !== "gfind") return [];
  return args.flatMap(({ text }, i) => {
    if (!EXEC.has(text)) return [];
    const rest = args.slice(i + 1);
    const end = rest.findIndex((word) => EXEC_END.has(word.text));
    const words = rest.slice(0, end === -1 ? rest.length : end);
    return words.length === 0 ? [] : [{ words, via: `${name} ${text}` }];
  });
}
