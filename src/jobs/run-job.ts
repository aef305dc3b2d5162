import { need } from "../app/refusal.ts";
import { STUDENT, STUDENT_ADDRESS, type JobCommand, type JobSpec } from "../model/job.ts";
import { cwdOf, jobPaths, readJob, type JobFiles } from "./job-folder.ts";
import { launchArguments, type ClusterPlace } from "./launch.ts";
import { lastLines, type LastLines } from "./last-lines.ts";
import {
  TOKEN_VARIABLE,
  type JobClock,
  type JobProcess,
  type JobProcesses,
  type ProcessEnd,
  type ProcessOrder,
  type RunnerLock,
  type RunnerLocks,
} from "./ports.ts";
import { serveArguments, serveStudent, type Served } from "./serve-student.ts";
import { appendState, readState, type StateLine } from "./state-file.ts";

/** Seconds that a command gets to end by itself, unless the job says otherwise: a trainer writes a checkpoint. */
const GRACE_SECONDS = 60;
export const graceMs = ({ graceSeconds = GRACE_SECONDS }: JobSpec): number => graceSeconds * 1_000;
/** Milliseconds that processes of a runner that died get. */
export const ORPHAN_GRACE_MS = 10_000;
/** Milliseconds between two looks for a request to stop. */
const STOP_POLL_MS = 250;
/** The exit code of a trainer that was asked to stop and can resume (EX_TEMPFAIL). */
const STOPPED_EXIT = 75;

/** A log that hides secrets. */
export interface JobLog {
  /** Appends text; answers it as it was written. Never throws: a full disk must not end the job. */
  write(text: string): string;
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
  /** The machines of this job, where a cluster has given it several. */
  readonly cluster?: ClusterPlace | undefined;
  /** The runner itself was asked to end. */
  readonly stop: AbortSignal;
}

/** One attempt, as its runner sees it. */
interface Run {
  readonly ports: RunnerPorts;
  readonly folder: string;
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

const note = async ({ ports, folder, attempt }: Run, entry: Entry): Promise<void> =>
  appendState(ports.files, folder, { ...entry, attempt, at: ports.clock.now() });

function start(
  run: Run,
  order: Pick<ProcessOrder, "program" | "args" | "nodes" | "onText">,
  served?: Served,
): JobProcess {
  const { ports, folder, spec, token, log } = run;
  return ports.processes.start({
    ...order,
    cwd: cwdOf(folder, spec),
    env: {
      ...spec.env,
      ...(served !== undefined && { [STUDENT_ADDRESS]: served.policy }),
      [TOKEN_VARIABLE]: token,
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

const withPolicy = (args: readonly string[], policy: string | undefined): readonly string[] =>
  policy === undefined ? args : args.map((arg) => arg.replaceAll(STUDENT, policy));

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
  served: Served | undefined,
): Promise<Ending | undefined> {
  const { stopping, ports } = run;
  const { program, about, exitCodes = [0] } = wanted;
  await note(run, { kind: "command", command });
  const lines = lastLines();
  const { args, nodes } = launchArguments(wanted, ports.cluster);
  const resolved = withPolicy(args, served?.policy);
  const process = start(run, { program, args: resolved, nodes, onText: (text) => lines.add(text) }, served);
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

async function runCommands(run: Run, served: Served | undefined): Promise<Ending> {
  for (const [i, command] of run.spec.commands.entries()) {
    if (run.stopping.aborted) return { status: "stopped" };
    const ending = await runCommand(run, command, i, served);
    if (ending !== undefined) return ending;
  }
  return { status: "succeeded" };
}

/** Serves the student, runs the commands one after the other, and ends what it has started. */
async function execute(run: Run): Promise<Ending> {
  const { serve } = run.spec;
  if (serve === undefined) return runCommands(run, undefined);
  await note(run, { kind: "serving" });
  const { clock } = run.ports;
  const args = serveArguments(serve);
  const serving = await serveStudent(
    { clock, start: (onText) => start(run, { program: "python", args, onText }) },
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
    return await runCommands(run, serving.served);
  } finally {
    await serving.served.close();
  }
}

/** Looks for a request to stop in `state.jsonl` until `over` aborts. */
async function watchForStop(run: Run, over: AbortSignal, stop: () => void): Promise<void> {
  const { files, clock } = run.ports;
  const { state } = jobPaths(run.folder);
  let size = 0;
  while (!over.aborted) {
    const now = (await files.stat(state).catch(() => undefined))?.size ?? 0;
    if (now !== size) {
      size = now;
      const { value } = await readState(files, run.folder);
      if (value.attempts[run.attempt - 1]?.isStopAsked === true) return stop();
    }
    await clock.sleep(STOP_POLL_MS, over);
  }
}

async function attemptNow(
  ports: RunnerPorts,
  lock: RunnerLock,
  order: { readonly folder: string; readonly attempt: number; readonly spec: JobSpec },
): Promise<void> {
  const { folder, attempt, spec } = order;
  const paths = jobPaths(folder);
  const token = ports.newToken();
  const before = (await ports.files.stat(paths.log))?.size ?? 0;
  const [stop, over] = [new AbortController(), new AbortController()];
  const stopping = AbortSignal.any([ports.stop, lock.lost, stop.signal]);
  const log = ports.openLog(paths.log, spec.passEnv);
  const run: Run = { ports, folder, spec, attempt, token, log, stopping };
  await note(run, { kind: "attempt", backend: "local", token, log: before });
  const watching = watchForStop(run, over.signal, () => stop.abort());
  try {
    const ending = await execute(run);
    await ports.processes.endMarked(token, 0);
    log.close();
    // Another runner has begun the next attempt, so this one writes nothing.
    if (!lock.lost.aborted) await note(run, { kind: "end", ...ending });
  } finally {
    over.abort();
    await watching.catch(() => undefined);
  }
}

/**
 * The runner of a job: executes its attempt number `attempt`, and writes the end as its last act. Does nothing, and answers false, where another
 * runner lives, or that attempt was begun by another or is not the next: of several that are started for one attempt, one executes it.
 * Rejects with a refusal where `job.json` cannot be used, and on I/O errors of `state.jsonl`.
 */
export async function runJob(ports: RunnerPorts, folder: string, attempt: number): Promise<boolean> {
  const lock = ports.locks.take(jobPaths(folder).lock);
  if (lock === undefined) return false;
  try {
    const { attempts } = (await readState(ports.files, folder)).value;
    if (attempts.length !== attempt - 1 || attempts.at(-1)?.end?.status === "succeeded") return false;
    // Commands and models that outlived a runner which was killed.
    for (const { began } of attempts) await ports.processes.endMarked(began.token, ORPHAN_GRACE_MS);
    const spec = need(await readJob(ports.files, folder));
    await attemptNow(ports, lock, { folder, attempt, spec });
    return true;
  } finally {
    lock.release();
  }
}
