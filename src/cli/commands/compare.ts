import { Command } from "commander";
import process from "node:process";
import { compareEpisodes } from "../../analysis/compare-episodes.ts";
import { questionsOf, type QuestionsOfRun } from "../../analysis/compare-read.ts";
import { compareRuns } from "../../analysis/compare-runs.ts";
import type { QuestionPair, RunComparison } from "../../model/comparison.ts";
import { isClean } from "../../model/diagnostic.ts";
import type { Episode } from "../../model/episode.ts";
import { nodeFiles, type NodeFiles } from "../../platform/files.ts";
import { readEpisode } from "../../trace/episode-file.ts";
import type { OpenedRunFolder } from "../../trace/run-folder.ts";
import { need } from "../checked.ts";
import { helpText } from "../help.ts";
import { cancelOnInterrupt } from "../interrupt.ts";
import { wholeNumber } from "../numbers.ts";
import { renderEpisodeComparison, renderRunComparison } from "../render-comparison.ts";
import { printable } from "../../model/printable.ts";
import { openRunAt } from "../runs.ts";
import { counted } from "../table.ts";
import { CliError, EXIT, openTerminal, type ExitCode, type SetExit, type Terminal } from "../terminal.ts";

interface Options {
  readonly question?: string;
  readonly limit: number;
  readonly quick?: boolean;
  readonly json?: boolean;
}

const MOST_FLIPS = 20;

interface Side {
  readonly run: OpenedRunFolder;
  readonly read: QuestionsOfRun;
}

/** The lists first, then every episode one by one where what they took is asked for. */
async function readSide(
  run: OpenedRunFolder,
  measured: boolean,
  files: NodeFiles,
  terminal: Terminal,
): Promise<Side> {
  const interrupt = cancelOnInterrupt();
  const read = await questionsOf(files, run.index, {
    measured,
    signal: interrupt.signal,
    onProgress: (done, total) =>
      terminal.progress(done, total, `${done} of ${total} questions of ${run.title}`),
  }).finally(() => (terminal.endProgress(), interrupt.release()));
  return { run, read };
}

function headLine(name: string, { run, read }: Side): string {
  const [episodes, questions] = [run.index.entries.length, read.questions.length];
  const tries = episodes > questions ? "; of several tries at a question, the lowest trial counts" : "";
  return `${name}  ${printable(run.title)}: ${counted(episodes, "episode")}, ${counted(questions, "question")}${tries}`;
}

async function episodeAt({ run }: Side, index: number, files: NodeFiles): Promise<Episode> {
  return need(await readEpisode(files, run.index, index));
}

/** By the id of the question, or of one of its two episodes. */
function findPair({ pairs }: RunComparison, wanted: string): QuestionPair {
  const pair =
    pairs.find(({ questionId }) => questionId === wanted) ??
    pairs.find(({ a, b }) => a?.id === wanted || b?.id === wanted);
  if (pair !== undefined) return pair;
  throw new CliError(
    `Neither run has a question ${wanted}.`,
    "Without --question, the command lists the ids of those that were won and lost; --json lists all.",
  );
}

async function showPair(
  pair: QuestionPair,
  sides: readonly [Side, Side],
  files: NodeFiles,
  terminal: Terminal,
): Promise<void> {
  const [sideA, sideB] = sides;
  if (pair.a === undefined || pair.b === undefined) {
    const missing = pair.a === undefined ? sideA : sideB;
    throw new CliError(
      `The run ${missing.run.title} has no episode of that question.`,
      "Look at the other one with `hasp replay`.",
    );
  }
  const a = await episodeAt(sideA, pair.a.index, files);
  const b = await episodeAt(sideB, pair.b.index, files);
  const comparison = compareEpisodes(a, b);
  const titles = { a: sideA.run.title, b: sideB.run.title };
  renderEpisodeComparison(comparison, [a, b], titles, process.stdout.columns).forEach((line) =>
    terminal.line(line),
  );
  terminal.result({ question: pair, ...comparison });
}

async function runCompare(pathA: string, pathB: string, options: Options): Promise<ExitCode> {
  const terminal = openTerminal(options.json === true);
  const files = nodeFiles();
  const measured = options.quick !== true && options.question === undefined;
  const [runA, runB] = [await openRunAt(pathA, files), await openRunAt(pathB, files)];
  const sides = [
    await readSide(runA, measured, files, terminal),
    await readSide(runB, measured, files, terminal),
  ] as const;
  const diagnostics = sides.flatMap(({ run, read }) => [...run.diagnostics, ...read.diagnostics]);
  terminal.diagnostics(diagnostics);
  const comparison = compareRuns(sides[0].read.questions, sides[1].read.questions);
  if (options.question !== undefined)
    await showPair(findPair(comparison, options.question), sides, files, terminal);
  else {
    terminal.line(headLine("A", sides[0]));
    terminal.line(headLine("B", sides[1]));
    renderRunComparison(comparison, options.limit).forEach((line) => terminal.line(line));
    terminal.result({ a: runA.title, b: runB.title, ...comparison, diagnostics });
  }
  return isClean(diagnostics) ? EXIT.fine : EXIT.findings;
}

/** `hasp compare <runA> <runB>`. */
export function compareCommand(setExit: SetExit): Command {
  return new Command("compare")
    .description(
      "Compare two runs by question: what the second won and lost, and what both took; or two episodes of one question, step beside step.",
    )
    .argument("<runA>", "a run folder: what is compared with, e.g. the run without skills")
    .argument("<runB>", "a run folder: what won or lost is said of")
    .option("--question <id>", "compare the two episodes of this question (its id, or the id of an episode)")
    .option("--limit <n>", "questions won or lost to list", wholeNumber(0), MOST_FLIPS)
    .option("--quick", "do not read every episode: outcomes and steps only")
    .option("--json", "print the comparison as JSON, with every question")
    .addHelpText(
      "after",
      helpText(
        "hasp compare .hasp/runs/without .hasp/runs/with-skills",
        "hasp compare .hasp/runs/without .hasp/runs/with-skills --question q17",
      ),
    )
    .action(async (runA: string, runB: string, options: Options) => {
      setExit(await runCompare(runA, runB, options));
    });
}
