import type { Diagnostic } from "../model/diagnostic.ts";
import { escapeUnseen } from "../trace/safe-json.ts";
import { formatDiagnostic } from "./format-diagnostic.ts";
import { printable, printableLine } from "../model/printable.ts";
import type { CliContext, Streams } from "./context.ts";

/** 0 fine, 1 findings, 2 usage or I/O, 3 a yes of a person is missing: the same for every command. */
export const EXIT = { fine: 0, findings: 1, failed: 2, unconfirmed: 3 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** A failure a person can act on: what failed and why, and what to do next. Ends the command with exit code 2. */
export class CliError extends Error {
  readonly next: string | undefined;
  constructor(message: string, next?: string) {
    super(message);
    this.name = "CliError";
    this.next = next;
  }
}

/** An order of a stranger needs a yes that nobody gave. Ends the command with exit code 3. */
export class Unconfirmed extends CliError {}

/**
 * Where a command prints: text for people, or one JSON value for programs; progress only to a person's terminal. Texts of
 * strangers may stand in all of it: no control character and no mark that turns text around gets out.
 */
export interface Terminal {
  readonly json: boolean;
  readonly context: CliContext;
  /** One line: line breaks within the text become blanks. */
  line(text?: string): void;
  /** The command's result, printed only with `--json`. */
  result(value: unknown): void;
  /** Diagnostics, one line each and the next step; nothing with `--json`, where they are part of the result. */
  diagnostics(list: readonly Diagnostic[]): void;
  /** Redraws one line on standard error; silent unless it is a terminal. */
  progress(done: number, total: number, what: string): void;
  endProgress(): void;
}

const BAR_WIDTH = 24;

export function progressLine(done: number, total: number, what: string): string {
  const share = total === 0 ? 1 : Math.min(1, done / total);
  const filled = Math.round(share * BAR_WIDTH);
  return `${"█".repeat(filled)}${"░".repeat(BAR_WIDTH - filled)} ${Math.floor(share * 100)}% ${what}`;
}

/** On standard error; line breaks stay. For failures, which may quote what a stranger wrote. */
export function writeError({ stderr }: Pick<Streams, "stderr">, text: string): void {
  stderr.write(printable(text));
}

export function openTerminal(context: CliContext, json: boolean): Terminal {
  const { stdout, stderr } = context.streams;
  const interactive = stderr.isTTY === true && !json;
  let drawn = false;
  const clear = (): void => {
    if (drawn) stderr.write("\r\u001b[2K");
    drawn = false;
  };
  return {
    json,
    context,
    line(text = "") {
      clear();
      if (!json) stdout.write(`${printableLine(text)}\n`);
    },
    result(value) {
      if (json) stdout.write(`${escapeUnseen(JSON.stringify(value, null, 2))}\n`);
    },
    diagnostics(list) {
      clear();
      if (!json) for (const diagnostic of list) stdout.write(`${formatDiagnostic(diagnostic)}\n`);
    },
    progress(done, total, what) {
      if (!interactive) return;
      stderr.write(`\r\u001b[2K${progressLine(done, total, printableLine(what))}`);
      drawn = true;
    },
    endProgress: clear,
  };
}
