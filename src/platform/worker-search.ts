import type { EpisodeHit } from "../model/episode-hit.ts";
import { RequestError } from "../protocol/connection.ts";
import type { SearchWorkerContract } from "./worker-contract.ts";
import { openWorker, type WorkerThread } from "./worker-thread.ts";

type Request = SearchWorkerContract["requests"]["search"]["params"];

/** Searches episode files in a thread of its own, which starts with the first search and ends when none came for a while. */
export interface Searcher {
  /** The hits in these lines, in their order. Rejects with an AbortError as soon as `signal` aborts, and on I/O errors. */
  search(request: Request, signal: AbortSignal): Promise<readonly EpisodeHit[]>;
  close(): Promise<void>;
}

/** Megabytes: a line of 64 MiB as text, its values, and two blocks of bytes. */
const HEAP_MB = 1_024;
/** Milliseconds without a search after which the thread ends. */
const IDLE_MS = 30_000;

export function startSearcher(options: { readonly workerFile: string; readonly idleMs?: number }): Searcher {
  let worker: WorkerThread<SearchWorkerContract> | undefined;
  let idle: NodeJS.Timeout | undefined;
  let running = 0;

  function stop(): Promise<void> {
    clearTimeout(idle);
    const ended = worker;
    worker = undefined;
    return ended?.stop() ?? Promise.resolve();
  }

  function start(): WorkerThread<SearchWorkerContract> {
    const started = openWorker<SearchWorkerContract>(options.workerFile, "search", { heapMb: HEAP_MB });
    void started.died.then(() => {
      if (worker === started) worker = undefined;
    });
    return started;
  }

  return {
    async search(request, signal) {
      clearTimeout(idle);
      running++;
      worker ??= start();
      const { died } = worker;
      const death = died.then((reason): never => {
        throw new RequestError(
          `The search ended early: ${reason}.`,
          "Search again; if it happens again, open the log.",
        );
      });
      try {
        return await Promise.race([worker.request("search", request, signal), death]);
      } finally {
        if (--running === 0) idle = setTimeout(() => void stop(), options.idleMs ?? IDLE_MS).unref();
      }
    },
    close: stop,
  };
}
