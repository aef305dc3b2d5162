import { checked, need, refuse } from "../app/refusal.ts";
import type { Checked } from "../model/diagnostic.ts";
import type { ExperimentName, Stage } from "../model/experiment.ts";
import { metricsSchema, type JobRecord, type TrainingMetrics } from "../model/job.ts";
import { parseJson } from "../model/read-json.ts";
import { readEvaluations, scoresIn, type ScoresOf } from "./evaluations.ts";
import type { Evaluation, ExperimentFiles } from "./order.ts";
import { trainPaths } from "./paths.ts";
import { planExperiment } from "./plan.ts";
import type { Plan, PlannedJob } from "./planned.ts";
import { orderOf, readState } from "./state.ts";

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

const MAX_BYTES = 100_000_000;

async function metricsIn(
  files: ExperimentFiles,
  { result }: PlannedJob,
): Promise<readonly TrainingMetrics[]> {
  if (result.kind !== "train") return [];
  const found = await files.readText(trainPaths(result.output).metrics, MAX_BYTES);
  if (found.kind !== "text") return [];
  // The last line may be under way.
  return found.text.split("\n").flatMap((line) => metricsSchema.safeParse(parseJson(line)).data ?? []);
}

/** The folder of the last adapter that is complete; undefined before the first. */
export async function lastAdapter(files: ExperimentFiles, { jobs }: Plan): Promise<string | undefined> {
  let last: string | undefined;
  for (const { result } of jobs) {
    if (result.kind !== "train") continue;
    const { result: file, adapter } = trainPaths(result.output);
    if ((await files.stat(file)) !== undefined) last = adapter;
  }
  return last;
}

/**
 * Reads the folder of an experiment. `statusOf` tells how far a job folder is, as a backend does; `scoresOf` keeps scores from one reading to the next. HASP681 for a folder that holds none, HASP687
 * for a broken `experiment.json`. Rejects on I/O errors.
 */
export async function readExperiment(
  files: ExperimentFiles,
  folder: string,
  statusOf: (job: string) => Promise<JobRecord>,
  scoresOf: ScoresOf = scoresIn(files),
): Promise<Checked<ExperimentReport>> {
  return checked(async () => {
    const state = await readState(files, folder);
    if (state.value === undefined && state.diagnostics.length === 0)
      refuse("HASP681", `${folder} holds no experiment.`, "Name the folder of an experiment.", folder);
    const file = need(state);
    const plan = planExperiment(orderOf(file, folder), { id: file.id, cwd: "" });
    const stages: StageReport[] = [];
    for (const job of plan.jobs) {
      const isThere = (await files.stat(`${job.folder}/job.json`)) !== undefined;
      const record: JobRecord = isThere ? await statusOf(job.folder) : { status: "prepared" };
      const { stage, iteration, title } = job;
      stages.push({
        stage,
        iteration,
        title,
        folder: job.folder,
        record,
        metrics: await metricsIn(files, job),
      });
    }
    const done = new Set(
      stages.flatMap(({ folder: job, record }) => (record.status === "succeeded" ? [job] : [])),
    );
    return {
      folder,
      name: file.name,
      createdAt: file.createdAt,
      model: file.config.model,
      stages,
      evaluations: await readEvaluations(scoresOf, plan, (job) => done.has(job)),
      adapter: await lastAdapter(files, plan),
    };
  });
}
