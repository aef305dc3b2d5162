import { execFile } from "node:child_process";
import type { RunnerPorts } from "../jobs/run-job.ts";
import { runnerPorts, type JobBuild } from "./local-jobs.ts";

/** The services of a runner on a target. `interrupt`: the machine wants its place back. */
export const clusterRunnerPorts = (build: JobBuild, interrupt: AbortSignal): RunnerPorts => ({
  ...runnerPorts(build, new AbortController().signal),
  interrupt,
});

/** The job or the task of SLURM that this process is part of; undefined elsewhere. */
function slurmJob(env: NodeJS.ProcessEnv): string | undefined {
  const { SLURM_JOB_ID: job, SLURM_ARRAY_JOB_ID: array, SLURM_ARRAY_TASK_ID: task } = env;
  return array !== undefined && task !== undefined ? `${array}_${task}` : job;
}

/** Asks SLURM for another place, because the time of this one is over. Resolves in any case: SLURM ends this process. */
export async function requeue(env: NodeJS.ProcessEnv): Promise<void> {
  const job = slurmJob(env);
  if (job === undefined) return;
  await new Promise<void>((resolve) => execFile("scontrol", ["requeue", job], () => resolve()));
}
