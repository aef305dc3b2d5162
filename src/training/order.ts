import type { Diagnostic } from "../model/diagnostic.ts";
import type { ExperimentConfig, ExperimentName, Stage } from "../model/experiment.ts";
import type { JobBackend, JobEvent } from "../model/job.ts";
import type { ShippedList } from "../model/shipped-lists.ts";
import type { OwnRecords } from "../model/own-records.ts";
import type { ReplyCounts } from "../model/replies.ts";
import type { Clock, Sha256, TraceFiles } from "../trace/ports.ts";
import type { TextFiles } from "../app/named-text.ts";

/** An experiment as a person asks for it. Names of files and folders are relative to the folder in which its jobs run, or absolute. */
export interface ExperimentOrder {
  readonly name: ExperimentName;
  /** Gets all that the experiment writes; one that holds the same order is resumed. */
  readonly folder: string;
  readonly config: ExperimentConfig;
  /** The domain of the questions, such as `web-search`. */
  readonly domain: string;
  /** A file of questions with the splits that the experiment uses (docs/datasets.md). */
  readonly questions: string;
  /** The format of the questions; undefined: as it looks. */
  readonly dataset?: string | undefined;
  /** The file that is searched; undefined: the paragraphs of the questions. */
  readonly corpus?: string | undefined;
  /** Skill folders, as `hasp run --skills` takes them; none: those of `hasp.yaml`. */
  readonly skills: readonly string[];
  /** The list of shipped skills; undefined in an experiment that was begun before there were several: that of `hasp.yaml`. */
  readonly triggers?: ShippedList | undefined;
  /** The model that Program Functions, harness and snippets may ask, as `hasp run --teacher` takes it. */
  readonly teacher?: string | undefined;
  /** The author of skills in closed loop; undefined: the student itself. */
  readonly author?: string | undefined;
  /** Recorded runs of the train split that take the place of the first rollout. */
  readonly pool: readonly string[];
  /** Of rollouts and evaluations; the training has its own in the configuration. */
  readonly seed: number;
}

/** The files that an experiment reads and writes. Relative names are below the folder in which its jobs run. */
export type ExperimentFiles = TraceFiles & TextFiles;

export interface ExperimentServices {
  readonly files: ExperimentFiles;
  /** The absolute folder in which jobs run. */
  readonly cwd: string;
  readonly backend: JobBackend;
  readonly clock: Clock;
  /** Knows `experiment.json` and the jobs of this user's experiments. */
  readonly own: OwnRecords;
  readonly sha256: Sha256;
  /** `hashLibrary` of the skills that the order names, or that `hasp.yaml` names where it names none: the library is frozen. */
  readonly libraryHash: () => Promise<string>;
  /** Detaches: the running job continues by itself, and the same order attaches to it again. */
  readonly signal: AbortSignal;
  /** Ends the experiment at a clean boundary: after the running job, or at the next checkpoint of a training. */
  readonly stop: AbortSignal;
  /** Ends the running job, too, whichever it is: the machine wants its place back. */
  readonly stopNow?: AbortSignal | undefined;
  readonly on: (event: ExperimentEvent) => void;
}

/** A job begins, ends, or was done in an earlier sitting. */
export interface StageEvent {
  readonly kind: "stage";
  /** Of the job in the plan, from 0. */
  readonly index: number;
  readonly total: number;
  readonly stage: Stage;
  /** From 1: the iteration in open loop, the phase in closed loop; 0 for what comes before the first one. */
  readonly iteration: number;
  readonly title: string;
  readonly status: "begun" | "done" | "done before";
  /** Its result in a sentence, once it is done. */
  readonly words?: string;
}

export type ExperimentEvent =
  | StageEvent
  | { readonly kind: "job"; readonly index: number; readonly event: JobEvent }
  | { readonly kind: "trouble"; readonly message: string };

/** A difference of shares with its 95% interval. */
export interface Difference {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** Results on the questions of an evaluation, all shares in [0, 1]. */
export interface Evaluation {
  /** Training that the student had: none, or all of it. */
  readonly when: "before" | "after";
  readonly pfs: "off" | "on";
  /** The run folder. */
  readonly run: string;
  /** Questions that were judged. */
  readonly questions: number;
  readonly em: number;
  readonly f1: number;
  readonly replies: ReplyCounts;
  /** Only `after`: change of the exact match of each question since `before`, with the same skills. */
  readonly change?: Difference;
  /** Only with a change: conditions other than the training in which the two runs differ. */
  readonly remarks?: readonly Diagnostic[];
}

export interface ExperimentEnd {
  readonly folder: string;
  /** Undefined: all is done. */
  readonly endedBy: undefined | "stopped" | "detached";
  /** The folder of the last adapter that was trained (the whole model where all weights were trained). */
  readonly adapter: string | undefined;
  readonly evaluations: readonly Evaluation[];
}
