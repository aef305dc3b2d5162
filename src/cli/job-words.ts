import { counted } from "../model/counted.ts";
import type { JobRecord, JobSpec, JobStatus, Resources } from "../model/job.ts";

const STATUS_WORDS: Readonly<Record<JobStatus, string>> = {
  prepared: "not submitted",
  submitted: "queued",
  running: "running",
  succeeded: "done",
  failed: "failed",
  stopped: "cancelled",
  lost: "cut off",
};

export const statusWord = ({ status }: JobRecord): string => STATUS_WORDS[status];

/** `3 of 8 done, 1 failed`; empty for a job without tasks. */
export function taskWords({ tasks }: JobRecord): string {
  if (tasks === undefined) return "";
  const { succeeded, total, failed } = tasks;
  return `${succeeded} of ${total} done${failed === 0 ? "" : `, ${failed} failed`}`;
}

/** How a job is, in a line. */
export function recordLine(record: JobRecord): string {
  const { reason, unreachable } = record;
  const tasks = taskWords(record);
  const words = `${statusWord(record)}${tasks === "" ? "" : ` (${tasks})`}`;
  const why = reason === undefined ? "" : `: ${reason}`;
  return `${words}${why}${unreachable === undefined ? "" : `  [no newer word: ${unreachable}]`}`;
}

/** All that is known about a job, a line each. */
export function recordLines(record: JobRecord): readonly string[] {
  const { attempt, startedAt, endedAt, exitCode, signal, lastLines = [] } = record;
  const facts: readonly (readonly [string, string | number | undefined])[] = [
    ["attempt", attempt === undefined || attempt === 1 ? undefined : attempt],
    ["started", startedAt],
    ["ended", endedAt],
    ["exit code", exitCode === 0 ? undefined : exitCode],
    ["signal", signal],
  ];
  const known = facts.flatMap(([name, value]) =>
    value === undefined ? [] : [`${name.padEnd(9)}  ${value}`],
  );
  return [
    `${"status".padEnd(9)}  ${recordLine(record)}`,
    ...known,
    ...lastLines.map((line) => `    ${line}`),
  ];
}

/** `2 GPUs, 48 GB of memory, 30 h`; the scheduler's defaults where nothing is asked for. */
export function resourceWords({ gpus, nodes, cpus, memoryGb, hours }: Resources = {}): string {
  const parts = [
    nodes === undefined || nodes === 1 ? undefined : counted(nodes, "node"),
    gpus === undefined ? undefined : counted(gpus, "GPU"),
    cpus === undefined ? undefined : counted(cpus, "core"),
    memoryGb === undefined ? undefined : `${memoryGb} GB of memory`,
    hours === undefined ? undefined : `${hours} h`,
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? "the defaults of the machine" : parts.join(", ");
}

/** A command as a person would type it. */
export function commandLine({ program, args }: JobSpec["commands"][number]): string {
  const words = args.map((word) => (/^[\w@%+=:,./{}#-]+$/.test(word) ? word : JSON.stringify(word)));
  return [program, ...words].join(" ");
}

export function sizeWords(bytes: number): string {
  if (bytes >= 1e9) return `${(bytes / 1e9).toFixed(1)} GB`;
  return bytes >= 1e6 ? `${(bytes / 1e6).toFixed(1)} MB` : `${Math.ceil(bytes / 1e3)} KB`;
}
