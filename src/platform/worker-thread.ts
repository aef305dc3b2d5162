import { Worker } from "node:worker_threads";
import { connect, type Channel, type Connection } from "../protocol/connection.ts";
import type { Contract } from "../protocol/contract.ts";
import { compileCacheVariables } from "./compile-cache.ts";
import type { NoContract, WorkerRole } from "./worker-contract.ts";

/** Megabytes. QuickJS recurses on the thread's own stack; Node's 4 MB overflow before QuickJS's limit is met (MEASURED.md). */
const STACK_MB = 8;
/** Megabytes. By itself Node lets some 40 MB more of garbage pile up in the compiler's worker, and checks are no faster for it. */
const YOUNG_MB = 16;

/** A worker of our own bundle, a thread or a process (worker-process.ts), and the talk with it. */
export interface WorkerThread<Theirs extends Contract> {
  readonly request: Connection<Theirs, NoContract>["request"];
  readonly on: Connection<Theirs, NoContract>["on"];
  /** Resolves with the reason when the worker ends by itself; never rejects. */
  readonly died: Promise<string>;
  /** Whether it died of its limit of memory. */
  ranOutOfMemory(): boolean;
  stop(): Promise<void>;
}

function channelTo(worker: Worker): Channel {
  return {
    post: (message) => worker.postMessage(message, []),
    onMessage: (listener) => void worker.on("message", listener),
  };
}

function deathOf(worker: Worker): Promise<string> {
  return new Promise((resolve) => {
    worker.on("error", (error) => resolve(error instanceof Error ? error.message : String(error)));
    worker.on("messageerror", (error) => resolve(error.message));
    worker.on("exit", (code) => resolve(`the worker ended with code ${code}`));
  });
}

/** Asks a worker, which keeps our process alive only while a request waits for its answer. */
export function keptAlive<Theirs extends Contract>(
  connection: Connection<Theirs, NoContract>,
  worker: { ref(): void; unref(): void },
): WorkerThread<Theirs>["request"] {
  let waiting = 0;
  return async (method, params, signal) => {
    if (++waiting === 1) worker.ref();
    try {
      return await connection.request(method, params, signal);
    } finally {
      if (--waiting === 0) worker.unref();
    }
  };
}

/**
 * Starts a worker from `workerFile`: the one file of the CLI, which runs worker-main.ts off the main thread, or a bundle of that alone.
 * `heapMb`: megabytes after which it dies.
 */
export function openWorker<Theirs extends Contract>(
  workerFile: string,
  role: WorkerRole,
  options: { readonly heapMb?: number } = {},
): WorkerThread<Theirs> {
  const worker = new Worker(workerFile, {
    workerData: { role },
    resourceLimits: {
      stackSizeMb: STACK_MB,
      maxYoungGenerationSizeMb: YOUNG_MB,
      ...(options.heapMb !== undefined && { maxOldGenerationSizeMb: options.heapMb }),
    },
    env: compileCacheVariables(),
    execArgv: [],
    argv: [],
  });
  worker.unref();
  const connection = connect<Theirs, NoContract>(channelTo(worker));
  let outOfMemory = false;
  worker.on("error", (error) => {
    outOfMemory ||= error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
  });
  return {
    died: deathOf(worker),
    on: (name, listener) => connection.on(name, listener),
    ranOutOfMemory: () => outOfMemory,
    request: keptAlive(connection, worker),
    async stop() {
      await worker.terminate();
    },
  };
}
