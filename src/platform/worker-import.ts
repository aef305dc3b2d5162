import path from "node:path";
import type { FollowedImport } from "../app/import-episodes.ts";
import type { Checked, Diagnostic } from "../model/diagnostic.ts";
import { RequestError } from "../protocol/connection.ts";
import type { ImportSource } from "../trace/import-source.ts";
import type { ImportedRun } from "../trace/import-run.ts";
import { runPaths } from "../trace/run-paths.ts";
import type { NodeFiles } from "./files.ts";
import { removeTemporary } from "./process-lock.ts";
import type { ImportWorkerContract } from "./worker-contract.ts";
import { openProcess } from "./worker-process.ts";
import { writePath } from "./write-path.ts";

/** Imports in a process of its own: a large or hostile file blocks and ends nothing else. */
export interface Importer {
  /** `lookAtSource`. */
  lookAt(file: string): Promise<ImportSource | Diagnostic>;
  /** `importOrdered`. On abort it rejects with an AbortError as soon as nothing is left of the import, whatever the file does. */
  importRun(order: FollowedImport): Promise<Checked<ImportedRun>>;
  close(): Promise<void>;
}

/** Megabytes: as many as a thread of VS Code's extension host may have. */
const HEAP_MB = 2_048;
/** Milliseconds that a cancelled import has to clean up behind itself. After that it is stuck in one piece of a file. */
const CANCEL_MS = 2_000;

export function startImporter(options: {
  readonly workerFile: string;
  readonly files: NodeFiles;
  readonly heapMb?: number;
}): Importer {
  const heapMb = options.heapMb ?? HEAP_MB;
  const worker = openProcess<ImportWorkerContract>(options.workerFile, "import", { heapMb });

  /** The answer, or why there is none: the worker died. */
  function orDeath<T>(work: Promise<T>, sources: readonly string[]): Promise<T> {
    const names = sources.map((file) => path.basename(file)).join(", ");
    const death = worker.died.then((reason): never => {
      const why = worker.ranOutOfMemory() ? `it needs more than ${heapMb} MB of memory` : reason;
      throw new RequestError(
        `${names} cannot be imported: ${why}.`,
        "Import fewer files at once, or split the file that is too large.",
      );
    });
    return Promise.race([work, death]);
  }

  return {
    lookAt: (file) => orDeath(worker.request("lookAt", { file }), [file]),
    async importRun({ signal, onProgress, ...order }) {
      signal?.throwIfAborted();
      if (onProgress !== undefined) worker.on("progress", onProgress);
      const work = orDeath(worker.request("importRun", order), order.sources);
      const cancelled = cancellation(signal, async () => {
        const ended = work.then(
          () => undefined,
          () => undefined,
        );
        void worker.request("cancel", null);
        await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, CANCEL_MS).unref())]);
        await worker.stop();
      });
      try {
        return await Promise.race([work, cancelled.happened]);
      } catch (error) {
        await worker.stop();
        await removeRemains(options.files, order.folder);
        throw signal?.aborted === true ? signal.reason : error;
      } finally {
        cancelled.release();
      }
    },
    close: () => worker.stop(),
  };
}

/** Rejects with the signal's reason once `end` is through; never where nobody cancels. */
function cancellation(signal: AbortSignal | undefined, end: () => Promise<void>) {
  const { promise, reject } = Promise.withResolvers<never>();
  const cancel = (): void => void end().finally(() => reject(signal?.reason));
  signal?.addEventListener("abort", cancel, { once: true });
  return { happened: promise, release: () => signal?.removeEventListener("abort", cancel) };
}

/** Removes the rest of a killed import: all that it had written so far of a run that has no episodes. */
async function removeRemains(files: NodeFiles, folder: string): Promise<void> {
  const { run, episodes, messages, judging } = runPaths(writePath(folder));
  if (await files.exists(episodes)) return;
  for (const one of [episodes, run, messages, judging]) removeTemporary(one);
  for (const one of [run, messages, judging]) await files.remove(one);
}
