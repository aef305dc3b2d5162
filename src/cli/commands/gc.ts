import { defineCommand } from "../define-command.ts";
import { findGarbage, removeGarbage, type Garbage, type Kind, type Removal } from "../garbage.ts";
import { interruptible } from "../interrupt.ts";
import { decimal, flag, withDefault, type OptionsOf } from "../options.ts";
import { bytesInWords } from "../../model/bytes-in-words.ts";
import { counted } from "../../model/counted.ts";
import { printable } from "../../model/printable.ts";
import { EXIT, type ExitCode, type Terminal } from "../terminal.ts";

/** Replies that a killed run needs to go on are younger. */
const DEFAULT_DAYS = 30;
const DAY_MS = 86_400_000;

const WORDS: Readonly<Record<Kind, string>> = { cache: "cached", temporary: "temporary", live: "live" };

const OPTIONS = {
  dryRun: flag("--dry-run", "list what would go, and remove nothing"),
  olderThan: withDefault(
    decimal("--older-than <days>", "cached replies younger than this stay; 0 empties the cache"),
    DEFAULT_DAYS,
  ),
  live: flag("--live", "also interrupted episodes of runs that nobody will resume; they are lost"),
};

type Rules = Partial<OptionsOf<typeof OPTIONS>> & { readonly olderThan: number };

function report(terminal: Terminal, { removable, young, links }: Garbage, options: Rules): void {
  const dry = options.dryRun === true;
  if (dry)
    for (const file of removable) terminal.line(`${printable(file.path)}  ${bytesInWords(file.bytes)}`);
  for (const [kind, words] of Object.entries(WORDS)) {
    const of = removable.filter((file) => file.kind === kind);
    if (of.length === 0) continue;
    const bytes = of.reduce((sum, file) => sum + file.bytes, 0);
    terminal.line(
      `${dry ? "would remove" : "removed"} ${counted(of.length, "file")} (${words}), ${bytesInWords(bytes)}`,
    );
  }
  if (removable.length === 0) terminal.line("nothing to remove");
  if (young.files > 0) {
    terminal.line(
      `kept ${counted(young.files, "file")} of the cache, ${bytesInWords(young.bytes)}, younger than ${options.olderThan} days (--older-than 0 takes them too)`,
    );
  }
  for (const link of links) terminal.line(`left ${printable(link)}: it is a link`);
}

interface GarbageTools {
  readonly terminal: Terminal;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly signal?: AbortSignal;
}

const NOTHING_KEPT: Removal = { failures: [], inUse: [] };

/** Cleans `.hasp` of a workspace. */
export async function collectGarbage(
  workspace: string,
  options: Rules,
  { terminal, now, signal }: GarbageTools,
): Promise<ExitCode> {
  const rules = { olderThanMs: options.olderThan * DAY_MS, live: options.live === true, now };
  const garbage = await findGarbage(workspace, rules);
  const { failures, inUse } =
    options.dryRun === true ? NOTHING_KEPT : await removeGarbage(workspace, garbage.removable, signal);
  const kept = new Set([...failures, ...inUse].map((failure) => failure.path));
  const removable = garbage.removable.filter((file) => !kept.has(file.path));
  report(terminal, { ...garbage, removable }, options);
  for (const { path, message } of failures)
    terminal.line(`could not remove ${printable(path)}: ${printable(message)}`);
  for (const { path, message } of inUse) terminal.line(`left ${printable(path)}: ${printable(message)}`);
  const bytes = removable.reduce((sum, file) => sum + file.bytes, 0);
  const dryRun = options.dryRun === true;
  terminal.result({ workspace, dryRun, ...garbage, removable, bytes, failures, inUse });
  return failures.length === 0 ? EXIT.fine : EXIT.failed;
}

/** `hasp gc [workspace]`. */
export const gcCommand = defineCommand({
  name: "gc",
  about:
    "Clean .hasp of a workspace: replies in the cache, and temporary files that a killed process left. Runs stay.",
  takes: [["[workspace]", "the folder that holds .hasp", "."]],
  options: OPTIONS,
  examples: ["hasp gc --dry-run", "hasp gc --older-than 0"],
  run: ({ options, terminal }, workspace: string) =>
    interruptible(terminal, (signal) =>
      collectGarbage(workspace, options, { terminal, now: Date.now(), signal }),
    ),
});
