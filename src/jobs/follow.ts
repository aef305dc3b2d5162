import {
  hasEnded,
  metricsSchema,
  type JobEvent,
  type JobRecord,
  type TrainingMetrics,
} from "../model/job.ts";
import { parseJson } from "../model/read-json.ts";
import { jobPaths, metricsPaths, type JobFiles } from "./job-folder.ts";
import type { JobClock } from "./ports.ts";
import { readState } from "./state-file.ts";
import { logTail, metricsTail, type LogTail, type MetricsTail, type TailedLine } from "./tail.ts";
import type { JobSpec } from "../model/job.ts";

/** Milliseconds between two looks at files that grow. */
const POLL_MS = 300;

/** Troubles with one file of metrics that are told. */
const MOST_TROUBLES = 100;

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
  const value = parseJson(json);
  // A failed check takes ten times as long, and any program may write into the file.
  if (typeof value !== "object") return undefined;
  const parsed = metricsSchema.safeParse(value);
  return parsed.success ? { metrics: parsed.data, missing } : undefined;
}

/** Turns lines of a metrics file into events, with a trouble where a value first stops being a number, up to a hundred in all. */
export function metricsReader(file: string): (line: TailedLine) => readonly JobEvent[] {
  let missingBefore: ReadonlyMap<string, string> = new Map();
  let left = MOST_TROUBLES;
  const told = (messages: readonly string[]): readonly JobEvent[] => {
    const some = messages.slice(0, left);
    left -= some.length;
    return some.map((message) => ({ kind: "trouble", message }));
  };
  return ({ line, text }) => {
    const read = text === undefined ? undefined : readMetrics(text);
    if (read === undefined) {
      const why = text === undefined ? "it is too long" : "it is not a line of metrics";
      return told([`Line ${line} of ${file} is left out: ${why}.`]);
    }
    const { metrics, missing } = read;
    const begun = [...missing].filter(([name]) => !missingBefore.has(name));
    missingBefore = missing;
    const troubles = begun.map(
      ([name, word]) => `${name} is ${word} from step ${metrics.step} on (line ${line} of ${file}).`,
    );
    return [...told(troubles), { kind: "metrics", metrics }];
  };
}

/** A folder with a state and a log: that of the job, or of one of its tasks. */
export interface JobPart {
  readonly folder: string;
  /** Before each of its log lines. */
  readonly prefix: string;
}

interface LogSource {
  readonly part: JobPart;
  readonly tail: LogTail;
}

interface MetricsSource {
  readonly name: string;
  readonly tail: MetricsTail;
  readonly read: (line: TailedLine) => readonly JobEvent[];
}

/** The logs of parts whose first attempt has begun, and the metrics of the job. */
interface Sources {
  readonly logs: LogSource[];
  readonly metrics: readonly MetricsSource[];
}

/** The name of a metrics file for people: that of the job's own order. */
function metricsSources(files: JobFiles, paths: readonly string[], spec: JobSpec): readonly MetricsSource[] {
  return paths.map((path, i) => {
    const name = spec.metrics?.[i] ?? path;
    return { name, tail: metricsTail(files, path), read: metricsReader(name) };
  });
}

async function openLogs(files: JobFiles, { logs }: Sources, parts: readonly JobPart[]): Promise<void> {
  for (const part of parts) {
    if (logs.some((one) => one.part.folder === part.folder)) continue;
    const began = (await readState(files, part.folder)).value.attempts.at(-1)?.began;
    if (began !== undefined) logs.push({ part, tail: logTail(files, jobPaths(part.folder).log, began.log) });
  }
}

async function* growth({ logs, metrics }: Sources): AsyncGenerator<JobEvent> {
  for (const { part, tail } of logs)
    for await (const line of tail.lines()) yield { kind: "log", line: `${part.prefix}${line}` };
  for (const { tail, read } of metrics) for await (const line of tail.lines()) yield* read(line);
}

export const endsInHalfALine = (file: string): string => `${file} ends in half a line, which is left out.`;

/** Nobody writes any more: half lines are as whole as they will be. */
function* rest({ logs, metrics }: Sources): Generator<JobEvent> {
  for (const { part, tail } of logs) {
    const line = tail.rest();
    if (line !== undefined) yield { kind: "log", line: `${part.prefix}${line}` };
  }
  for (const { name, tail } of metrics)
    if (tail.endsInHalf()) yield { kind: "trouble", message: endsInHalfALine(name) };
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
  /** The folders with its states and logs; the job's own folder where it is absent. */
  readonly parts?: readonly JobPart[];
  /** Its metrics, where they are not at the places that its commands name. */
  readonly metrics?: readonly string[];
}

/** `JobBackend.follow` over the files of the job folder, wherever the job runs. */
export async function* followJob(
  { files, clock, status, ...places }: FollowPorts,
  folder: string,
  spec: JobSpec,
  signal: AbortSignal,
): AsyncGenerator<JobEvent> {
  const { parts = [{ folder, prefix: "" }], metrics = metricsPaths(folder, spec) } = places;
  const sources: Sources = { logs: [], metrics: metricsSources(files, metrics, spec) };
  let known: JobRecord | undefined;
  for (;;) {
    // Before the files are read: what a job that has ended wrote is all there.
    const record = await status(folder);
    if (signal.aborted) return;
    await openLogs(files, sources, parts);
    const hasBegun = sources.logs.length > 0;
    if (!isOver(record) && !sameRecord(known, record)) yield { kind: "status", record: (known = record) };
    if (hasBegun)
      for await (const event of growth(sources)) {
        if (signal.aborted) return;
        yield event;
      }
    if (isOver(record)) {
      if (hasBegun) yield* rest(sources);
      yield { kind: "status", record };
      return;
    }
    await clock.sleep(POLL_MS, signal);
    if (signal.aborted) return;
  }
}
