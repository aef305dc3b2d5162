import type { DataBlock } from "../dataset/experiments.ts";
import type { Stage } from "../model/experiment.ts";
import type { JobRecord, JobSpec, TrainingMetrics } from "../model/job.ts";
import type { Evaluation } from "./order.ts";

/** The student at one time of an experiment. */
export interface Student {
  /** As a model spec: `served:e2-3fa9c2d1-1`. */
  readonly spec: string;
  /** Folder or name of the model. */
  readonly model: string;
  /** Folder of a LoRA adapter on it. */
  readonly adapter: string | undefined;
}

/** Of an iteration without a row, whose student stays as it was. */
export const NOTHING_TO_LEARN = "nothing to learn";

/** Whether a job was a training without a step: each of one with steps has a line of metrics. */
export const hasLearnedNothing = (job: {
  readonly stage: Stage;
  readonly record: JobRecord;
  readonly metrics: readonly TrainingMetrics[];
}): boolean => job.stage === "train" && job.record.status === "succeeded" && job.metrics.length === 0;

/** A run that a job makes. */
export interface PlannedRun {
  readonly run: string;
  readonly split: "train" | "test" | "val";
  readonly samples: number;
  /** Questions at most; undefined: all. */
  readonly limit: number | undefined;
}

/** Where the result of a job is, and how it is known to be complete. */
export type PlannedResult =
  | { readonly kind: "runs"; readonly runs: readonly PlannedRun[] }
  | { readonly kind: "evolution"; readonly folder: string; readonly epochs: number }
  | {
      readonly kind: "data";
      readonly folder: string;
      readonly file: DataBlock["file"];
      /** Without a row there is nothing to learn, and the student stays as it was. */
      readonly mayBeEmpty: boolean;
    }
  | { readonly kind: "train"; readonly output: string };

export interface PlannedJob {
  readonly stage: Stage;
  /** From 1; 0 before the first iteration. */
  readonly iteration: number;
  readonly title: string;
  /** The job folder. */
  readonly folder: string;
  readonly spec: JobSpec;
  /** A file that is written before the job: the configuration of a training. */
  readonly file: { readonly path: string; readonly text: string } | undefined;
  /** Skill folders that leave the arguments while they hold no skill. */
  readonly optionalSkills: readonly string[];
  readonly result: PlannedResult;
}

export interface PlannedEvaluation extends Pick<Evaluation, "when" | "pfs" | "run"> {
  /** The job that makes the run. */
  readonly job: string;
}

/** All of an experiment, in order. */
export interface Plan {
  readonly jobs: readonly PlannedJob[];
  readonly evaluations: readonly PlannedEvaluation[];
}
