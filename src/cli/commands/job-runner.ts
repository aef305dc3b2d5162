import process from "node:process";
import { runJob } from "../../jobs/run-job.ts";
import { jobBuild, runnerPorts } from "../../platform/local-jobs.ts";
import { defineCommand } from "../define-command.ts";
import { needed, whole } from "../options.ts";
import { EXIT } from "../terminal.ts";

const OPTIONS = {
  attempt: needed(whole("--attempt <n>", "the attempt to execute, unless another runner has begun it", 1)),
};

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
    const stop = new AbortController();
    // As often as it is asked: commands get their time to end in order.
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => stop.abort());
    await runJob(runnerPorts(jobBuild(__filename), stop.signal), folder, options.attempt);
    return EXIT.fine;
  },
});
