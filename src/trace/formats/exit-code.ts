import { CODING_TOOLS, isCodingTool } from "../../model/coding-tools.ts";

/** Tools whose result a shell ends; of tools that nobody knows it may be so. The text of a file or a page may speak of codes too. */
export function endsWithCode(type: string): boolean {
  const { Bash, PowerShell, RunTests } = CODING_TOOLS;
  return !isCodingTool(type) || type === Bash || type === PowerShell || type === RunTests;
}

/**
 * How the hosts' shells say with which code a command ended. The mark in angle brackets is the host's own last line; what stands before it
 * is the program's output, whatever it says of codes.
 */
const EXIT_CODES: readonly (readonly [RegExp, "start" | "end"])[] = [
  [
    /(?:^|\n)<(?:(?:command|shell(?:Id)?)\b[^\n<>]{0,100} )?(?:exited|completed) with (?:exit )?code:? (-?\d{1,10})>\s*$/,
    "end",
  ],
  [
    /^(?:Error: )?(?:Command (?:failed|exited) with |Exited with )?[Ee]xit code:? (-?\d{1,10})(?![^\s.,:;])/,
    "start",
  ],
  // Gemini CLI; lines of other facts may follow, and the end of its element.
  [
    /(?:^|\n)Exit Code: (-?\d{1,10})(?:\n(?:Signal|Background PIDs|Process Group PGID): [^\n]*)*\s*(?:<\/untrusted_context>)?\s*$/,
    "end",
  ],
  [/(?:^|\n)(?:Command|Process) exited with (?:exit )?code:? (-?\d{1,10})\.?\s*$/, "end"],
];

/** Characters at either end of a text in which a host's words stand. */
const NEAR = 200;

/** The exit code that a host wrote into the text of a command's result; undefined where there is none. No other code reads one from a text. */
export function exitCodeIn(text: string): number | undefined {
  const ends = { start: text.slice(0, NEAR), end: text.trimEnd().slice(-NEAR) };
  for (const [pattern, where] of EXIT_CODES) {
    const found = pattern.exec(ends[where])?.[1];
    if (found !== undefined) return Number(found);
  }
  return undefined;
}
