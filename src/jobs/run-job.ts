import { need, refuse } from "../app/refusal.ts";
import {
  STUDENT_ADDRESS,
  STUDENT_KEY_FILE,
  type JobCommand,
  type JobSpec,
  type ServedStudent,
} from "../model/job.ts";
import { waitForEarlier } from "./earlier-jobs.ts";
import { cwdOf, jobPaths, readJobText, taskFolder, type JobFiles } from "./job-folder.ts";
import { launchArguments, resolvedArgs, type ClusterPlace } from "./launch.ts";
import { lastLines, type LastLines } from "./last-lines.ts";
import {
  JOB_VARIABLE,
  TOKEN_VARIABLE,
  type JobClock,
  type JobProcess,
  type JobProcesses,
  type ProcessEnd,
  type ProcessOrder,
  type RunnerLock,
  type RunnerLocks,
  type StudentKey,
} from "./ports.ts";
import { serveArguments, serveStudent, type Served } from "./serve-student.ts";
import { appendState, readState, type JobState, type StateLine } from "./state-file.ts";
import type { Sha256 } from "../trace/ports.ts";

/** Seconds that a command gets to end by itself, unless the job says otherwise: a trainer writes a checkpoint. */
const GRACE_SECONDS = 60;
export const graceMs = ({ graceSeconds = GRACE_SECONDS }: JobSpec): number => graceSeconds * 1_000;
/** Milliseconds that processes of a runner that died get. */
export const ORPHAN_GRACE_MS = 10_000;
/** Milliseconds between two looks for a request to stop. */
const STOP_POLL_MS = 250;
/** Milliseconds in which a holder of the lock that died on another machine counts as gone, and between two tries. */
const DEAD_HOLDER_MS = 180_000;
const LOCK_POLL_MS = 1_000;
/** The exit code of a trainer that was asked to stop and can resume (EX_TEMPFAIL). */
const STOPPED_EXIT = 75;

/** A log that hides secrets. */
export interface JobLog {
  /** Appends text; answers it as it was written. Never throws: a full disk must not end the job. */
  write(text: string): string;
  /** From now on hides this secret, too. */
  hide(secret: string): void;
  close(): void;
}

export interface RunnerPorts {
  readonly files: JobFiles;
  readonly clock: JobClock;
  readonly processes: JobProcesses;
  readonly locks: Pick<RunnerLocks, "take">;
  /** A log that hides the values of these variables, beside all that look like secrets. */
  openLog(path: string, passEnv: readonly string[]): JobLog;
  newToken(): string;
  readonly sha256: Sha256;
  newStudentKey(): StudentKey;
  /** The machines of this job, where a cluster has given it several. */
  readonly cluster?: ClusterPlace | undefined;
  /** The runner itself was asked to end. */
  readonly stop: AbortSignal;
  /** The machine wants its place back; the job is started again later, and resumes. */
  readonly interrupt?: AbortSignal;
}

/**
 * The attempt to execute: the one with this number, or the next one of a submission to a target, which may be started several times: a
 * scheduler starts a job again after it took its place away.
 */
export type RunOrder = (
  | { readonly attempt: number }
  | {
      readonly submission: number;
      /** The only task that this runner executes, from 1. Its state and log are in a folder of its own. */
      readonly task?: number | undefined;
    }
) & {
  /** SHA-256 of the `job.json` that was submitted: no other is executed. */
  readonly content: string;
};

/** One attempt, as its runner sees it. */
interface Run {
  readonly ports: RunnerPorts;
  readonly folder: string;
  /** The folder of its state and log: that of the job, or of the one task. */
  readonly at: string;
  /** The only task of this attempt; undefined: all. */
  readonly task: number | undefined;
  readonly spec: JobSpec;
  readonly attempt: number;
  readonly token: string;
  readonly log: JobLog;
  /** Somebody asked the job to end. */
  readonly stopping: AbortSignal;
}

type Ending = Omit<Extract<StateLine, { kind: "end" }>, "kind" | "attempt" | "at">;

type Entry = StateLine extends infer Line
  ? Line extends StateLine
    ? Omit<Line, "attempt" | "at">
    : never
  : never;

const note = async ({ ports, at, attempt }: Run, entry: Entry): Promise<void> =>
  appendState(ports.files, at, { ...entry, attempt, at: ports.clock.now() });

function start(
  run: Run,
  order: Pick<ProcessOrder, "program" | "args" | "nodes" | "env" | "onText">,
): JobProcess {
  const { ports, folder, spec, token, log } = run;
  return ports.processes.start({
    ...order,
    cwd: cwdOf(folder, spec),
    env: {
      ...spec.env,
      ...order.env,
      [TOKEN_VARIABLE]: token,
      [JOB_VARIABLE]: spec.id,
    },
    onText: (text) => order.onText(log.write(text)),
  });
}

/** Asks the process to end when the signal aborts, and kills it after the grace period. Answers how it ended. */
async function endedUnless(
  process: JobProcess,
  asked: AbortSignal,
  { spec, ports: { clock } }: Run,
): Promise<ProcessEnd> {
  const over = new AbortController();
  const ended = process.ended.finally(() => over.abort());
  const stop = async (): Promise<void> => {
    process.ask();
    await clock.sleep(graceMs(spec), over.signal);
    if (!over.signal.aborted) process.kill();
  };
  const begin = (): void => void stop();
  if (asked.aborted) begin();
  else asked.addEventListener("abort", begin, { once: true });
  const end = await ended;
  asked.removeEventListener("abort", begin);
  return end;
}

/** Ending fields of a process that ended; nothing of an exit code 0. */
function howEnded(end: ProcessEnd): Pick<Ending, "exitCode" | "signal"> {
  if ("failed" in end) return {};
  return "signal" in end ? { signal: end.signal } : { exitCode: end.exitCode };
}

function inWords(end: ProcessEnd): string {
  if ("failed" in end) return `could not be started: ${end.failed}`;
  return "signal" in end ? `was ended by ${end.signal}` : `ended with exit code ${end.exitCode}`;
}

function failure(who: string, end: ProcessEnd, lines: LastLines): Ending {
  return {
    status: "failed",
    ...howEnded(end),
    reason: `${who} ${inWords(end)}.`,
    lastLines: [...lines.list()],
  };
}

/** The end of the job where this command decides it; nothing where the next one follows. */
async function runCommand(
  run: Run,
  wanted: JobCommand,
  command: number,
  served: JobStudent | undefined,
  task: number | undefined,
): Promise<Ending | undefined> {
  const { stopping, ports } = run;
  const { program, about, exitCodes = [0] } = wanted;
  await note(run, { kind: "command", command });
  const lines = lastLines();
  const { args, nodes } = launchArguments(wanted, ports.cluster);
  const resolved = resolvedArgs(args, served?.policy, { task, tasks: run.spec.tasks ?? 1 });
  const env = { ...(served && { [STUDENT_ADDRESS]: served.policy, [STUDENT_KEY_FILE]: served.keyFile }) };
  const process = start(run, { program, args: resolved, nodes, env, onText: (text) => lines.add(text) });
  const interrupted = served === undefined ? stopping : AbortSignal.any([stopping, served.gone]);
  const end = await endedUnless(process, interrupted, run);
  const isStopped = stopping.aborted || ("exitCode" in end && end.exitCode === STOPPED_EXIT);
  if (isStopped) return { status: "stopped", command, ...howEnded(end) };
  if (served?.gone.aborted === true) {
    const reason = `The served model ended while a command ran: ${about}`;
    return { status: "failed", command, ...howEnded(end), reason, lastLines: [...served.lines.list()] };
  }
  const isFine = "exitCode" in end && exitCodes.includes(end.exitCode);
  return isFine ? undefined : { ...failure(`The command ${command + 1} (${about})`, end, lines), command };
}

async function runCommands(run: Run, served: JobStudent | undefined): Promise<Ending> {
  for (const task of tasksOf(run))
    for (const [i, command] of run.spec.commands.entries()) {
      if (run.stopping.aborted) return { status: "stopped" };
      const ending = await runCommand(run, command, i, served, task);
      if (ending !== undefined) return ending;
    }
  return { status: "succeeded" };
}

/** The tasks of this attempt, one after the other; a single undefined one where the job has none. */
function tasksOf({ spec: { tasks }, task }: Run): readonly (number | undefined)[] {
  if (tasks === undefined || task !== undefined) return [task];
  return Array.from({ length: tasks }, (_, i) => i + 1);
}

/** The student of a job, as its commands find it. */
type JobStudent = Served & { readonly keyFile: string };

/** Serves the student, runs the commands one after the other, and ends what it has started. */
async function execute(run: Run): Promise<Ending> {
  const reason = await waitForEarlier(run.ports, run.folder, run.spec, run.stopping);
  if (reason !== undefined) return { status: "failed", reason };
  if (run.stopping.aborted) return { status: "stopped" };
  const { serve } = run.spec;
  if (serve === undefined) return runCommands(run, undefined);
  await note(run, { kind: "serving" });
  const key = run.ports.newStudentKey();
  run.log.hide(key.value);
  try {
    return await runServed(run, serve, key);
  } finally {
    key.remove();
  }
}

async function runServed(run: Run, serve: ServedStudent, key: StudentKey): Promise<Ending> {
  const { clock } = run.ports;
  const args = serveArguments(serve);
  const serving = await serveStudent(
    { clock, key: key.value, start: (order) => start(run, { program: "python", args, ...order }) },
    serve,
    run.stopping,
  );
  if (serving.served === undefined) {
    if (run.stopping.aborted) return { status: "stopped" };
    const { reason, end, lines } = serving;
    return { status: "failed", ...(end && howEnded(end)), reason, lastLines: [...lines.list()] };
  }
  try {
    await note(run, { kind: "served", policy: serving.served.policy });
    return await runCommands(run, { ...serving.served, keyFile: key.file });
  } finally {
    await serving.served.close();
  }
}

/** Looks for a request to stop in `state.jsonl` until `over` aborts. */
async function watchForStop(run: Run, over: AbortSignal, stop: () => void): Promise<void> {
  const { files, clock } = run.ports;
  const { state } = jobPaths(run.at);
  let size = 0;
  while (!over.aborted) {
    const now = (await files.stat(state).catch(() => undefined))?.size ?? 0;
    if (now !== size) {
      size = now;
      const { value } = await readState(files, run.at);
      if (value.attempts[run.attempt - 1]?.isStopAsked === true) return stop();
    }
    await clock.sleep(STOP_POLL_MS, over);
  }
}

interface AttemptOrder extends Pick<Run, "folder" | "at" | "task" | "attempt" | "spec"> {
  readonly submission: number | undefined;
}

/** An end that nobody asked for while the machine wanted its place back: the job is not over. */
function asInterrupted(ending: Ending, ports: RunnerPorts, isAsked: boolean): Ending {
  const isInterrupted = ports.interrupt?.aborted === true && !isAsked && ending.status === "stopped";
  return isInterrupted ? { ...ending, status: "interrupted", reason: INTERRUPTED } : ending;
}

const INTERRUPTED = "The machine wanted its place back. The job resumes when it is started again.";

async function attemptNow(
  ports: RunnerPorts,
  lock: RunnerLock,
  { submission, ...order }: AttemptOrder,
): Promise<void> {
  const { spec, at } = order;
  const paths = jobPaths(at);
  const token = ports.newToken();
  const before = (await ports.files.stat(paths.log))?.size ?? 0;
  const [stop, over] = [new AbortController(), new AbortController()];
  const interrupts = ports.interrupt === undefined ? [] : [ports.interrupt];
  const stopping = AbortSignal.any([ports.stop, lock.lost, stop.signal, ...interrupts]);
  const log = ports.openLog(paths.log, spec.passEnv);
  const run: Run = { ports, ...order, token, log, stopping };
  const backend = submission === undefined ? "local" : "target";
  await note(run, {
    kind: "attempt",
    backend,
    token,
    log: before,
    ...(submission !== undefined && { submission }),
  });
  const watching = watchForStop(run, over.signal, () => stop.abort());
  try {
    const ending = await execute(run);
    await ports.processes.endMarked(token, 0);
    log.close();
    // Another runner has begun the next attempt, so this one writes nothing.
    const end = asInterrupted(ending, ports, stop.signal.aborted);
    if (!lock.lost.aborted) await note(run, { kind: "end", ...end });
  } finally {
    over.abort();
    await watching.catch(() => undefined);
  }
}

/** Whether this order has nothing to do: its attempt is another's, or its submission has ended. */
function isDone({ attempts }: JobState, order: RunOrder): boolean {
  const last = attempts.at(-1);
  if (last?.end?.status === "succeeded") return true;
  if ("attempt" in order) return attempts.length !== order.attempt - 1;
  const isOpen = last?.end === undefined || last.end.status === "interrupted";
  const latest = last?.began.submission ?? 0;
  return latest > order.submission || (latest === order.submission && !isOpen);
}

/** Takes the lock; a submission waits until a holder that died elsewhere counts as gone. */
async function lockFor(
  { locks, clock, stop }: RunnerPorts,
  at: string,
  order: RunOrder,
): Promise<RunnerLock | undefined> {
  const patience = "attempt" in order ? 0 : DEAD_HOLDER_MS;
  for (let waited = 0; ; waited += LOCK_POLL_MS) {
    const lock = locks.take(jobPaths(at).lock);
    if (lock !== undefined || waited >= patience || stop.aborted) return lock;
    await clock.sleep(LOCK_POLL_MS, stop);
  }
}

/** The job, as long as it is the one that was submitted. */
async function submittedJob(
  { files, sha256 }: RunnerPorts,
  folder: string,
  { content }: RunOrder,
): Promise<JobSpec> {
  const { spec, text } = need(await readJobText(files, folder));
  if (sha256(text) === content) return spec;
  return refuse(
    "HASP831",
    "job.json is not the one that was submitted.",
    "Submit the job again.",
    jobPaths(folder).job,
  );
}

/**
 * The runner of a job: executes an attempt, and writes the end as its last act. Does nothing, and answers false, where another runner lives, or
 * the attempt was begun by another or is not the next: of several that are started for one attempt, one executes it. Rejects with a refusal
 * where `job.json` cannot be used, and on I/O errors of `state.jsonl`.
 */
export async function runJob(ports: RunnerPorts, folder: string, order: RunOrder): Promise<boolean> {
  const task = "submission" in order ? order.task : undefined;
  const at = task === undefined ? folder : taskFolder(folder, task);
  const lock = await lockFor(ports, at, order);
  if (lock === undefined) return false;
  try {
    const state = (await readState(ports.files, at)).value;
    const { attempts } = state;
    if (isDone(state, order)) return false;
    // Commands and models that outlived a runner which was killed.
    for (const { began } of attempts) await ports.processes.endMarked(began.token, ORPHAN_GRACE_MS);
    const spec = await submittedJob(ports, folder, order);
    const attempt = attempts.length + 1;
    const submission = "submission" in order ? order.submission : undefined;
    await attemptNow(ports, lock, { folder, at, task, attempt, spec, submission });
    return true;
  } finally {
    lock.release();
  }
}
