import type { JobRecord } from "../model/job.ts";
import { jobStatusWord } from "../model/job-words.ts";

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
  const words = `${jobStatusWord(record)}${tasks === "" ? "" : ` (${tasks})`}`;
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
