import process from "node:process";
import type { JobBackend, JobEvent, JobRecord, TrainingMetrics } from "../model/job.ts";
import { jobBuild, localJobs } from "../platform/local-jobs.ts";
import { trainerPython } from "../platform/trainer-python.ts";
import type { Terminal } from "./terminal.ts";

/** Jobs on this machine, for a command of this CLI. `python`: what `--python` names. */
export const cliJobs = (python?: string): JobBackend =>
  localJobs({
    build: jobBuild(__filename),
    environment: process.env,
    python: async () => trainerPython({ option: python, environment: process.env }),
  });

const number = (value: number | null, digits: number): string =>
  value === null ? "–" : value.toPrecision(digits);

/** A line of metrics for people: `step 120  loss 0.4312  accuracy 91.2%  lr 9.8e-6  1,204,224 tokens`. */
export function metricsLine(metrics: TrainingMetrics): string {
  const { step, iteration, loss, mean_token_accuracy: accuracy, learning_rate: rate, num_tokens } = metrics;
  const parts = [
    `step ${step}`,
    ...(iteration > 1 ? [`iteration ${iteration}`] : []),
    `loss ${number(loss, 4)}`,
    ...(accuracy === null ? [] : [`accuracy ${(accuracy * 100).toFixed(1)}%`]),
    ...(rate === null ? [] : [`learning rate ${rate.toExponential(1)}`]),
    ...(num_tokens === null ? [] : [`${num_tokens.toLocaleString("en-US")} tokens`]),
  ];
  return parts.join("  ");
}

/** The end of a job, or how far it is, in a sentence. */
export function recordLine({ status, reason, exitCode, signal }: JobRecord): string {
  const how = signal === undefined ? exitCode && `exit code ${exitCode}` : signal;
  const why = reason ?? (how === undefined ? undefined : `${how}.`);
  return why === undefined ? status : `${status}: ${why}`;
}

/** Prints one event of a job. */
export function printJobEvent(terminal: Pick<Terminal, "line">, event: JobEvent): void {
  switch (event.kind) {
    case "log":
      terminal.line(`  ${event.line}`);
      break;
    case "metrics":
      terminal.line(metricsLine(event.metrics));
      break;
    case "trouble":
      terminal.line(`! ${event.message}`);
      break;
    case "status":
      terminal.line(recordLine(event.record));
  }
}

/** Prints a job's events until it ends, is lost or `signal` aborts. Answers its record at that moment. */
export async function followOnTerminal(
  backend: JobBackend,
  folder: string,
  terminal: Pick<Terminal, "line">,
  signal: AbortSignal,
): Promise<JobRecord> {
  for await (const event of backend.follow(folder, signal)) printJobEvent(terminal, event);
  return backend.status(folder);
}
