import { type ChildProcess, fork } from "node:child_process";
import { connect, type Channel } from "../protocol/connection.ts";
import type { Contract } from "../protocol/contract.ts";
import { compileCacheVariables } from "./compile-cache.ts";
import { variables } from "./surroundings.ts";
import { type NoContract, SERVE, type WorkerRole } from "./worker-contract.ts";
import { keptAlive, type WorkerThread } from "./worker-thread.ts";

/** How V8, Electron and the system end a process without memory: an abort or a trap, and what Windows makes of them. */
const SIGNALS = new Set(["SIGABRT", "SIGTRAP", "SIGILL", "SIGKILL"]);
const CODES = new Set([134, 0x80000003, 0xc0000409, 0xe0000008]);

function channelTo(child: ChildProcess): Channel {
  return {
    // A dead one hears nothing; `died` tells of it.
    post: (message) => void child.send(message as object, () => undefined),
    onMessage: (listener) => void child.on("message", listener),
  };
}

/**
 * Starts a worker from `workerFile` as a process of its own, as `openWorker` starts a thread. A thread that runs out of memory within one
 * call of V8, such as a parse, takes its whole process with it. `heapMb`: megabytes after which it dies.
 */
export function openProcess<Theirs extends Contract>(
  workerFile: string,
  role: WorkerRole,
  { heapMb }: { readonly heapMb: number },
): WorkerThread<Theirs> {
  const child = fork(workerFile, [SERVE, role], {
    execArgv: [`--max-old-space-size=${heapMb}`],
    env: { ...variables(), ...compileCacheVariables(), ELECTRON_RUN_AS_NODE: "1" },
    serialization: "advanced",
    // V8 has pages to say when it dies.
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  const lifeline = {
    ref(): void {
      child.ref();
      child.channel?.ref();
    },
    unref(): void {
      child.unref();
      child.channel?.unref();
    },
  };
  const connection = connect<Theirs, NoContract>(channelTo(child));
  lifeline.unref();
  let outOfMemory = false;
  const died = new Promise<string>((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("exit", (code, signal) => {
      outOfMemory = SIGNALS.has(signal ?? "") || CODES.has(code ?? 0);
      resolve(`the worker ended with ${signal ?? `code ${code}`}`);
    });
  });
  return {
    died,
    on: (name, listener) => connection.on(name, listener),
    ranOutOfMemory: () => outOfMemory,
    request: keptAlive(connection, lifeline),
    async stop() {
      // Its end is awaited, and nothing else may keep us alive until then.
      lifeline.ref();
      // Not to be caught: it may be stuck.
      child.kill("SIGKILL");
      await died;
    },
  };
}
