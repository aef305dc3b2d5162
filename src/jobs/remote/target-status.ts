import type { JobRecord, JobSpec, JobStatus, TaskCounts } from "../../model/job.ts";
import { hasEnded } from "../../model/job.ts";
import type { Target } from "../../model/target.ts";
import { readState, recordOf, type JobState } from "../state-file.ts";
import { partsOf } from "./mirror.ts";
import type { RemoteFiles } from "./ports.ts";
import type { SchedulerEntry, Sight } from "./replies.ts";

/** States of SLURM in which a job has a place, or waits for one. */
const WAITING = new Set(["PENDING", "CONFIGURING", "REQUEUED", "REQUEUE_FED"]);
const HELD = new Set(["REQUEUE_HOLD", "SPECIAL_EXIT"]);
const AT_WORK = new Set([
  "RUNNING",
  "COMPLETING",
  "SUSPENDED",
  "STOPPED",
  "SIGNALING",
  "STAGE_OUT",
  "RESIZING",
]);

/** Ends that the scheduler made. */
const REASONS: Readonly<Record<string, string>> = {
  TIMEOUT: "Its time was over before it could be queued again.",
  NODE_FAIL: "Its node failed.",
  OUT_OF_MEMORY: "It needed more memory than it had asked for.",
  BOOT_FAIL: "Its node did not start.",
  DEADLINE: "Its deadline was over.",
  PREEMPTED: "Another job took its place, and this cluster does not queue it again.",
  REVOKED: "The scheduler has revoked it.",
};

/** Reasons for waiting as squeue writes them, in words. */
const WAITS: Readonly<Record<string, string>> = {
  Priority: "Jobs with a higher priority come first.",
  Resources: "It waits for resources.",
  Dependency: "It waits for the job before it.",
  DependencyNeverSatisfied: "The job before it has failed.",
  BeginTime: "It begins in a moment.",
  QOSMaxJobsPerUserLimit: "You run as many jobs as your QOS allows.",
  AssocGrpGRES: "Your account uses as many GPUs as it may.",
  PartitionTimeLimit: "It asks for more time than the partition allows.",
  PartitionConfig: "It asks for more than the partition allows.",
  PartitionDown: "The partition is down.",
  PartitionInactive: "The partition takes no jobs now.",
  PartitionNodeLimit: "It asks for more nodes than the partition has.",
  ReqNodeNotAvail: "The nodes that it asks for are down or reserved.",
  JobHeldUser: "It is held; release it with `scontrol release`.",
  JobHeldAdmin: "An administrator holds it.",
};

/** Signals by their number, as a scheduler names them. */
const SIGNALS: Readonly<Record<number, string>> = {
  6: "SIGABRT",
  7: "SIGBUS",
  9: "SIGKILL",
  11: "SIGSEGV",
  15: "SIGTERM",
};

const waitReason = (reason: string): { reason?: string } =>
  reason === "" ? {} : { reason: WAITS[reason] ?? `The scheduler says: ${reason}.` };

/** How the scheduler ended a job that did not write its own end. */
function endedBy({ state, exitCode, signal }: SchedulerEntry): JobRecord {
  if (state === "CANCELLED") return { status: "stopped" };
  const name = signal === null || signal === 0 ? undefined : (SIGNALS[signal] ?? `signal ${signal}`);
  const otherwise =
    name === undefined
      ? `Its script ended with exit code ${exitCode ?? 0} before the job's end.`
      : `It was ended by ${name}.`;
  return {
    status: "failed",
    ...(name !== undefined && { signal: name }),
    ...(name === undefined && exitCode !== null && exitCode !== 0 && { exitCode }),
    reason: REASONS[state] ?? otherwise,
  };
}

const LOST = "Neither the scheduler nor the job's folder knows how it ended.";

/** One attempt of a submission, as far as the job itself wrote it. */
interface Written {
  readonly record: JobRecord;
  /** An attempt of this submission has begun. */
  readonly hasBegun: boolean;
  readonly isOpen: boolean;
}

function writtenIn(state: JobState, number: number): Written {
  const last = state.attempts.at(-1);
  const hasBegun = last?.began.submission === number;
  const isOpen = last?.end === undefined || last.end.status === "interrupted";
  return { record: recordOf(state), hasBegun, isOpen };
}

/** The record of a job or task under a scheduler. `entry`: undefined where the scheduler knows it no more. */
export function clusterRecord(
  state: JobState,
  number: number,
  entry: SchedulerEntry | undefined,
  sight: Pick<Sight, "submission">,
): JobRecord {
  const { record, hasBegun, isOpen } = writtenIn(state, number);
  // The job's own word is the last one: it is written when everything else is done.
  if (record.status === "succeeded" || (hasBegun && !isOpen)) return record;
  const begun = hasBegun ? withoutStatus(record) : {};
  const { reason: _reason, endedAt: _ended, ...running } = begun;
  if (entry === undefined) {
    if (sight.submission?.isCancelled === true) return { ...running, status: "stopped" };
    return { ...begun, status: "lost", reason: LOST };
  }
  if (entry.reason === "DependencyNeverSatisfied") return { status: "failed", ...waitReason(entry.reason) };
  if (WAITING.has(entry.state)) return { ...running, status: "submitted", ...waitReason(entry.reason) };
  if (HELD.has(entry.state))
    return {
      ...running,
      status: "submitted",
      reason: "The scheduler holds it; release it with `scontrol release`.",
    };
  if (AT_WORK.has(entry.state))
    return {
      ...running,
      status: hasBegun && state.attempts.at(-1)?.end === undefined ? "running" : "submitted",
    };
  const ended = endedBy(entry);
  return { ...running, ...ended };
}

const withoutStatus = ({ status: _status, ...rest }: JobRecord): Omit<JobRecord, "status"> => rest;

/** The record of a job whose runner was started over ssh. */
function runnerRecord(state: JobState, number: number, isAlive: boolean): JobRecord {
  const { record, hasBegun, isOpen } = writtenIn(state, number);
  if (record.status === "succeeded" || (hasBegun && !isOpen)) return record;
  if (isAlive) return { ...record, status: hasBegun ? "running" : "submitted" };
  return hasBegun
    ? {
        ...record,
        status: "lost",
        reason: "Its runner ended without a word, as when the machine loses power.",
      }
    : { status: "lost", reason: "Its runner is gone, and did not begin." };
}

/** The status of a job by those of its tasks. */
function statusOfTasks(records: readonly JobRecord[]): JobStatus {
  const is = (...wanted: readonly JobStatus[]) => records.some(({ status }) => wanted.includes(status));
  if (is("running")) return "running";
  if (is("submitted")) return records.some(({ status }) => hasEnded(status)) ? "running" : "submitted";
  if (is("lost")) return "lost";
  if (is("failed")) return "failed";
  return is("stopped") ? "stopped" : "succeeded";
}

function ofTasks(records: readonly JobRecord[]): JobRecord {
  const count = (wanted: JobStatus): number => records.filter(({ status }) => status === wanted).length;
  const tasks: TaskCounts = {
    total: records.length,
    succeeded: count("succeeded"),
    running: count("running"),
    failed: count("failed") + count("lost"),
  };
  const status = statusOfTasks(records);
  const shown = records.findIndex((record) => record.status === status);
  const { reason, lastLines, exitCode, signal } = records[shown] ?? {};
  const starts = records.flatMap(({ startedAt }) => startedAt ?? []).toSorted();
  const ends = records.flatMap(({ endedAt }) => endedAt ?? []).toSorted();
  return {
    status,
    tasks,
    ...(starts[0] !== undefined && { startedAt: starts[0] }),
    ...(hasEnded(status) && ends.length > 0 && { endedAt: ends.at(-1) ?? "" }),
    ...(reason !== undefined && { reason: status === "failed" ? `Task ${shown + 1}: ${reason}` : reason }),
    ...(lastLines !== undefined && { lastLines }),
    ...(exitCode !== undefined && { exitCode }),
    ...(signal !== undefined && { signal }),
  };
}

/** The entry of a task: its own one, or that of all tasks which wait together. */
const entryOf = (sight: Sight, task: number | undefined): SchedulerEntry | undefined =>
  sight.entries.find((one) => one.task === (task ?? null)) ?? sight.entries.find((one) => one.task === null);

/** The record of a job by what its target has seen, and what the job itself has written. */
export async function recordFrom(
  files: RemoteFiles,
  job: { readonly folder: string; readonly spec: JobSpec; readonly target: Target; readonly number: number },
  sight: Sight,
): Promise<JobRecord> {
  const { folder, spec, target, number } = job;
  const parts = partsOf(folder, spec, target);
  const states = await Promise.all(parts.map(async (part) => (await readState(files, part.folder)).value));
  if (sight.isAlive !== null) return runnerRecord(states[0] ?? NOTHING, number, sight.isAlive);
  const isArray = spec.tasks !== undefined;
  const records = states.map((state, i) =>
    clusterRecord(state, number, entryOf(sight, isArray ? i + 1 : undefined), sight),
  );
  return isArray ? ofTasks(records) : (records[0] ?? { status: "prepared" });
}

const NOTHING: JobState = { attempts: [], size: 0, endsInLine: true };
