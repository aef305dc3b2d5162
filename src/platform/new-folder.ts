import { randomUUID } from "node:crypto";
import { mkdir, rename, rm, rmdir } from "node:fs/promises";
import type { MergeFiles } from "../evaluation/merge-runs.ts";
import { asFileError } from "./file-error.ts";
import { writePath } from "./write-path.ts";

function unlessAbsent(error: unknown): void {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code !== "ENOENT") throw error;
}

type Fill = Parameters<MergeFiles["newFolder"]>[1];

/**
 * See MergeFiles. The temporary folder is beside `path`, on the same disk, and ends in `.tmp`. `release` removes what keeps others out of `path`
 * meanwhile, before the temporary one takes its place.
 */
export async function newFolder(path: string, fill: Fill, release?: () => void): Promise<void> {
  const target = writePath(path);
  const temporary = `${target}.${randomUUID().slice(0, 8)}.tmp`;
  try {
    await mkdir(temporary, { recursive: true });
    await fill(temporary);
    release?.();
    // Windows does not rename onto a folder, not even an empty one.
    await rmdir(target).catch(unlessAbsent);
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    throw asFileError(error, path, "made");
  }
}
