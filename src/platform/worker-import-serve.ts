import { importOrdered } from "../app/import-ordered.ts";
import { connect, RequestError } from "../protocol/connection.ts";
import { lookAtSource } from "../trace/import-source.ts";
import type { ImportProgress } from "../trace/import-run.ts";
import { systemClock } from "./clock.ts";
import { FileError } from "./file-error.ts";
import { nodeFiles } from "./files.ts";
import { sha256 } from "./sha256.ts";
import { keepHeapSmall } from "./small-heap.ts";
import { channelToParent } from "./worker-channel.ts";
import type { ImportWorkerContract, NoContract } from "./worker-contract.ts";

/** The failure with what to do next, which an Error loses on its way to another process. */
async function withNext<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof FileError ? new RequestError(error.message, error.next) : error;
  }
}

/** Calls `send` where the percentage differs from that of the last call: a file has a piece for each line. */
function eachPercent(send: (progress: ImportProgress) => void): (progress: ImportProgress) => void {
  let sent = -1;
  return (progress) => {
    const percent = Math.floor((100 * progress.readBytes) / Math.max(1, progress.totalBytes));
    if (percent === sent) return;
    sent = percent;
    send(progress);
  };
}

/** The worker's side of worker-import.ts. */
export function serveImports(): void {
  keepHeapSmall();
  const files = nodeFiles();
  const stop = new AbortController();
  const connection = connect<NoContract, ImportWorkerContract>(channelToParent());
  connection.handle("lookAt", ({ file }) => withNext(lookAtSource(files, file)));
  connection.handle("importRun", (order) => {
    const onProgress = eachPercent((progress) => connection.send("progress", progress));
    return withNext(
      importOrdered(files, { clock: systemClock, sha256 }, { ...order, signal: stop.signal, onProgress }),
    );
  });
  connection.handle("cancel", async () => {
    stop.abort();
    return null;
  });
}
