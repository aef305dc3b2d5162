import type { ShellCall, ShellCommand } from "../../model/coding-context.ts";
import { normalPath } from "./paths.ts";

/** Files that a command line reads whole or in part, writes, and deletes, as far as its words tell. Paths are normal. */
export interface CommandFiles {
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  readonly deletes: readonly string[];
}

/** Programs whose operands are files that they print. */
const PRINTS = new Set(
  "cat head tail less more bat batcat nl tac xxd hexdump Get-Content gc type".split(" "),
);
/** Programs whose first operand is a program or a pattern, and the others files. */
const SEARCHES = new Set("sed awk gawk grep egrep fgrep rg ag jq yq".split(" "));
/** Switches whose next word is no file. */
const VALUED: Readonly<Record<string, RegExp>> = {
  head: /^-[nc]$/,
  tail: /^-[nc]$/,
  bat: /^(?:-r|-l|--line-range|--language|--style)$/,
  sed: /^-[ef]$/,
  grep: /^-[efmABC]$/,
  egrep: /^-[efmABC]$/,
  rg: /^-[efgtTmABC]$/,
  awk: /^-[Fvf]$/,
};
/** Programs whose output is text of the agent's own: into a file, that is an edit. What others print is a log. */
const WRITES_TEXT = new Set(["cat", "echo", "printf", ""]);
const PATTERN = /[*?[\]{}]/;
const NO_SOURCE = /^\/(?:dev|tmp|var\/tmp|proc)\/|\.log$|^&?\d$|^-$/;

/** The operands of a program without the values of its switches. */
function operandsOf({ name, args }: ShellCall): string[] {
  const valued = VALUED[name];
  const operands: string[] = [];
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] ?? "";
    if (valued?.test(arg) === true) i++;
    else if (arg === "--") return [...operands, ...args.slice(i + 1)];
    else if (!arg.startsWith("-")) operands.push(arg);
  }
  return operands;
}

function isFile(path: string): boolean {
  return path !== "" && !/[$`]/.test(path) && !PATTERN.test(path) && !NO_SOURCE.test(path);
}

function editsInPlace({ name, args }: ShellCall): boolean {
  if (name === "sed") return args.some((arg) => /^(?:-[a-zA-Z]*i|--in-place)/.test(arg));
  return name === "perl" && args.some((arg) => /^-[a-z]*i/.test(arg));
}

function readBy(call: ShellCall): string[] {
  const from = call.redirects.flatMap(({ op, target }) => (op === "<" ? [target] : []));
  if (PRINTS.has(call.name)) return [...operandsOf(call), ...from];
  if (!SEARCHES.has(call.name) || editsInPlace(call)) return from;
  const isGiven = call.args.some((arg) => /^-[ef]$/.test(arg)) && call.name !== "awk";
  return [...operandsOf(call).slice(isGiven ? 0 : 1), ...from];
}

function writtenBy(call: ShellCall): string[] {
  const into = WRITES_TEXT.has(call.name)
    ? call.redirects.flatMap(({ op, target }) => (/^(?:>{1,2}\|?|&>{1,2})$/.test(op) ? [target] : []))
    : [];
  if (editsInPlace(call)) return operandsOf(call).slice(call.args.includes("-e") ? 0 : 1);
  const isTee = call.name === "tee" && call.from.every((name) => WRITES_TEXT.has(name));
  return isTee ? operandsOf(call) : into;
}

/**
 * What a command line does to files by the programs that everybody uses for it (`cat`, `sed -n`, `grep`, `sed -i`, `cat > f <<EOF`, `rm`).
 * A `cd` on the way counts. Patterns and words that only the shell knows are left out, and so are logs and what lies in `/tmp`.
 */
export function filesOf({ calls }: ShellCommand, cwd: string | undefined): CommandFiles {
  const reads: string[] = [];
  const writes: string[] = [];
  const deletes: string[] = [];
  let base = "";
  const normal = (paths: readonly string[]): string[] =>
    paths.filter(isFile).map((path) => normalPath(path, cwd, base));
  for (const call of calls) {
    const [folder] = call.operands;
    if (call.name === "cd" && call.literal && folder !== undefined) {
      const next = normalPath(folder, cwd, base);
      base = next === "." ? "" : next;
    } else if (call.place !== "function") {
      reads.push(...normal(readBy(call)));
      writes.push(...normal(writtenBy(call)));
      if (call.name === "rm" || call.name === "Remove-Item") deletes.push(...normal(call.operands));
    }
  }
  return { reads, writes, deletes };
}
