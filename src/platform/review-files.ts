import type { ReviewFiles } from "../review/review-store.ts";
import { FileError } from "./file-error.ts";
import type { NodeFiles } from "./files.ts";
import { lockBefore, removeLeftovers, removeTemporary, type HeldLock } from "./process-lock.ts";
import { writePath } from "./write-path.ts";

/** Milliseconds; work under the lock is reading and writing one small file. */
const GIVE_UP_MS = 20_000;

/** `ReviewFiles` over these files: a lock file beside the path keeps other processes out. */
export function reviewFiles(files: Pick<NodeFiles, "readText" | "writeText">): ReviewFiles {
  return {
    readText: (path, maxBytes) => files.readText(path, maxBytes),
    writeText: (path, text) => files.writeText(path, text),
    async exclusively(path, work) {
      const lock = await acquire(path);
      try {
        removeLeftovers(lock);
        removeTemporary(writePath(path));
        return await work();
      } finally {
        lock.release();
      }
    },
  };
}

async function acquire(path: string): Promise<HeldLock> {
  const file = writePath(`${path}.lock`);
  const attempt = await lockBefore(file, performance.now() + GIVE_UP_MS);
  if (attempt.lock !== undefined) return attempt.lock;
  const who = attempt.holder === undefined ? "Another process" : `Process ${attempt.holder.pid}`;
  const next = "Wait until it ends, or stop it; then repeat the command.";
  throw new FileError(`${who} has been writing ${path} for ${GIVE_UP_MS / 1000} seconds.`, { file, next });
}
