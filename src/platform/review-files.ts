import { open, rm, stat } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { ReviewFiles } from "../evolve/review-store.ts";
import { asFileError } from "./file-error.ts";
import type { NodeFiles } from "./files.ts";
import { writePath } from "./write-path.ts";

/** Work under a lock is reading and writing one small file. Whoever holds it longer was killed. */
const ABANDONED_MS = 10_000;
const GIVE_UP_MS = 20_000;
const POLL_MS = 25;

/** `ReviewFiles` over these files: a lock file beside the path keeps other processes out. */
export function reviewFiles(files: Pick<NodeFiles, "readText" | "writeText">): ReviewFiles {
  return {
    readText: (path, maxBytes) => files.readText(path, maxBytes),
    writeText: (path, text) => files.writeText(path, text),
    async exclusively(path, work) {
      const lock = writePath(`${path}.lock`);
      await acquire(lock);
      try {
        return await work();
      } finally {
        await rm(lock, { force: true });
      }
    },
  };
}

async function acquire(lock: string): Promise<void> {
  for (let waited = 0; !(await create(lock)); waited += POLL_MS) {
    if (waited >= GIVE_UP_MS) {
      throw new Error(`${lock} is held by another process. If none is running, delete it.`);
    }
    if ((await age(lock)) > ABANDONED_MS) await rm(lock, { force: true });
    else await sleep(POLL_MS);
  }
}

async function create(lock: string): Promise<boolean> {
  try {
    await (await open(lock, "wx")).close();
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw asFileError(error, lock, "made");
  }
}

/** Milliseconds since it was taken; 0 where it is gone by now. */
async function age(lock: string): Promise<number> {
  const found = await stat(lock).catch(() => undefined);
  return found === undefined ? 0 : Date.now() - found.mtimeMs;
}
