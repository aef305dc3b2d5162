import { randomUUID } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { ReplyCache } from "../llm/cached-model.ts";
import { asFileError } from "./file-error.ts";
import { fromHere } from "./surroundings.ts";
import { writePath } from "./write-path.ts";

/** More than any reply has; a larger file is not one of ours. */
const MOST_CHARACTERS = 32 * 1024 * 1024;

/**
 * One file a reply below `folder`: `ab/<key>.json`. A file is there as a whole or not at all, also when the process is
 * killed. It is not forced onto the disk: that costs more than many calls, and what a power cut damages is asked again.
 */
export function fileReplyCache(folder: string): ReplyCache {
  const pathOf = (key: string): string => {
    if (!/^[0-9a-f]{16,}$/.test(key)) throw new Error(`No key of a reply: ${key}`);
    return join(folder, key.slice(0, 2), `${key}.json`);
  };
  return {
    async get(key) {
      const text = await readFile(fromHere(pathOf(key)), "utf8").catch(absent);
      return text !== undefined && text.length <= MOST_CHARACTERS ? text : undefined;
    },
    async put(key, text) {
      const path = writePath(pathOf(key));
      const temporary = `${path}.${randomUUID().slice(0, 8)}.tmp`;
      try {
        await write(temporary, text);
        await rename(temporary, path);
      } catch (error) {
        await rm(temporary, { force: true });
        throw asFileError(error, path, "written");
      }
    },
  };
}

/** The folder is made only when it is missing, which also replaces one that was deleted meanwhile. */
async function write(path: string, text: string): Promise<void> {
  const missing = await writeFile(path, text, { flag: "wx" }).then(() => false, isAbsent);
  if (!missing) return;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text, { flag: "wx" });
}

function isAbsent(error: unknown): true {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "ENOENT" || code === "ENOTDIR" || code === "EISDIR") return true;
  throw error;
}

function absent(error: unknown): undefined {
  isAbsent(error);
}
