import path from "node:path";
import { Command } from "commander";
import { mergeRuns, type MergedRun, type MergeRequest } from "../../evaluation/merge-runs.ts";
import { parseQuestions } from "../../evaluation/questions.ts";
import type { Question } from "../../harness/question.ts";
import { nodeFiles, type NodeFiles } from "../../platform/files.ts";
import { newFolder } from "../../platform/new-folder.ts";
import { asOnlyWriter } from "../../platform/run-lock.ts";
import { need } from "../checked.ts";
import { countDiagnostics } from "../format-diagnostic.ts";
import { helpText } from "../help.ts";
import { cancelOnInterrupt } from "../interrupt.ts";
import { CliError, EXIT, openTerminal, type ExitCode, type SetExit, type Terminal } from "../terminal.ts";

interface Options {
  readonly output: string;
  readonly questions?: string;
  readonly json?: boolean;
}

const MAX_QUESTIONS_BYTES = 256 * 1024 * 1024;

async function readQuestions(file: string, files: NodeFiles): Promise<readonly Question[]> {
  const found = await files.readText(file, MAX_QUESTIONS_BYTES);
  if (found.kind === "text") return need(parseQuestions(found.text, file));
  throw new CliError(
    found.kind === "absent" ? `There is no file ${file}.` : `${file} is larger than 256 MiB.`,
    "Check the path, or leave --questions out: the episodes are then ordered by id.",
  );
}

/** A path to a run's `episodes.jsonl` means its folder. */
function folderOf(given: string): string {
  const folder = path.basename(given) === "episodes.jsonl" ? path.dirname(given) : given;
  return path.normalize(folder).replace(/(?<=.)[/\\]+$/, "");
}

/** The merged run must not lie in one of its parts: those stay as they are. */
function refuseInside(folders: readonly string[], output: string): void {
  const around = folders.find((folder) => !path.relative(folder, output).startsWith(".."));
  if (around === undefined) return;
  throw new CliError(`${output} lies in ${around}, which is to be merged.`, "Name a folder beside the runs.");
}

function report(terminal: Terminal, merged: MergedRun): void {
  const { correct, wrong, halted, unjudged } = merged.outcomes;
  const judged = `${correct} correct, ${wrong} wrong, ${halted} halted`;
  terminal.line(`${merged.episodes} episodes: ${judged}${unjudged > 0 ? `, ${unjudged} unjudged` : ""}`);
  if (merged.repeated > 0) terminal.line(`${merged.repeated} episodes stood in two runs and are kept once`);
  terminal.line(merged.order === "id" ? "ordered by id" : "in the order of the questions");
  terminal.line(`run written to ${merged.run}`);
}

async function runMerge(given: readonly string[], options: Options): Promise<ExitCode> {
  const terminal = openTerminal(options.json === true);
  const files = nodeFiles();
  const folders = given.map(folderOf);
  refuseInside(folders, options.output);
  const questions =
    options.questions === undefined ? undefined : await readQuestions(options.questions, files);
  const interrupt = cancelOnInterrupt();
  const { output } = options;
  const request: MergeRequest = {
    folders,
    output,
    questions,
    signal: interrupt.signal,
    onProgress: (done, total) => terminal.progress(done, total, `${done} of ${total} episodes`),
  };
  const { value, diagnostics } = await asOnlyWriter(output, (release) =>
    mergeRuns({ ...files, newFolder: (path, fill) => newFolder(path, fill, release) }, request),
  ).finally(() => (terminal.endProgress(), interrupt.release()));
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
