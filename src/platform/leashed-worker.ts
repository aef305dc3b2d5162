import type { Contract } from "../protocol/contract.ts";
import { onProcessorLimit } from "./processor-limit.ts";
import type { WorkerThread } from "./worker-thread.ts";

/** The end of a request: its answer, a failure of the code that should answer, or the limit that it exceeded. */
export type Outcome<T> =
  | { readonly kind: "answer"; readonly value: T }
  | { readonly kind: "failed"; readonly message: string }
  | { readonly kind: "stopped"; readonly limit: "time" | "memory" };

/** Milliseconds for what belongs to no request: loading code and the types of the language. Only a machine in trouble takes longer. */
const START_MS = 30_000;

interface Request {
  readonly method: string;
  readonly params: unknown;
  /** A request that the worker must have answered before, once. */
  readonly after?: string;
  readonly limitMs: number;
  /** Requests of one subject exceed a limit together: those that wait when one exceeds it are not tried. */
  readonly subject?: string;
}

interface Job extends Request {
  /** Absent for what prepares the worker. */
  readonly settle?: { outcome(outcome: Outcome<unknown>): void; broken(error: Error): void };
}

/** Calls `late` once a job has had its time. */
function watchdog(late: () => void) {
  let callOff = (): void => undefined;
  return {
    watch(job: Job | undefined): void {
      callOff();
      callOff = job === undefined ? () => undefined : onProcessorLimit(job.limitMs, late);
    },
  };
}

/** The answer of a request, or the failure of the code that should answer. Never rejects. */
function outcomeOf(answer: Promise<unknown>): Promise<Outcome<unknown>> {
  return answer.then(
    (value) => ({ kind: "answer", value }),
    (error: unknown) => ({ kind: "failed", message: error instanceof Error ? error.message : String(error) }),
  );
}

/** Settles the jobs that the end of a worker concerns: the first, and those of its subject. Answers those that a new worker takes over. */
function settleEnded(jobs: readonly Job[], outcome: Outcome<unknown>): readonly Job[] {
  const [first, ...rest] = jobs;
  const isSame = (job: Job): boolean => job.subject !== undefined && job.subject === first?.subject;
  for (const job of jobs) if (job === first || isSame(job)) job.settle?.outcome(outcome);
  const waiting = rest.filter((job) => job.settle !== undefined && !isSame(job));
  if (first === undefined || first.settle !== undefined) return waiting;
  // It did not even start: a new one would not either.
  const why = outcome.kind === "failed" ? outcome.message : `it exceeds its limit of ${outcome.kind}`;
  for (const { settle } of waiting) settle?.broken(new Error(`The worker did not start: ${why}`));
  return [];
}

/**
 * A worker in which each request has a limit of time, and all of them one of memory (`open`). A request that exceeds it costs the worker;
 * those that wait behind it go on in a new one. The worker starts with the first request and must answer in the order that it is asked.
 */
export function leashedWorker<C extends Contract>(open: () => WorkerThread<C>) {
  let thread: WorkerThread<C> | undefined;
  /** Requests without an answer, oldest first: the worker is busy with the first. */
  let jobs: Job[] = [];
  let prepared = new Set<string>();
  let closed = false;

  const dog = watchdog(() => end({ kind: "stopped", limit: "time" }));

  function post(job: Job, to: WorkerThread<C>): void {
    const wasIdle = jobs.length === 0;
    jobs.push(job);
    const settled = (outcome: Outcome<unknown>): void => {
      if (thread !== to) return;
      jobs = jobs.filter((one) => one !== job);
      dog.watch(jobs[0]);
      job.settle?.outcome(outcome);
    };
    void outcomeOf(to.request(job.method, job.params as never)).then(settled);
    if (wasIdle) dog.watch(job);
  }

  function submit(job: Job): void {
    const to = (thread ??= start());
    if (job.after !== undefined && !prepared.has(job.after)) {
      prepared.add(job.after);
      post({ method: job.after, params: null, limitMs: START_MS }, to);
    }
    post(job, to);
  }

  function start(): WorkerThread<C> {
    const started = open();
    prepared = new Set();
    void started.died.then((message) => {
      const outOfMemory = started.ranOutOfMemory();
      if (thread === started)
        end(outOfMemory ? { kind: "stopped", limit: "memory" } : { kind: "failed", message });
    });
    return started;
  }

  /** Ends the worker: the first job has this outcome, the others go on in a new worker. */
  function end(outcome: Outcome<unknown>): void {
    const ended = thread;
    thread = undefined;
    dog.watch(undefined);
    void ended?.stop();
    const waiting = settleEnded(jobs, outcome);
    jobs = [];
    for (const job of waiting) submit(job);
  }

  return {
    /** Rejects only where the worker cannot be started, or is closed. */
    ask<M extends keyof C["requests"] & string>(
      request: Request & { readonly method: M; readonly params: C["requests"][M]["params"] },
    ): Promise<Outcome<C["requests"][M]["result"]>> {
      return new Promise((resolve, reject) => {
        if (closed) return reject(new Error("The compiler is closed."));
        submit({ ...request, settle: { outcome: resolve, broken: reject } });
      });
    },
    async close(): Promise<void> {
      closed = true;
      const waiting = jobs;
      const ended = thread;
      thread = undefined;
      jobs = [];
      dog.watch(undefined);
      for (const { settle } of waiting) settle?.broken(new Error("The compiler was closed."));
      await ended?.stop();
    },
  };
}
