import type { Compiler } from "../skill/compiler.ts";
import type { CompilerWorkerContract } from "./worker-contract.ts";
import { openWorker, type WorkerThread } from "./worker-thread.ts";

type Thread = WorkerThread<CompilerWorkerContract>;
type Requests = CompilerWorkerContract["requests"];

/**
 * The Compiler of the product: TypeScript in a worker, which starts with the first request and ends with `close`. A worker
 * that dies fails what it was asked, and the next request starts another.
 */
export function startCompiler(options: { readonly workerFile: string }): Compiler {
  let current: Thread | undefined;
  let closed = false;

  function thread(): Thread {
    if (closed) throw new Error("The compiler is closed.");
    if (current !== undefined) return current;
    const started = openWorker<CompilerWorkerContract>(options.workerFile, "compiler");
    current = started;
    void started.died.then(() => {
      if (current === started) current = undefined;
    });
    return started;
  }

  async function ask<M extends keyof Requests>(
    method: M,
    params: Requests[M]["params"],
  ): Promise<Requests[M]["result"]> {
    const worker = thread();
    const death = worker.died.then((reason): never => {
      throw new Error(`The compiler's worker ended: ${reason}`);
    });
    return Promise.race([worker.request(method, params), death]);
  }

  return {
    check: (file, source) => ask("check", { file, source }),
    transpile: (file, source) => ask("transpile", { file, source }),
    instrument: (file, source) => ask("instrument", { file, source }),
    promptEquivalence: (file, source) => ask("promptEquivalence", { file, source }),
    parseCases: (file, source) => ask("parseCases", { file, source }),
    async close() {
      closed = true;
      await current?.stop();
    },
  };
}
