import { need, refuse } from "../app/refusal.ts";
import type { Checked } from "../model/diagnostic.ts";
import type { OwnRecords } from "../model/own-records.ts";
import { hasEnded, type JobBackend, type JobRecord, type JobSpec } from "../model/job.ts";
import { followJob } from "./follow.ts";
import { cwdOf, jobPaths, readJob, readOwnJob, type JobFiles, type JobText } from "./job-folder.ts";
import type { JobClock, JobProcesses, RunnerLocks } from "./ports.ts";
import { graceMs, ORPHAN_GRACE_MS } from "./run-job.ts";
import { appendState, readState, recordOf, type JobState } from "./state-file.ts";

/** Milliseconds between two looks at a runner that begins or ends. */
const POLL_MS = 50;
/** Milliseconds beyond the grace period after which a runner that does not end is killed. */
const MARGIN_MS = 30_000;

/** Runners of one submission that may end without a word before they begin. */
const SILENT_RUNNERS = 3;

/** A runner that was started, and lives on when this process ends. */
export interface StartedRunner {
  /** The end of that process, with its last words; never rejects. */
  readonly ended: Promise<string>;
}

/** The services of jobs on this machine; `localJobs` of platform/ makes them. */
export interface LocalPorts {
  readonly files: JobFiles;
  readonly clock: JobClock;
  readonly locks: RunnerLocks;
  readonly processes: Pick<JobProcesses, "endMarked">;
  /** Starts the runner of an attempt (run-job.ts) in a session of its own. */
  startRunner(folder: string, attempt: number, job: JobText): Promise<StartedRunner>;
  readonly own: OwnRecords;
  /** Why the job's programs cannot be started here; a value where they can. */
  check(spec: JobSpec): Promise<Checked<true>>;
}

const LOST: Pick<JobRecord, "reason"> = {
  reason: "Its runner ended without a word, as when it is killed or the machine loses power.",
};

const isRunning = (state: JobState): boolean => {
  const last = state.attempts.at(-1);
  return last !== undefined && last.end === undefined;
};

async function statusOf(ports: LocalPorts, folder: string): Promise<JobRecord> {
  const read = async (): Promise<JobState> => (await readState(ports.files, folder)).value;
  const state = await read();
  const isHeld = ports.locks.isHeld(jobPaths(folder).lock);
  if (!isRunning(state)) {
    const isPrepared = state.attempts.length === 0;
    return isPrepared && isHeld ? { status: "submitted" } : recordOf(state);
  }
  if (isHeld) return recordOf(state);
  // It may have ended between the two looks.
  const again = await read();
  if (again.attempts.length !== state.attempts.length) return statusOf(ports, folder);
  return isRunning(again) ? { ...recordOf(again), status: "lost", ...LOST } : recordOf(again);
}

async function usableJob(ports: LocalPorts, folder: string): Promise<JobText> {
  const found = need(await readOwnJob(ports.files, ports.own, folder));
  const { spec } = found;
  const cwd = cwdOf(folder, spec);
  const stat = await ports.files.stat(cwd);
  if (stat === undefined || stat.isFile) {
    const { job } = jobPaths(folder);
    refuse(
      "HASP725",
      `The job runs in ${cwd}, which is not a folder.`,
      "Make the folder, or correct cwd.",
      job,
    );
  }
  need(await ports.check(spec));
  return found;
}

/** Whether attempt `next` has begun, by this runner or another; false once the runner has ended without it. */
async function hasBegun(
  ports: LocalPorts,
  folder: string,
  next: number,
  runner: StartedRunner,
): Promise<boolean> {
  const over = new AbortController();
  void runner.ended.then(() => over.abort());
  for (;;) {
    // In this order: whatever the runner wrote is seen after its end.
    const isOver = over.signal.aborted;
    const { attempts } = (await readState(ports.files, folder)).value;
    if (attempts.length >= next) return true;
    if (isOver) return false;
    await ports.clock.sleep(POLL_MS, over.signal);
  }
}

async function submit(ports: LocalPorts, folder: string): Promise<void> {
  const job = await usableJob(ports, folder);
  const { lock } = jobPaths(folder);
  for (let silent = 0; ;) {
    const state = (await readState(ports.files, folder)).value;
    const last = state.attempts.at(-1);
    if (last?.end?.status === "succeeded") return;
    if (ports.locks.isHeld(lock)) {
      if (last !== undefined && last.end === undefined && !last.isStopAsked) return;
      // It is about to end, or to begin.
      await ports.clock.sleep(POLL_MS);
      continue;
    }
    const next = state.attempts.length + 1;
    const runner = await ports.startRunner(folder, next, job);
    if (await hasBegun(ports, folder, next, runner)) return;
    const words = (await runner.ended).trim();
    // Another runner was faster, and may not have written anything yet; or ours was killed.
    if (words === "" && (ports.locks.isHeld(lock) || ++silent < SILENT_RUNNERS)) continue;
    const why = words === "" ? "it ended without a word." : words;
    const fix = "Correct that, then submit it again.";
    refuse("HASP726", `The runner of the job could not begin: ${why}`, fix, folder);
  }
}

/** Ends what a runner that died has left, as the only runner of the job meanwhile. */
async function endLost(ports: LocalPorts, folder: string): Promise<void> {
  const held = ports.locks.take(jobPaths(folder).lock);
  if (held === undefined) return;
  try {
    const { attempts } = (await readState(ports.files, folder)).value;
    const last = attempts.at(-1);
    if (last === undefined || last.end !== undefined) return;
    const { attempt, token } = last.began;
    await ports.processes.endMarked(token, ORPHAN_GRACE_MS);
    const end = { kind: "end", attempt, at: ports.clock.now(), status: "stopped" } as const;
    await appendState(ports.files, folder, { ...end, reason: "Stopped after its runner had died." });
  } finally {
    held.release();
  }
}

async function cancel(ports: LocalPorts, folder: string, spec: JobSpec): Promise<void> {
  let asked: number | undefined;
  for (let waited = 0; ; waited += POLL_MS) {
    const record = await statusOf(ports, folder);
    const { status, attempt } = record;
    if (status === "prepared" || hasEnded(status)) return;
    if (status === "lost") await endLost(ports, folder);
    else if (attempt !== undefined && attempt !== asked) {
      asked = attempt;
      await appendState(ports.files, folder, { kind: "stop", attempt, at: ports.clock.now() });
    } else if (waited > graceMs(spec) + 2 * MARGIN_MS) {
      const next = "End its process by hand; runner.lock in the folder of the job says which.";
      refuse("HASP727", "The runner of the job was asked to end, and does not.", next, folder);
    } else if (waited > graceMs(spec) + MARGIN_MS) ports.locks.killHolder(jobPaths(folder).lock);
    await ports.clock.sleep(POLL_MS);
  }
}

/** Jobs that run on this machine, each in a runner of its own that outlives whoever submits it. */
export function localBackend(ports: LocalPorts): JobBackend {
  return {
    name: "local",
    submit: (folder) => submit(ports, folder),
    async status(folder) {
      need(await readJob(ports.files, folder));
      return statusOf(ports, folder);
    },
    async *follow(folder, signal) {
      const spec = need(await readJob(ports.files, folder));
      const { files, clock } = ports;
      yield* followJob({ files, clock, status: (at) => statusOf(ports, at) }, folder, spec, signal);
    },
    async cancel(folder) {
      await cancel(ports, folder, need(await readOwnJob(ports.files, ports.own, folder)).spec);
    },
    // A job of this machine writes at its places.
    fetch: async () => undefined,
  };
}
