import { percentOf } from "../model/percent.ts";
import type { JobBackend, TrainingMetrics } from "../model/job.ts";
import { jobBuild, localJobs } from "../platform/local-jobs.ts";
import { ownRecords } from "../platform/own-records.ts";
import { variables } from "../platform/surroundings.ts";
import { trainerPython } from "../platform/trainer-python.ts";

/** Jobs on this machine, for a command of this CLI. `python`: what `--python` names. */
export const cliJobs = (python?: string): JobBackend =>
  localJobs({
    build: jobBuild(__filename),
    environment: variables(),
    own: ownRecords(),
    python: async () => trainerPython({ option: python, environment: variables() }),
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
    ...(accuracy === null ? [] : [`accuracy ${percentOf(accuracy)}`]),
    ...(rate === null ? [] : [`learning rate ${rate.toExponential(1)}`]),
    ...(num_tokens === null ? [] : [`${num_tokens.toLocaleString("en-US")} tokens`]),
  ];
  return parts.join("  ");
}
