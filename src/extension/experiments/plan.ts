import type * as vscode from "vscode";
import type { Checked, Diagnostic } from "../../model/diagnostic.ts";
import type { ExperimentConfig, ExperimentName } from "../../model/experiment.ts";
import type { DescribedQuestions } from "../../app/split-data.ts";
import type { PlanServices, RunDraft } from "../questions/plan.ts";
import type { FoundRun } from "../runs/find-runs.ts";
import type { WizardStep } from "../in-turn.ts";

/** The choices of an experiment. */
export interface ExperimentPlan {
  /** The workspace folder that will hold it. */
  readonly root: vscode.Uri;
  /** Of its folder below `.hasp/experiments`. */
  readonly name: string;
  /** With the student, its start and the retriever that were chosen. */
  readonly config: ExperimentConfig;
  readonly domain: string;
  readonly questions: vscode.Uri;
  /** Undefined: as the file looks. */
  readonly dataset?: string | undefined;
  /** Undefined: the paragraphs that come with the questions, or none where a teacher writes the snippets. */
  readonly corpus: vscode.Uri | undefined;
  /** Specs of models. */
  readonly teacher: string | undefined;
  /** Undefined: the student itself. */
  readonly author: string | undefined;
  /** The `episodes.jsonl` of each recorded run that stands in for the first rollout. */
  readonly pool: readonly vscode.Uri[];
}

/** A job of a plan, for the preview. */
export interface PlannedJob {
  readonly title: string;
  /** Its work in a sentence. */
  readonly words: string;
  /** The models that it asks; empty for none. */
  readonly asked: string;
}

/** The jobs of a plan in their order, and why it cannot be started. */
export interface Preview {
  readonly jobs: readonly PlannedJob[];
  readonly problem: Diagnostic | undefined;
}

/** An adapter of an earlier experiment. */
export interface KnownAdapter {
  readonly title: string;
  /** Absolute. */
  readonly folder: string;
}

export interface WizardServices {
  readonly questions: PlanServices;
  readonly title: string;
  /** Lower-case names of experiments that are there. */
  readonly taken: ReadonlySet<string>;
  /** Runs of the workspace folder with episodes. */
  readonly found: readonly FoundRun[];
  readonly adapters: readonly KnownAdapter[];
  /** The configuration that ships, by its name. */
  readonly shipped: (name: ExperimentName) => Promise<ExperimentConfig>;
  /** The configuration with the values of a person's file on top. */
  readonly read: (name: ExperimentName, file: vscode.Uri) => Promise<Checked<ExperimentConfig>>;
  /** `domain`: its name. */
  readonly describe: (questions: vscode.Uri, domain: string) => Promise<DescribedQuestions>;
  readonly preview: (plan: ExperimentPlan) => Promise<Preview>;
}

/** Source of the texts that rollouts search. */
export type Searched = vscode.Uri | "paragraphs" | "snippets";

/** The answers so far. */
export interface Draft {
  readonly root: vscode.Uri;
  readonly experiment?: ExperimentName;
  /** The person's own values. */
  readonly file?: vscode.Uri | undefined;
  readonly config?: ExperimentConfig;
  readonly model?: string | undefined;
  readonly start?: ExperimentConfig["start"] | undefined;
  /** Questions and domain. */
  readonly rollouts: RunDraft;
  readonly described?: DescribedQuestions;
  readonly searched?: Searched;
  readonly teacher?: string | undefined;
  readonly author?: string | undefined;
  readonly isPooled?: boolean;
  readonly pool?: readonly string[];
  readonly name?: string;
}

export type Step = WizardStep<Draft>;

/** The configuration with the choices that change it; undefined before an experiment is chosen. */
export function configOf({ config, model, start, searched, teacher }: Draft): ExperimentConfig | undefined {
  if (config === undefined) return undefined;
  const retriever =
    searched === undefined
      ? config.rollout.retriever
      : searched === "snippets"
        ? "teacher-snippet"
        : "corpus";
  return {
    ...config,
    model: model ?? config.model,
    start: start ?? config.start,
    rollout: { ...config.rollout, retriever },
    teacher:
      config.teacher === null || teacher === undefined
        ? config.teacher
        : { ...config.teacher, model: teacher },
  };
}

/** A teacher writes what a search finds, or corrects the student's steps. */
export const needsTeacher = (config: ExperimentConfig): boolean =>
  config.teacher !== null || config.rollout.retriever === "teacher-snippet";

/** A teacher may be asked by Program Functions and the harness. */
export const mayAskTeacher = ({ rollout }: ExperimentConfig): boolean =>
  rollout.setting === "full" || rollout.setting === "teacher-only";
