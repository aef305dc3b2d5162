import { internalisedMarkdown } from "../../app/internalised/page.ts";
import { internalisedSkills, type InternalisedOrder } from "../../app/internalised/report.ts";
import { internalisedReasons, internalisedTables } from "../../app/internalised/words.ts";
import { counted } from "../../model/counted.ts";
import { isClean } from "../../model/diagnostic.ts";
import type { InternalisedReport, InternalisedRun } from "../../model/internalised.ts";
import type { NodeFiles } from "../../platform/files.ts";
import { evaluationRuns } from "../../training/internalised-runs.ts";
import { readExperiment } from "../../training/report.ts";
import { needPlaced } from "../checked.ts";
import { defineCommand } from "../define-command.ts";
import { interruptible } from "../interrupt.ts";
import { cliJobs } from "../jobs.ts";
import { BY_JUDGE } from "../judge-option.ts";
import { text } from "../options.ts";
import { openRunAt } from "../runs.ts";
import { renderTable } from "../table.ts";
import { CliError, EXIT, type Terminal } from "../terminal.ts";

function print(terminal: Terminal, report: InternalisedReport): void {
  terminal.line(`${counted(report.questions, "question")}, ${counted(report.episodes, "episode")} a run`);
  for (const { title, columns, rows } of internalisedTables(report)) {
    terminal.line();
    terminal.line(title);
    for (const line of renderTable(columns, rows)) terminal.line(`  ${line}`);
  }
  terminal.line();
  for (const line of internalisedReasons(report)) terminal.line(line);
}

type Given = Readonly<Partial<Record<InternalisedRun | "experiment", string | undefined>>>;

/** The runs that are named, or those of an experiment. */
async function runsOf(given: Given, files: NodeFiles): Promise<InternalisedOrder["runs"]> {
  const { experiment, beforeOn, afterOn, beforeOff, afterOff } = given;
  const named = beforeOn ?? afterOn ?? beforeOff ?? afterOff;
  if (experiment !== undefined && named !== undefined)
    throw new CliError(
      "An experiment and runs are named.",
      "Name the experiment, whose evaluations are the runs, or the runs.",
    );
  if (experiment !== undefined) {
    const jobs = cliJobs();
    const { evaluations } = needPlaced(await readExperiment(files, experiment, (job) => jobs.status(job)));
    return needPlaced(await evaluationRuns(files, evaluations));
  }
  if (beforeOn === undefined || afterOn === undefined)
    throw new CliError(
      "The runs with Program Functions are missing.",
      "Name both, --before-on <run> --after-on <run>, or an --experiment <folder>.",
    );
  const open = async (run: string | undefined) => (run === undefined ? undefined : openRunAt(run, files));
  return {
    beforeOn: await openRunAt(beforeOn, files),
    afterOn: await openRunAt(afterOn, files),
    beforeOff: await open(beforeOff),
    afterOff: await open(afterOff),
  };
}

/** `hasp internalised --before-on <run> --after-on <run>`. */
export const internalisedCommand = defineCommand({
  name: "internalised",
  about:
    "Say which skills training has made needless: where each fell silent, and what stays of the gain with Program Functions off.",
  options: {
    beforeOn: text("--before-on <run>", "the run before training, with Program Functions"),
    afterOn: text("--after-on <run>", "the run after training, with Program Functions"),
    beforeOff: text(
      "--before-off <run>",
      "the run before training without them: for the gain and the behaviour",
    ),
    afterOff: text(
      "--after-off <run>",
      "the run after training without them: for what stays, and whether a skill can go",
    ),
    experiment: text("--experiment <folder>", "the runs of its evaluations, in place of the four"),
    by: BY_JUDGE,
    page: text("--page <file>", "write the report as a page of Markdown, too"),
  },
  json: "print the report as JSON",
  examples: [
    "hasp internalised --before-on runs/before-on --after-on runs/after-on",
    "hasp internalised --experiment .hasp/experiments/e1 --page report.md",
    "hasp internalised --before-off runs/b0 --before-on runs/b1 --after-off runs/a0 --after-on runs/a1 --page report.md",
  ],
  async run({ options, terminal, files }) {
    const { by, page } = options;
    const runs = await runsOf(options, files);
    const result = await interruptible(terminal, (signal, on) =>
      internalisedSkills({ runs, by }, { files, signal, on }),
    );
    if (result.value === undefined) terminal.result({ diagnostics: result.diagnostics });
    const report = needPlaced(result);
    const { diagnostics } = result;
    terminal.diagnostics(diagnostics);
    print(terminal, report);
    if (page !== undefined) {
      await files.writeText(page, internalisedMarkdown(report));
      terminal.line(`page written to ${page}`);
    }
    terminal.result({ ...report, diagnostics });
    return isClean(diagnostics) ? EXIT.fine : EXIT.findings;
  },
});
