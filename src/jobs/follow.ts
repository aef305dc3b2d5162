import {
  hasEnded,
  metricsSchema,
  type JobEvent,
  type JobRecord,
  type TrainingMetrics,
} from "../model/job.ts";
import { parseJson } from "../model/read-json.ts";
import { jobPaths, metricsPath, type JobFiles } from "./job-folder.ts";
import type { JobClock } from "./ports.ts";
import { readState } from "./state-file.ts";
import { logTail, metricsTail, type LogTail, type MetricsTail, type TailedLine } from "./tail.ts";
import type { JobSpec } from "../model/job.ts";

/** Milliseconds between two looks at files that grow. */
const POLL_MS = 300;

/** As Python writes what JSON has no word for. */
const NOT_A_NUMBER = /("[^"\\]*"\s*:\s*)(NaN|-?Infinity)(?=\s*[,}])/g;
const NAME = /"([^"]*)"/;

/** Metrics of a line, and the names of those that are not a number in it; undefined where it holds none. */
export function readMetrics(
  text: string,
): { readonly metrics: TrainingMetrics; readonly missing: ReadonlyMap<string, string> } | undefined {
  const missing = new Map<string, string>();
  const json = text.replace(NOT_A_NUMBER, (_all, key: string, word: string) => {
    missing.set(NAME.exec(key)?.[1] ?? "", word);
    return `${key}null`;
  });
  const parsed = metricsSchema.safeParse(parseJson(json));
  return parsed.success ? { metrics: parsed.data, missing } : undefined;
}

/** Turns lines of a metrics file into events, with a trouble where a value first stops being a number. */
export function metricsReader(file: string): (line: TailedLine) => readonly JobEvent[] {
  let missingBefore: ReadonlyMap<string, string> = new Map();
  return ({ line, text }) => {
    const read = text === undefined ? undefined : readMetrics(text);
    if (read === undefined) {
      const why = text === undefined ? "it is too long" : "it is not a line of metrics";
      return [{ kind: "trouble", message: `Line ${line} of ${file} is left out: ${why}.` }];
    }
    const { metrics, missing } = read;
    const begun = [...missing].filter(([name]) => !missingBefore.has(name));
    missingBefore = missing;
    const troubles = begun.map(([name, word]): JobEvent => {
      const message = `${name} is ${word} from step ${metrics.step} on (line ${line} of ${file}).`;
      return { kind: "trouble", message };
    });
    return [...troubles, { kind: "metrics", metrics }];
  };
}

interface Sources {
  readonly log: LogTail;
  readonly metrics: MetricsTail | undefined;
  readonly readLine: (line: TailedLine) => readonly JobEvent[];
  readonly metricsFile: string;
}

function openSources(files: JobFiles, folder: string, spec: JobSpec, logOffset: number): Sources {
  const file = metricsPath(folder, spec);
  return {
    log: logTail(files, jobPaths(folder).log, logOffset),
    metrics: file === undefined ? undefined : metricsTail(files, file),
    readLine: metricsReader(spec.metrics ?? ""),
    metricsFile: spec.metrics ?? "",
  };
}

async function* growth({ log, metrics, readLine }: Sources): AsyncGenerator<JobEvent> {
  for await (const line of log.lines()) yield { kind: "log", line };
  if (metrics !== undefined) for await (const line of metrics.lines()) yield* readLine(line);
}

export const endsInHalfALine = (file: string): string => `${file} ends in half a line, which is left out.`;

/** Nobody writes any more: half lines are as whole as they will be. */
function* rest({ log, metrics, metricsFile }: Sources): Generator<JobEvent> {
  const line = log.rest();
  if (line !== undefined) yield { kind: "log", line };
  if (metrics?.endsInHalf() === true) yield { kind: "trouble", message: endsInHalfALine(metricsFile) };
}

/** Whether nothing will change by itself. */
export const isOver = ({ status }: JobRecord): boolean => hasEnded(status) || status === "lost";

const sameRecord = (a: JobRecord | undefined, b: JobRecord): boolean =>
  JSON.stringify(a) === JSON.stringify(b);

export interface FollowPorts {
  readonly files: JobFiles;
  readonly clock: JobClock;
  /** The job's record now. */
  readonly status: (folder: string) => Promise<JobRecord>;
}

/** `JobBackend.follow` over the files of the job folder, wherever the job runs. */
export async function* followJob(
  { files, clock, status }: FollowPorts,
  folder: string,
  spec: JobSpec,
  signal: AbortSignal,
): AsyncGenerator<JobEvent> {
  let known: JobRecord | undefined;
  let sources: Sources | undefined;
  for (;;) {
    // Before the files are read: what a job that has ended wrote is all there.
    const record = await status(folder);
    if (signal.aborted) return;
    if (sources === undefined) {
      const began = (await readState(files, folder)).value.attempts.at(-1)?.began;
      if (began !== undefined) sources = openSources(files, folder, spec, began.log);
    }
    if (!isOver(record) && !sameRecord(known, record)) yield { kind: "status", record: (known = record) };
    if (sources !== undefined)
      for await (const event of growth(sources)) {
        if (signal.aborted) return;
        yield event;
      }
    if (isOver(record)) {
      if (sources !== undefined) yield* rest(sources);
      yield { kind: "status", record };
      return;
    }
    await clock.sleep(POLL_MS, signal);
    if (signal.aborted) return;
  }
}
