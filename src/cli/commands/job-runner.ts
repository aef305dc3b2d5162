import process from "node:process";
import { runJob, type RunOrder } from "../../jobs/run-job.ts";
import { clusterRunnerPorts, requeue } from "../../platform/cluster-runner.ts";
import { jobBuild, runnerPorts } from "../../platform/local-jobs.ts";
import { defineCommand } from "../define-command.ts";
import { needed, text, whole, type OptionsOf } from "../options.ts";
import { CliError, EXIT } from "../terminal.ts";

const OPTIONS = {
  attempt: whole("--attempt <n>", "the attempt to execute, unless another runner has begun it", 1),
  submission: whole("--submission <n>", "the submission to a target of which to execute the next attempt", 1),
  content: needed(text("--content <hash>", "SHA-256 of the job.json that was submitted")),
  task: whole("--task <n>", "the only task of the submission to execute", 1),
};

function orderOf({ attempt, submission, task, content }: OptionsOf<typeof OPTIONS>): RunOrder {
  if (submission !== undefined) return { submission, task, content };
  if (attempt !== undefined) return { attempt, content };
  throw new CliError("Neither an attempt nor a submission is named.", "Add --attempt or --submission.");
}

const STOPPING = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

/** A job of this machine: whoever asks its runner to end asks the job to end, as often as it is. */
async function runHere(folder: string, order: RunOrder): Promise<void> {
  const stop = new AbortController();
  // Commands get their time to end in order.
  for (const signal of STOPPING) process.on(signal, () => stop.abort());
  await runJob(runnerPorts(jobBuild(__filename), stop.signal), folder, order);
}

/** A job on a target: there the machine asks, and a scheduler starts the job again. */
async function runSubmitted(folder: string, order: RunOrder): Promise<void> {
  const interrupt = new AbortController();
  let isAtLimit = false;
  for (const signal of STOPPING) process.on(signal, () => interrupt.abort());
  process.on("SIGUSR1", () => {
    isAtLimit = true;
    interrupt.abort();
  });
  await runJob(clusterRunnerPorts(jobBuild(__filename), interrupt.signal), folder, order);
  if (isAtLimit) await requeue(process.env);
}

/**
 * `hasp job-runner <folder>`: the process that executes a job. A backend starts it; it is no command for people, and not listed. It ends with 0
 * also where the job failed: the job's end is in `state.jsonl`.
 */
export const jobRunnerCommand = defineCommand({
  name: "job-runner",
  about: "Execute an attempt of a job (started by HASP Studio itself).",
  takes: [["<folder>", "the folder of the job"]],
  options: OPTIONS,
  run: async ({ options }, folder: string) => {
    const order = orderOf(options);
    await ("attempt" in order ? runHere : runSubmitted)(folder, order);
    return EXIT.fine;
  },
});
