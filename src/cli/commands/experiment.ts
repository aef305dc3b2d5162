import { runPaths } from "../../trace/run-paths.ts";
import type { ExperimentName } from "../../model/experiment.ts";
import { hasEnded, type JobBackend } from "../../model/job.ts";
import { factsOf } from "../../model/facts.ts";
import { systemClock } from "../../platform/clock.ts";
import { ownRecords } from "../../platform/own-records.ts";
import { isHeldAnywhere } from "../../platform/process-lock.ts";
import { asOnlyWriter } from "../../platform/run-lock.ts";
import { sha256 } from "../../platform/sha256.ts";
import { absolute } from "../../platform/surroundings.ts";
import { requestStop, watchForStop } from "../../platform/stop-request.ts";
import { checkExperiment } from "../../training/check-order.ts";
import type { ExperimentEnd, ExperimentEvent, ExperimentOrder } from "../../training/order.ts";
import { experimentPaths } from "../../training/paths.ts";
import { planExperiment } from "../../training/plan.ts";
import { readExperiment, type ExperimentReport } from "../../training/report.ts";
import { readStateText } from "../../training/state.ts";
import { runExperiment } from "../../training/run-experiment.ts";
import { need, needPlaced } from "../checked.ts";
import { defineCommand } from "../define-command.ts";
import { EXPERIMENT_OPTIONS } from "../experiment-options.ts";
import {
  experimentFolder,
  experimentNamed,
  experimentOrder,
  libraryHash,
  type ExperimentCall,
} from "../experiment-order.ts";
import { KEYS } from "../help.ts";
import { withWords } from "../job-folders.ts";
import { interruptible } from "../interrupt.ts";
import { cliJobs, metricsLine } from "../jobs.ts";
import { needOwn } from "../own-order.ts";
import { evaluationLines, planLines, reportLines } from "../render-experiment.ts";
import { EXIT, type ExitCode, type Terminal } from "../terminal.ts";

function showing(terminal: Terminal): (event: ExperimentEvent) => void {
  let [at, jobs] = [0, 1];
  return (event) => {
    if (event.kind === "trouble") return terminal.line(event.message);
    if (event.kind === "stage") {
      const { index, total, title, status, words } = event;
      [at, jobs] = [index, total];
      const place = `[${index + 1}/${total}] ${title}`;
      if (status === "begun") return terminal.line(place);
      const how = status === "done" ? "done" : "done before";
      return terminal.line(
        `${status === "done" ? "      " : `${place}: `}${how}${words === undefined ? "" : `: ${words}`}`,
      );
    }
    const { event: of } = event;
    if (of.kind === "metrics") terminal.line(`      ${metricsLine(of.metrics)}`);
    else if (of.kind === "trouble") terminal.line(`      ! ${of.message}`);
    else if (of.kind === "log") terminal.progress(at, jobs, of.line);
    return undefined;
  };
}

function printEnd(terminal: Terminal, { endedBy, evaluations, adapter, folder }: ExperimentEnd): void {
  for (const line of evaluationLines(evaluations)) terminal.line(line);
  if (adapter !== undefined) terminal.line(`adapter: ${adapter}`);
  if (endedBy === "stopped")
    terminal.line(`Stopped at a clean boundary: repeat the command to resume ${folder}.`);
  if (endedBy === "detached")
    terminal.line(
      "Detached: the running job continues by itself. Repeat the command to follow it and to start what comes after it.",
    );
}

/** Asks about an experiment that is there, and that this user has not begun. */
async function needOwnExperiment(
  { files, terminal, options }: ExperimentCall,
  folder: string,
): Promise<void> {
  const { value } = await readStateText(files, folder);
  if (value === undefined) return;
  const { experiment, text } = value;
  const order = { name: `experiment ${folder}`, file: experimentPaths(folder).state, text };
  await needOwn(terminal, { ...order, facts: factsOf(experiment) }, options);
}

async function run(call: ExperimentCall, order: ExperimentOrder): Promise<ExitCode> {
  await needOwnExperiment(call, order.folder);
  const { terminal, files, session, options } = call;
  const { stopOnSignal = false } = options;
  const ended = await interruptible(terminal, (interrupt) =>
    asOnlyWriter(order.folder, async ({ lost }) => {
      const asked = watchForStop(experimentPaths(order.folder).stop);
      try {
        return needPlaced(
          await runExperiment(order, {
            files,
            cwd: absolute("."),
            backend: cliJobs(options.python),
            clock: systemClock,
            own: ownRecords(),
            sha256,
            libraryHash: () => libraryHash(order, session),
            signal: stopOnSignal ? lost : AbortSignal.any([interrupt, lost]),
            stop: stopOnSignal ? AbortSignal.any([asked.signal, interrupt]) : asked.signal,
            stopNow: stopOnSignal ? interrupt : undefined,
            on: showing(terminal),
          }),
        );
      } finally {
        asked.close();
      }
    }),
  );
  printEnd(terminal, ended);
  terminal.result(ended);
  return ended.endedBy === undefined ? EXIT.fine : EXIT.findings;
}

async function dryRun({ terminal, files }: ExperimentCall, order: ExperimentOrder): Promise<ExitCode> {
  // Refusals come before anything is begun, as they would without --dry-run.
  const { checked } = await import("../../app/refusal.ts");
  needPlaced(await checked(async () => checkExperiment(files, order)));
  const plan = planExperiment(order, { id: "00000000", cwd: absolute(".") });
  for (const line of planLines(plan)) terminal.line(line);
  terminal.result(plan);
  return EXIT.fine;
}

const reportOf = async (
  { files }: ExperimentCall,
  folder: string,
  backend: JobBackend,
): Promise<ExperimentReport> => need(await readExperiment(files, folder, (job) => backend.status(job)));

/** Asks the running job itself if nobody follows the experiment. */
async function stop(call: ExperimentCall, folder: string): Promise<ExitCode> {
  const { terminal, options } = call;
  const backend = cliJobs(options.python);
  const { stages } = await reportOf(call, folder, backend);
  if (isHeldAnywhere(runPaths(folder).lock)) {
    requestStop(experimentPaths(folder).stop);
    terminal.line(
      `${folder} was asked to stop: after the running job, or at the next checkpoint of a training.`,
    );
    terminal.result({ folder, asked: true });
    return EXIT.fine;
  }
  const job = stages.find(
    ({ record: { status } }) => status !== "prepared" && status !== "lost" && !hasEnded(status),
  );
  if (job === undefined) terminal.line(`Nothing of ${folder} is running.`);
  else {
    await withWords(async () => backend.cancel(job.folder));
    terminal.line(`Stopped: ${job.title}. Repeat the command to resume it.`);
  }
  terminal.result({ folder, asked: job !== undefined });
  return EXIT.fine;
}

async function status(call: ExperimentCall, folder: string): Promise<ExitCode> {
  const report = await reportOf(call, folder, cliJobs(call.options.python));
  for (const line of reportLines(report)) call.terminal.line(line);
  call.terminal.result(report);
  return EXIT.fine;
}

async function experiment(call: ExperimentCall, name: ExperimentName): Promise<ExitCode> {
  const { options } = call;
  const folder = experimentFolder(call, name);
  if (options.status === true) return status(call, folder);
  if (options.stop === true) return stop(call, folder);
  const order = await experimentOrder(call, name);
  return options.dryRun === true ? dryRun(call, order) : run(call, order);
}

/** `hasp experiment <name> --questions <file>`. */
export const experimentCommand = defineCommand({
  name: "experiment",
  about:
    "Train a student: roll out, evolve, build data, train and test, each as a job that continues when you leave.",
  takes: [["<name>", "e1 to e6 as in the paper, e7: the student learns from itself"]],
  options: EXPERIMENT_OPTIONS,
  section: KEYS,
  codes: ["done", "stopped or detached"],
  examples: [
    "hasp experiment e1 --questions hotpot.jsonl --teacher openai:gpt-4o-2024-11-20 --dry-run",
    "hasp experiment e1 --questions hotpot.jsonl --teacher openai:gpt-4o-2024-11-20",
    "hasp experiment e2 --questions world.jsonl --corpus corpus.jsonl --model models/tiny --config small.yaml --pool .hasp/experiments/e1/runs/train-1",
    "hasp experiment e1 --status",
  ],
  run: (call, given: string) => experiment(call, experimentNamed(given)),
});
