import path from "node:path";
import { mergeShards, type MergedRun } from "../../app/merge-runs.ts";
import { readNamed } from "../../app/named-text.ts";
import { repliesText } from "../../model/replies.ts";
import { newFolder } from "../../platform/new-folder.ts";
import { asOnlyWriter } from "../../platform/run-lock.ts";
import { need } from "../checked.ts";
import { defineCommand } from "../define-command.ts";
import { countDiagnostics, countOutcomes } from "../format-diagnostic.ts";
import { interruptible } from "../interrupt.ts";
import { flag, needed, text } from "../options.ts";
import { EXIT, type Terminal } from "../terminal.ts";
import { runPaths } from "../../trace/run-paths.ts";

function report(terminal: Terminal, merged: MergedRun): void {
  terminal.line(countOutcomes(merged.episodes, merged.outcomes));
  const replies = repliesText(merged.replies);
  if (replies !== undefined) terminal.line(`replies: ${replies}`);
  if (merged.repeated > 0) terminal.line(`${merged.repeated} episodes stood in two runs and are kept once`);
  terminal.line(merged.order === "id" ? "ordered by id" : "in the order of the questions");
  terminal.line(`run written to ${merged.run}`);
}

const isInside = (folder: string, at: string): boolean => !path.relative(folder, at).startsWith("..");

/** `hasp merge <run...> -o <run>`. */
export const mergeCommand = defineCommand({
  name: "merge",
  about: "Make one run of the runs of several shards: each sample of a question once, in a fixed order.",
  takes: [["<run...>", "the run folders, in any order"]],
  options: {
    output: needed(text("-o, --output <run>", "the run folder to make, e.g. .hasp/runs/whole")),
    questions: text(
      "--questions <file>",
      "orders the episodes (default: the file that the runs name, where it is unchanged; else by id)",
    ),
    resume: flag("--resume", "do nothing where the run is there already: a job may repeat the command"),
  },
  examples: ["hasp merge .hasp/runs/shard-1 .hasp/runs/shard-2 .hasp/runs/shard-3 -o .hasp/runs/whole"],
  async run({ options, terminal, files }, runs: readonly string[]) {
    const { output, resume = false } = options;
    // A run that is made of others gets its name when it is whole.
    if (resume && (await files.exists(runPaths(output).run))) {
      terminal.line(`${output} is there already.`);
      terminal.result({ run: output, isThere: true });
      return EXIT.fine;
    }
    const questions =
      options.questions === undefined ? undefined : need(await readNamed(files, options.questions));
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
  },
});
