import type * as vscode from "vscode";
import type { Resources, ServedStudent } from "../../../model/job.ts";
import type { Draft as ExperimentDraft } from "../../experiments/plan.ts";
import type { WizardStep } from "../../in-turn.ts";
import type { KnownTarget } from "../targets.ts";

/** A command that is to run as a job. */
export interface SubmitPlan {
  /** The workspace folder in which it runs. */
  readonly root: vscode.Uri;
  /** For people. */
  readonly title: string;
  /** The words after `hasp`. Files are relative to the workspace folder. */
  readonly args: readonly string[];
  /** Undefined: this machine. */
  readonly target: KnownTarget | undefined;
  /** Over those of the preset. */
  readonly resources: Resources;
  /** A run of questions is dealt out to so many tasks. */
  readonly shards?: number | undefined;
  readonly serve?: ServedStudent | undefined;
  /** A configuration that the command reads, in place of this argument. */
  readonly config?: { readonly argument: string; readonly value: unknown } | undefined;
}

export type Work = "experiment" | "train" | "run";

/** The answers so far; those of an experiment are at their own names. */
export interface SubmitDraft extends ExperimentDraft {
  readonly work?: Work;
  /** The configuration of a training. */
  readonly training?: vscode.Uri;
  /** Whether the job serves the model that answers. */
  readonly isServed?: boolean;
  readonly shards?: number;
  /** Name of a run's folder. */
  readonly output?: string;
  /** `local`: this machine. */
  readonly target?: KnownTarget | "local";
  readonly changesResources?: boolean;
  readonly gpus?: string;
  readonly hours?: string;
  readonly memory?: string;
}

export type SubmitStep = WizardStep<SubmitDraft>;

/** Stands in the arguments for a configuration that is written into the job's folder. */
export const CONFIG_ARGUMENT = "{config}";
