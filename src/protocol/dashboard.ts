import type { HelpPlace } from "../model/help-page.ts";
import type { JobStatus } from "../model/job.ts";
import type { Contract, NoRequests } from "./contract.ts";

/** The scalars that have a chart, in the order of the charts. */
export const CURVES = [
  "loss",
  "mean_token_accuracy",
  "entropy",
  "grad_norm",
  "learning_rate",
  "num_tokens",
] as const;
export type CurveName = (typeof CURVES)[number];

/** Columns of the points of a training. `step`: as the trainer counts; it may begin anew with an iteration. */
export const POINT_COLUMNS = ["iteration", "step", ...CURVES] as const;
export type PointColumn = (typeof POINT_COLUMNS)[number];

/** Points of a training, a column each, all of one length. NaN: no number. */
export type PointColumns = Readonly<Record<PointColumn, Float64Array>>;

/** A training that can be shown: an experiment with all its iterations, or a job. */
export interface TrainingRun {
  /** Names it in requests. */
  readonly id: string;
  readonly title: string;
  readonly status: JobStatus;
  /** The status in words, with what is known beside it. */
  readonly words: string;
}

/** The trainings of the workspace, newest first. */
export interface DashboardPage {
  readonly runs: readonly TrainingRun[];
  /** The run to show besides those that were shown before; null: none in particular. */
  readonly first: string | null;
}

/** Points of a run from a position on; those that were there from this position on are replaced. */
export interface PointsChunk {
  readonly run: string;
  readonly from: number;
  readonly columns: PointColumns;
}

/** Requests of the dashboard. */
export interface DashboardHost extends Contract {
  requests: {
    /** Begins anew: no run is followed. */
    open: { params: Record<string, never>; result: DashboardPage };
    /** Follows exactly these runs; the points of those that are new to the list follow as events. */
    show: { params: { runs: readonly string[] }; result: null };
    /** Asks for a file and writes the points of the runs that are followed. */
    saveCsv: { params: Record<string, never>; result: null };
    submit: { params: Record<string, never>; result: null };
    runExperiment: { params: Record<string, never>; result: null };
    openLog: { params: Record<string, never>; result: null };
    openHelp: { params: HelpPlace; result: null };
  };
  events: {
    /** The trainings have changed, or how far they are. */
    runs: DashboardPage;
    points: PointsChunk;
    /** Sentences about lines and values of a run that have no point; all that hold now. */
    troubles: { readonly run: string; readonly messages: readonly string[] };
  };
}

export interface DashboardView extends Contract {
  requests: NoRequests;
  events: Record<string, never>;
}
