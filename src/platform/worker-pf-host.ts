import type { PfProgram } from "../model/skill.ts";
import { hostFault } from "../sandbox/breakdown.ts";
import { createPfHost } from "../sandbox/create-pf-host.ts";
import type { PfHost } from "../sandbox/pf-host.ts";
import type { SandboxPort } from "../sandbox/sandbox-port.ts";
import { onProcessorLimit } from "./processor-limit.ts";
import type { PfWorkerContract } from "./worker-contract.ts";
import { openWorker, type WorkerThread } from "./worker-thread.ts";

type Thread = WorkerThread<PfWorkerContract>;

/**
 * Limits of a host, in milliseconds of processor time (processor-limit.ts). The sandbox keeps its own and cannot interrupt a native call: a worker
 * that meets one of the others is stopped, and what it was asked answers as broken. No file of a workspace changes them.
 */
export interface PfLimits {
  /** One PF on one step, in the sandbox; `createPfHost` has more. */
  readonly stepMs?: number;
  /** To load one PF, and to open the realm for the first one. */
  readonly loadMs?: number;
  /** What a crossing may take beyond its own deadline: a realm is opened, and PFs are loaded in it. */
  readonly graceMs?: number;
  /** How often a limit may pass by the clock on the wall; 1: the limits are wall time. */
  readonly mostWall?: number;
}

const GRACE_MS = 2_500;

/** Milliseconds a new worker has to answer for the first time; only a machine in trouble takes longer. */
const START_MS = 30_000;

const TOO_LATE = Symbol("too late");

async function within<T>(work: Promise<T>, ms: number): Promise<T | typeof TOO_LATE> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<typeof TOO_LATE>((resolve) => {
    timer = setTimeout(() => resolve(TOO_LATE), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

const broken = (message: string): string => JSON.stringify({ broken: hostFault(message) });

/** A request that came to an answer, to the worker's death, or to nothing in time. */
async function outcomeOf(
  thread: Thread,
  work: Promise<string>,
  ms: number,
  mostWall: number | undefined,
): Promise<{ reply: string; lost: boolean }> {
  const death = thread.died.then((reason) => ({ reply: broken(reason), lost: true }));
  const answer = work.then(
    (reply) => ({ reply, lost: false }),
    (error: unknown) => ({ reply: broken(String(error)), lost: true }),
  );
  const limit = Promise.withResolvers<{ reply: string; lost: boolean }>();
  const late = (): void => limit.resolve({ reply: broken("interrupted"), lost: true });
  const callOff = onProcessorLimit(ms, late, mostWall);
  try {
    return await Promise.race([answer, death, limit.promise]);
  } finally {
    callOff();
  }
}

/** Runs one piece of work after the other: a deadline must not count the time of those before. */
function oneAtATime(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work);
    last = next.catch(() => undefined);
    return next;
  };
}

/** The worker in use. One that was lost is stopped, and the next request starts another with the same programs. */
function workerKeeper(workerFile: string, mostWall: number | undefined) {
  let current: Promise<Thread> | undefined;
  let programs: readonly PfProgram[] = [];
  let closed = false;

  async function start(): Promise<Thread> {
    const thread = openWorker<PfWorkerContract>(workerFile, "pf");
    const ready = thread.request("setPrograms", programs).then(() => undefined);
    const first = await within(Promise.race([ready, thread.died]), START_MS);
    if (first === undefined) return thread;
    await thread.stop();
    current = undefined;
    throw new Error(`The worker that runs PFs did not start: ${first === TOO_LATE ? "no answer" : first}`);
  }

  async function drop(): Promise<void> {
    const thread = await current?.catch(() => undefined);
    current = undefined;
    await thread?.stop();
  }

  return {
    async ask(send: (thread: Thread) => Promise<string>, ms: number): Promise<string> {
      if (closed) throw new Error("The PF host is closed.");
      const thread = await (current ??= start());
      const { reply, lost } = await outcomeOf(thread, send(thread), ms, mostWall);
      if (lost) await drop();
      return reply;
    },
    async setPrograms(next: readonly PfProgram[]): Promise<void> {
      if (closed) throw new Error("The PF host is closed.");
      programs = next;
      const thread = current === undefined ? undefined : await current;
      await thread?.request("setPrograms", next);
    },
    close() {
      closed = true;
      return drop();
    },
  };
}

function workerSandbox(workerFile: string, { graceMs = GRACE_MS, loadMs, mostWall }: PfLimits): SandboxPort {
  const keeper = workerKeeper(workerFile, mostWall);
  const inTurn = oneAtATime();
  return {
    setPrograms: (programs) => inTurn(() => keeper.setPrograms(programs)),
    load: (job) =>
      inTurn(() => keeper.ask((thread) => thread.request("load", job), loadMs ?? job.deadlineMs + graceMs)),
    judge: (job) =>
      inTurn(() => keeper.ask((thread) => thread.request("judge", job), job.deadlineMs + graceMs)),
    probe: (job) =>
      inTurn(() => keeper.ask((thread) => thread.request("probe", job), 2 * job.deadlineMs + graceMs)),
    close: () => keeper.close(),
  };
}

/**
 * The PfHost of the product: QuickJS in a worker under a watchdog. The worker starts with the first request and ends with
 * `close`; what is under way then answers as broken, and any later request rejects.
 */
export function startPfHost({ workerFile, ...limits }: { readonly workerFile: string } & PfLimits): PfHost {
  return createPfHost(workerSandbox(workerFile, limits), limits.stepMs);
}
