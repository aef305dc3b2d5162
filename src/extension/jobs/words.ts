import { isOver } from "../../jobs/follow.ts";
import { counted } from "../../model/counted.ts";
import type { JobRecord, TaskCounts, TrainingMetrics } from "../../model/job.ts";
import { jobStatusWord } from "../../model/job-words.ts";
import { hostOf, type NamedTarget } from "../../model/target.ts";
import { durationOf, plainLine } from "../experiments/words.ts";
import type { JobReport } from "./job-report.ts";
import type { FoundJob } from "./jobs.ts";
import { recordOf } from "./jobs.ts";

/** A sentence without its full stop and with a small first letter, to follow a colon. */
function asPart(sentence: string): string {
  const plain = plainLine(sentence).replace(/\.$/, "");
  const part = plain.replace(/^(?:It|Its) /, "");
  return part.charAt(0).toLowerCase() + part.slice(1);
}

/** `3 of 8 tasks done, 1 failed`. */
export function taskWords({ total, succeeded, failed }: TaskCounts): string {
  const done = `${succeeded} of ${counted(total, "task")} done`;
  return failed === 0 ? done : `${done}, ${failed} failed`;
}

/** `step 120 · loss 0.43`. */
function metricsWords({ step, loss }: TrainingMetrics): string {
  return `step ${step} · loss ${loss === null ? "no number" : String(Number(loss.toFixed(3)))}`;
}

/** The last point of a training, here or as this window has heard it. */
function trainingWords({ report, work }: Pick<FoundJob, "report" | "work">): string | undefined {
  const last = work?.metrics ?? report.value?.metrics.at(-1);
  return last && metricsWords(last);
}

/** The name of the place where a job runs. */
export const placeWord = (target: NamedTarget | undefined): string => target?.name ?? "this machine";

/** `25 November, 14:05`, or `14:05` of today, in the person's own way. `now`: ISO 8601, as `at`. */
export function timeWords(at: string, now: string): string {
  const [then, today] = [new Date(at), new Date(now)];
  const time = then.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  return then.toDateString() === today.toDateString() ? time : `${then.toLocaleDateString()} ${time}`;
}

/** Why there is no newer word of a job, and of when the last one is. */
function unreachableWords({ report }: FoundJob, now: string): string {
  const at = report.value?.knownAt;
  return at === undefined ? "cannot be reached" : `cannot be reached, last news ${timeWords(at, now)}`;
}

/** How a job is, in a line: `running · step 120 · loss 0.43`. `now`: ISO 8601. */
export function stateWords(found: FoundJob, now: string): string {
  const record = recordOf(found);
  if (record === undefined) return "cannot be read";
  const { status, reason, tasks, unreachable } = record;
  const word = jobStatusWord(record);
  const why = status === "submitted" && reason !== undefined ? `${word}: ${asPart(reason)}` : word;
  const training = status === "prepared" || status === "submitted" ? undefined : trainingWords(found);
  const line = status === "failed" ? record.lastLines?.at(-1) : undefined;
  const parts = [
    found.work?.doing,
    why,
    tasks === undefined ? undefined : taskWords(tasks),
    training,
    durationOf(record, now),
    status === "failed" && (line ?? reason) !== undefined ? plainLine(line ?? reason ?? "") : undefined,
    unreachable === undefined ? undefined : unreachableWords(found, now),
  ];
  return parts.filter((part) => part !== undefined).join(" · ");
}

/** A target in a line: `slurm · gpu-cluster · ~/hasp`. */
export function targetWords({ target }: NamedTarget): string {
  const { kind, folder, partition } = target;
  const kindWord = kind === "ssh" ? "ssh" : "SLURM";
  const parts = [kindWord, hostOf(target), folder, ...(partition === undefined ? [] : [partition])];
  return parts.map(plainLine).join(" · ");
}

/** The end of a job in a sentence, for a notification. */
export function endWords(
  { spec: { title }, metrics }: Pick<JobReport, "spec" | "metrics">,
  record: JobRecord,
  place: string,
): string {
  const { status, reason, tasks, lastLines } = record;
  const counts = tasks === undefined ? "" : ` ${taskWords(tasks)}.`;
  const name = plainLine(title);
  const why = plainLine(lastLines?.at(-1) ?? reason ?? "");
  const last = metrics.at(-1);
  switch (status) {
    case "succeeded":
      return `${name} is done on ${place}.${counts}${last === undefined ? "" : ` Last: ${metricsWords(last)}.`}`;
    case "stopped":
      return `${name} was cancelled on ${place}.${counts}`;
    case "lost":
      return `${name} was cut off on ${place}. ${plainLine(reason ?? "")}`.trim();
    default:
      return `${name} failed on ${place}.${counts} ${why}`.trim();
  }
}

/** Whether a job may still change by itself. */
export function isUnderWay(record: JobRecord | undefined): boolean {
  return record !== undefined && record.status !== "prepared" && !isOver(record);
}
