import { counted } from "../../model/counted.ts";
import { STAGE_WORDS, type ExperimentName, type Stage } from "../../model/experiment.ts";
import type { JobRecord, JobStatus, TrainingMetrics } from "../../model/job.ts";
import { printableLine } from "../../model/printable.ts";
import { repliesText } from "../../model/replies.ts";
import type { Difference, Evaluation } from "../../training/order.ts";
import { hasLearnedNothing, NOTHING_TO_LEARN } from "../../training/planned.ts";
import type { ExperimentReport, StageReport } from "../../training/report.ts";

/** An experiment in a line: its label and a sentence (SPEC §8). */
export const EXPERIMENT_WORDS: Readonly<
  Record<ExperimentName, { readonly label: string; readonly sentence: string }>
> = {
  e1: {
    label: "E1 SFT",
    sentence: "Supervised fine-tuning on the corrected steps of one rollout.",
  },
  e2: {
    label: "E2 RS",
    sentence: "Rejection sampling: the better half of the student's own episodes trains it, twice.",
  },
  e3: {
    label: "E3 OPD",
    sentence: "On-policy distillation: PFs and a teacher correct the student's steps, twice.",
  },
  e4: {
    label: "E4 SFT, closed loop",
    sentence: "The library evolves, then SFT on new rollouts; two phases.",
  },
  e5: {
    label: "E5 RS, closed loop",
    sentence: "The library evolves, then rejection sampling on new rollouts; two phases.",
  },
  e6: {
    label: "E6 OPD, closed loop",
    sentence: "The library evolves, then on-policy distillation on new rollouts; two phases.",
  },
  e7: {
    label: "E7 self-distillation",
    sentence: "The student learns from itself with the PFs' contexts in sight; no teacher.",
  },
};

/** Longest text of a file or a program on one line of a tooltip. */
const LONGEST = 400;

/** A text that nobody of ours wrote, on one line. */
export function plainLine(text: string): string {
  const line = printableLine(text).trim();
  return line.length > LONGEST ? `${line.slice(0, LONGEST).toWellFormed()}…` : line;
}

const STATUS_WORDS: Readonly<Record<JobStatus, string>> = {
  prepared: "not yet",
  submitted: "waiting",
  running: "running",
  succeeded: "done",
  failed: "failed",
  stopped: "stopped",
  lost: "cut off",
};

export const statusWord = ({ status }: Pick<JobRecord, "status">): string => STATUS_WORDS[status];

export const isAlive = ({ status }: Pick<JobRecord, "status">): boolean =>
  status === "running" || status === "submitted";

/** `8 s`, `3 min 20 s`, `2 h 5 min`. */
export function durationWords(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min${seconds % 60 === 0 ? "" : ` ${seconds % 60} s`}`;
  return `${Math.floor(minutes / 60)} h${minutes % 60 === 0 ? "" : ` ${minutes % 60} min`}`;
}

/** How long a job took, or has been running until `now`; undefined before it began. Times are ISO 8601. */
export function durationOf({ startedAt, endedAt, status }: JobRecord, now: string): string | undefined {
  if (startedAt === undefined) return undefined;
  const end = endedAt ?? (isAlive({ status }) ? now : undefined);
  return end === undefined ? undefined : durationWords(Date.parse(end) - Date.parse(startedAt));
}

/** At most three digits after the point; `no number` where a training gave none. */
const figure = (value: number | null): string =>
  value === null ? "no number" : String(Number(value.toFixed(3)));

/** `950`, `12.3 k`, `4.1 M`. */
export function countWords(count: number | null): string {
  if (count === null) return "no number of";
  if (count < 10_000) return String(Math.round(count));
  return count < 1_000_000 ? `${(count / 1000).toFixed(1)} k` : `${(count / 1_000_000).toFixed(1)} M`;
}

/** `step 120 · loss 0.412 · 1.2 M tokens`. */
export function metricsWords({ step, loss, num_tokens: tokens }: TrainingMetrics): string {
  return `step ${step} · loss ${figure(loss)} · ${countWords(tokens)} tokens`;
}

/** The seven scalars of the last line and the course of the loss, a line each. */
export function metricsLines(metrics: readonly TrainingMetrics[]): readonly string[] {
  const [first, last] = [metrics[0], metrics.at(-1)];
  if (first === undefined || last === undefined) return [];
  return [
    `loss ${figure(first.loss)} at step ${first.step}, ${figure(last.loss)} at step ${last.step}`,
    `token accuracy ${percent(last.mean_token_accuracy)}, entropy ${figure(last.entropy)} nats a token`,
    `gradient norm ${figure(last.grad_norm)}, learning rate ${last.learning_rate?.toExponential(1) ?? "no number"}`,
    `${countWords(last.num_tokens)} tokens, epoch ${last.epoch === null ? "no number" : Number(last.epoch.toFixed(2))} of the iteration`,
  ];
}

/** A share: `33%`, `33.5%`; `no number` where a training gave none. */
export const percent = (share: number | null): string =>
  share === null ? "no number" : `${Number((100 * share).toFixed(1))}%`;

const points = (share: number): string => `${share < 0 ? "−" : "+"}${Math.abs(100 * share).toFixed(1)}`;

/** `+12.0 points, 95% interval +3.1 to +20.9`. */
export function changeWords({ value, low, high }: Difference): string {
  return `${points(value)} points, 95% interval ${points(low)} to ${points(high)}`;
}

/** `Before · PFs off`. */
export const evaluationTitle = ({ when, pfs }: Evaluation): string =>
  `${when === "before" ? "Before" : "After"} · PFs ${pfs}`;

/** `EM 41% · +12.0 points · 200 questions`. */
export function evaluationWords({ em, questions, change }: Evaluation): string {
  const changed = change === undefined ? [] : [`${points(change.value)} points`];
  return [`EM ${percent(em)}`, ...changed, counted(questions, "question")].join(" · ");
}

export function evaluationLines(evaluation: Evaluation): readonly string[] {
  const { when, pfs, em, f1, questions, change, replies, remarks = [] } = evaluation;
  const said = repliesText(replies);
  return [
    `${when === "before" ? "Before" : "After"} the training, with Program Functions ${pfs}`,
    `exact match ${percent(em)}, F1 ${percent(f1)}, ${counted(questions, "question")}`,
    ...(said === undefined ? [] : [`replies: ${said}`]),
    ...(change === undefined ? [] : [`change of the exact match: ${changeWords(change)}`]),
    ...remarks.map(({ message }) => plainLine(message)),
  ];
}

/** `EM 21% → 33% with PFs off, 30% → 41% with PFs on`; empty without an evaluation after the training. */
export function gainWords(evaluations: readonly Evaluation[]): string {
  const emOf = (when: Evaluation["when"], pfs: Evaluation["pfs"]): number | undefined =>
    evaluations.find((one) => one.when === when && one.pfs === pfs)?.em;
  const parts = (["off", "on"] as const).flatMap((pfs) => {
    const [before, after] = [emOf("before", pfs), emOf("after", pfs)];
    if (after === undefined) return [];
    return [`${before === undefined ? "" : `${percent(before)} → `}${percent(after)} with PFs ${pfs}`];
  });
  return parts.length === 0 ? "" : `EM ${parts.join(", ")}`;
}

/** An experiment that this window follows. */
export interface Work {
  /** Title of the running job. */
  readonly title?: string | undefined;
  /** Progress within the job. */
  readonly progress?: string | undefined;
  /** The last line of a training. */
  readonly metrics?: TrainingMetrics | undefined;
  /** It ends at the next clean boundary. */
  readonly isStopping?: boolean | undefined;
}

/** `stops at a clean boundary · Train the student · step 20 · loss 0.4 · 9000 tokens`. */
export function workWords({ title, progress, isStopping }: Work): string {
  const parts = [
    ...(isStopping === true ? ["stops at a clean boundary"] : []),
    title ?? "starts",
    ...(progress === undefined ? [] : [progress]),
  ];
  return parts.join(" · ");
}

/** `detached`: a job of it runs, and this window does not follow it. */
export type ExperimentState = "running" | "detached" | "done" | "unfinished";

export function stateOf(
  { stages }: Pick<ExperimentReport, "stages">,
  work: Work | undefined,
): ExperimentState {
  if (work !== undefined) return "running";
  if (stages.some(({ record }) => isAlive(record))) return "detached";
  const isDone = stages.length > 0 && stages.every(({ record }) => record.status === "succeeded");
  return isDone ? "done" : "unfinished";
}

/** The job in front: the running or failed one, else the first that is left. */
export function stageInFront(stages: readonly StageReport[]): StageReport | undefined {
  return (
    stages.find(({ record }) => isAlive(record)) ?? stages.find(({ record }) => record.status !== "succeeded")
  );
}

/** The description of an experiment's row. */
export function experimentWords(report: ExperimentReport, work: Work | undefined): string {
  const { stages, evaluations } = report;
  const state = stateOf(report, work);
  const done = stages.filter(({ record }) => record.status === "succeeded").length;
  const share = `${done} of ${counted(stages.length, "job")}`;
  if (work !== undefined) return ["running", workWords(work), share].join(" · ");
  const gain = gainWords(evaluations);
  if (state === "done") return ["done", ...(gain === "" ? [] : [gain])].join(" · ");
  const front = stageInFront(stages);
  if (state === "detached") return ["runs by itself", front?.title ?? "", share].join(" · ");
  const word = front?.record.status === "failed" ? "failed" : "not finished";
  return [word, ...(front === undefined ? [] : [front.title]), share].join(" · ");
}

/** Stages in plain words, for tooltips: a sentence each. */
export const STAGE_SENTENCES: Readonly<Record<Stage, string>> = {
  rollout: "The student works on the train questions, with PFs and teacher on.",
  evolve: "An author proposes skills for failed episodes; checks and reviews decide.",
  data: "Corrected steps become rows, weighted by their reward.",
  train: "The rows train an adapter of the student.",
  evaluate: "The student answers held-out questions, with PFs off and on.",
};

export const stageTitle = ({ title, stage }: Pick<StageReport, "title" | "stage">): string =>
  title === "" ? STAGE_WORDS[stage] : plainLine(title);

const SHORT_TITLES: Readonly<Record<Stage, string>> = {
  rollout: "Rollout",
  evolve: "Evolution",
  data: "Data",
  train: "Training",
  evaluate: "Evaluation",
};

/** A title for a narrow row: `Training`, `Training 2`, `Evaluation after`. `iterations`: the number of them. */
export function shortTitle(
  { stage, iteration }: Pick<StageReport, "stage" | "iteration">,
  iterations: number,
): string {
  const title = SHORT_TITLES[stage];
  if (stage === "evaluate") return `${title} ${iteration === 0 ? "before" : "after"}`;
  if (iteration === 0) return `${title}, warm-up`;
  return iterations > 1 ? `${title} ${iteration}` : title;
}

/** `done · step 60 · loss 0.2 · 1.1 M tokens · 3 min 20 s`. */
export function stageWords(stage: StageReport, now: string): string {
  const { record, metrics } = stage;
  const last = metrics.at(-1);
  const why = record.status === "failed" ? record.lastLines?.at(-1) : undefined;
  const parts = [
    statusWord(record),
    last === undefined ? undefined : metricsWords(last),
    hasLearnedNothing(stage) ? NOTHING_TO_LEARN : undefined,
    durationOf(record, now),
    why === undefined ? undefined : plainLine(why),
  ];
  return parts.filter((part) => part !== undefined).join(" · ");
}
