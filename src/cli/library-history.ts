import { readHistory } from "../evolve/library-history.ts";
import { counted } from "../model/counted.ts";
import { isClean } from "../model/diagnostic.ts";
import { versionFolder } from "../model/domain-folder.ts";
import { HISTORY_WORDS, type HistoryEntry } from "../model/library-history.ts";
import { need } from "./checked.ts";
import { defineCommand, type Call } from "./define-command.ts";
import { LIBRARY, libraryAt } from "./library-option.ts";
import { renderTable } from "./table.ts";
import { EXIT, type ExitCode } from "./terminal.ts";

const TITLES = ["when", "decision", "skill", "evolution", "epoch", "by", "reason"];

function decisionOf({ kind, accepted }: HistoryEntry): string {
  if (accepted === undefined) return HISTORY_WORDS[kind];
  return `${HISTORY_WORDS[kind]}: ${accepted ? "accepted" : "rejected"}`;
}

function row(entry: HistoryEntry): string[] {
  const { when, skillId, version, evolution, epoch, by, reason } = entry;
  return [
    when.slice(0, 16).replace("T", " "),
    decisionOf(entry),
    skillId === undefined ? "" : version === undefined ? skillId : versionFolder({ skillId, version }),
    evolution ?? "",
    epoch === undefined ? "" : String(epoch),
    by,
    reason,
  ];
}

async function runHistory({
  options,
  terminal,
  files,
}: Call<{ library: typeof LIBRARY }>): Promise<ExitCode> {
  const library = await libraryAt(options.library, files);
  const read = await readHistory(files, library);
  const entries = need(read);
  terminal.diagnostics(read.diagnostics);
  if (entries.length > 0) for (const line of renderTable(TITLES, entries.map(row))) terminal.line(line);
  terminal.line(`${counted(entries.length, "decision")} in ${library}`);
  terminal.result({ library, entries, diagnostics: read.diagnostics });
  return isClean(read.diagnostics) ? EXIT.fine : EXIT.findings;
}

/** `hasp library history`. */
export const historyCommand = defineCommand({
  name: "history",
  about:
    "Print every decision on candidates and every change of a library of generated skills, oldest first.",
  options: { library: LIBRARY },
  examples: ["hasp library history", "hasp library history --library skills/web-search/generated --json"],
  run: runHistory,
});
