import { Command } from "commander";
import process from "node:process";
import { compareQuestion, compareTwoRuns } from "../../app/compare-runs.ts";
import { openRunAt } from "../../app/open-run.ts";
import { isClean } from "../../model/diagnostic.ts";
import { nodeFiles } from "../../platform/files.ts";
import type { OpenedRunFolder } from "../../trace/run-folder.ts";
import { need } from "../checked.ts";
import { helpText } from "../help.ts";
import { interruptible } from "../interrupt.ts";
import { wholeNumber } from "../numbers.ts";
import { renderEpisodeComparison, renderRunComparison } from "../render-comparison.ts";
import { counted } from "../table.ts";
import { EXIT, openTerminal, type ExitCode, type SetExit } from "../terminal.ts";

interface Options {
  readonly question?: string;
  readonly limit: number;
  readonly quick?: boolean;
  readonly json?: boolean;
}

const MOST_FLIPS = 20;

function headLine(name: string, { title, index }: OpenedRunFolder, questions: number): string {
  const episodes = index.entries.length;
  const tries = episodes > questions ? "; of several tries at a question, the lowest trial counts" : "";
  return `${name}  ${title}: ${counted(episodes, "episode")}, ${counted(questions, "question")}${tries}`;
}

async function runCompare(pathA: string, pathB: string, options: Options): Promise<ExitCode> {
  const terminal = openTerminal(options.json === true);
  const files = nodeFiles();
  const { question, quick, limit } = options;
  const runs = [need(await openRunAt(files, pathA)), need(await openRunAt(files, pathB))] as const;
  const titles = { a: runs[0].title, b: runs[1].title };
  const order = { runs, measured: quick !== true && question === undefined };
  const { value, diagnostics } = await interruptible(terminal, (signal, on) =>
    compareTwoRuns(order, { files, signal, on }),
  );
  const { comparison, questions } = value;
  terminal.diagnostics(diagnostics);
  if (question === undefined) {
    terminal.line(headLine("A", runs[0], questions[0]));
    terminal.line(headLine("B", runs[1], questions[1]));
    for (const line of renderRunComparison(comparison, limit)) terminal.line(line);
    terminal.result({ ...titles, ...comparison, diagnostics });
  } else {
    const {
      pair,
      episodes,
      comparison: steps,
    } = need(await compareQuestion(comparison, question, runs, files));
    for (const line of renderEpisodeComparison(steps, episodes, titles, process.stdout.columns))
      terminal.line(line);
    terminal.result({ question: pair, ...steps });
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
