import type * as vscode from "vscode";
import type { NodeFiles } from "../../platform/files.ts";
import type { JobRecord, TrainingMetrics } from "../../model/job.ts";
import { type FoundFolder, type StateFolders, watchStateFolders } from "../state-folders.ts";
import { type JobReport, readReport } from "./job-report.ts";

/** Work of this window on a job. */
export interface JobWork {
  /** What this window does with it: a verb for people, such as `fetching`; absent: it follows the job. */
  readonly doing?: string | undefined;
  readonly metrics?: TrainingMetrics | undefined;
  /** As the target said last. */
  readonly record?: JobRecord | undefined;
}

/** A job of the workspace, below `.hasp/jobs`. */
export type FoundJob = FoundFolder<JobReport, JobWork>;

/** The jobs of the workspace, on the disk and at work. */
export type Jobs = StateFolders<JobReport, JobWork, { readonly work: JobWork }>;

export const JOBS_PLACE = ".hasp/jobs";

/** The files that `readReport` reads. */
const WANTED =
  /^(?:job\.json|target\.jsonl|status\.json|state\.jsonl|log\.txt|metrics\/\d+\.jsonl|tasks\/\d+\/state\.jsonl)$/;

export function watchJobs(files: NodeFiles, log: vscode.LogOutputChannel): Jobs {
  return watchStateFolders({
    place: JOBS_PLACE,
    state: "job.json",
    wanted: WANTED,
    // `<id>/tasks/<task>`.
    depth: 3,
    log,
    read: (folder) => readReport(files, folder),
    createdAt: ({ createdAt }) => createdAt,
  });
}

/** The record of a job as this window knows it best: what a target said last, before what its folder has. */
export const recordOf = ({ report, work }: Pick<FoundJob, "report" | "work">): JobRecord | undefined =>
  work?.record ?? report.value?.record;
