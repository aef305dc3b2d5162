import { join } from "node:path";
import type { Checked } from "../../model/diagnostic.ts";
import type { JobRecord, JobSpec, TrainingMetrics } from "../../model/job.ts";
import type { NamedTarget } from "../../model/target.ts";
import type { NodeFiles } from "../../platform/files.ts";
import { ownRecords } from "../../platform/own-records.ts";
import { EPISODES } from "../runs/find-runs.ts";

/** A job as its folder shows it, without asking anybody. */
export interface JobReport {
  readonly spec: JobSpec;
  /** Whether this user has made or allowed it. */
  readonly isOwn: boolean;
  /** The target that it was sent to; undefined: it runs on this machine, or was not submitted. */
  readonly target: NamedTarget | undefined;
  /** The number that the scheduler gave it. */
  readonly number: string | undefined;
  readonly record: JobRecord;
  /** Where the points of its trainings are, or will be, in the order of the trainings; absolute. */
  readonly metricsFiles: readonly string[];
  /** The last line of each training that has begun. */
  readonly metrics: readonly TrainingMetrics[];
  /** When the job was made, and when its target was last heard of. ISO 8601. */
  readonly createdAt: string;
  readonly knownAt: string | undefined;
  /** Whether a log is here. */
  readonly hasLog: boolean;
  /** Whether some output was brought here from its target. */
  readonly isFetched: boolean;
  /** Outputs that are here, with absolute paths. */
  readonly outputs: readonly string[];
  /** Episodes of the outputs that are runs, absolute. */
  readonly runs: readonly string[];
  /** Folders in the outputs that hold an adapter, absolute. */
  readonly adapters: readonly string[];
}

/** Bytes at the end of a file of metrics that hold its last line. */
const TAIL = 4_096;

async function lastMetrics(files: NodeFiles, path: string): Promise<TrainingMetrics | undefined> {
  const { metricsSchema } = await import("../../model/job.ts");
  const { parseJson } = await import("../../model/read-json.ts");
  const size = (await files.stat(path))?.size ?? 0;
  if (size === 0) return undefined;
  const from = Math.max(0, size - TAIL);
  const lines = new TextDecoder().decode(await files.read(path, from, size - from)).split("\n");
  return lines.toReversed().flatMap((line) => metricsSchema.safeParse(parseJson(line)).data ?? [])[0];
}

/** An output with an adapter in it, or in a folder below that a training writes. */
async function adapterIn(files: NodeFiles, output: string): Promise<readonly string[]> {
  const name = "adapter_config.json";
  if (output.endsWith(`/${name}`)) return [output.slice(0, -name.length - 1)];
  const trainings = (await files.list(join(output, "train"))).map((one) => join(output, "train", one));
  const folders = [output, join(output, "adapter"), ...trainings.map((one) => join(one, "adapter"))];
  const found: string[] = [];
  for (const folder of folders) if ((await files.stat(join(folder, name))) !== undefined) found.push(folder);
  return found;
}

const timeOf = (ms: number | undefined): string | undefined =>
  ms === undefined ? undefined : new Date(ms).toISOString();

/** How a job of this machine is, by its own files. */
async function localRecord(folder: string): Promise<JobRecord> {
  const { localJobs } = await import("../../platform/local-jobs.ts");
  // Nothing is started: the build of its programs does not matter.
  const nothing = { build: { cli: "", trainer: "" }, environment: {} };
  const python = async (): Promise<Checked<string>> => ({ value: undefined, diagnostics: [] });
  return localJobs({ ...nothing, python }).status(folder);
}

/** Reads the folder of a job. */
export async function readReport(files: NodeFiles, folder: string): Promise<Checked<JobReport>> {
  const { cwdOf, jobPaths, metricsPaths, pathFrom, readJobText } = await import("../../jobs/job-folder.ts");
  const { readRecord } = await import("../../jobs/remote/record.ts");
  const { knownStatus } = await import("../../jobs/remote/known-status.ts");
  const { metricsHere, partsOf } = await import("../../jobs/remote/mirror.ts");
  const { value: read, diagnostics } = await readJobText(files, folder);
  if (read === undefined) return { value: undefined, diagnostics };
  const { spec, text } = read;
  const sent = await readRecord(files, folder);
  const isSent = sent !== undefined && sent.number > 0;
  const record: JobRecord =
    sent === undefined
      ? await localRecord(folder)
      : isSent
        ? await knownStatus(files, folder)
        : { status: "prepared" };
  const metrics = sent === undefined ? metricsPaths(folder, spec) : metricsHere(folder, spec);
  const logs = [{ folder }, ...(sent === undefined ? [] : partsOf(folder, spec, sent.target))];
  const outputs: string[] = [];
  const runs: string[] = [];
  const fetched = Object.keys(sent?.same ?? {});
  for (const output of spec.outputs ?? []) {
    const path = join(pathFrom(cwdOf(folder, spec), output));
    if ((await files.stat(path)) !== undefined || (await files.list(path)).length > 0) outputs.push(path);
    const episodes = join(path, EPISODES);
    if ((await files.stat(episodes)) !== undefined) runs.push(episodes);
  }
  const isOver = record.status === "succeeded" || record.status === "stopped";
  const adapters = isOver ? await Promise.all(outputs.map((one) => adapterIn(files, one))) : [];
  const hasLog = await Promise.all(logs.map((one) => files.stat(jobPaths(one.folder).log)));
  const value: JobReport = {
    spec,
    isOwn: ownRecords().has(jobPaths(folder).job, text),
    target: sent,
    number: sent?.job,
    record,
    metricsFiles: metrics,
    metrics: (await Promise.all(metrics.map((path) => lastMetrics(files, path)))).filter(
      (one) => one !== undefined,
    ),
    createdAt: timeOf((await files.stat(jobPaths(folder).job))?.mtimeMs) ?? "",
    knownAt: timeOf((await files.stat(join(folder, "status.json")))?.mtimeMs),
    hasLog: hasLog.some((stat) => stat !== undefined && stat.size > 0),
    isFetched: outputs.some((one) => fetched.some((path) => path === one || path.startsWith(`${one}/`))),
    outputs,
    runs,
    adapters: [...new Set(adapters.flat())],
  };
  return { value, diagnostics };
}
