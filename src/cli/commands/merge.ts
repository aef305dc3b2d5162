import path from "node:path";
import { Command } from "commander";
import { mergeShards, type MergedRun } from "../../app/merge-runs.ts";
import { readQuestions } from "../../app/named-text.ts";
import { nodeFiles } from "../../platform/files.ts";
import { newFolder } from "../../platform/new-folder.ts";
import { asOnlyWriter } from "../../platform/run-lock.ts";
import { need } from "../checked.ts";
import { countDiagnostics, countOutcomes } from "../format-diagnostic.ts";
import { helpText } from "../help.ts";
import { interruptible } from "../interrupt.ts";
import { EXIT, openTerminal, type ExitCode, type SetExit, type Terminal } from "../terminal.ts";

interface Options {
  readonly output: string;
  readonly questions?: string;
  readonly json?: boolean;
}

function report(terminal: Terminal, merged: MergedRun): void {
  terminal.line(countOutcomes(merged.episodes, merged.outcomes));
  if (merged.repeated > 0) terminal.line(`${merged.repeated} episodes stood in two runs and are kept once`);
  terminal.line(merged.order === "id" ? "ordered by id" : "in the order of the questions");
  terminal.line(`run written to ${merged.run}`);
}

async function runMerge(runs: readonly string[], { output, ...options }: Options): Promise<ExitCode> {
  const terminal = openTerminal(options.json === true);
  const files = nodeFiles();
  const questions =
    options.questions === undefined ? undefined : need(await readQuestions(files, options.questions));
  const isInside = (folder: string, at: string): boolean => !path.relative(folder, at).startsWith("..");
  const { value, diagnostics } = await interruptible(terminal, (signal, on) =>
    mergeShards({ runs, output, questions }, { files, newFolder, asOnlyWriter, isInside, signal, on }),
  );
  terminal.diagnostics(diagnostics);
  terminal.result({ ...value, diagnostics });
  if (value === undefined) return EXIT.failed;
  report(terminal, value);
  if (diagnostics.length === 0) return EXIT.fine;
  terminal.line(countDiagnostics(diagnostics));
  return EXIT.findings;
}

/** `hasp merge <run...> -o <run>`. */
export function mergeCommand(setExit: SetExit): Command {
  return new Command("merge")
    .description("Make one run of the runs of several shards: each question once, in a fixed order.")
    .argument("<run...>", "the run folders, in any order")
    .requiredOption("-o, --output <run>", "the run folder to make, e.g. .hasp/runs/whole")
    .option(
      "--questions <file>",
      "orders the episodes (default: the file that the runs name, where it is unchanged; else by id)",
    )
    .option("--json", "print the result as JSON")
    .addHelpText(
      "after",
      helpText("hasp merge .hasp/runs/shard-1 .hasp/runs/shard-2 .hasp/runs/shard-3 -o .hasp/runs/whole"),
    )
    .action(async (runs: string[], options: Options) => {
      setExit(await runMerge(runs, options));
    });
}
