import { lstat, mkdir, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import type { LibraryFiles } from "../evolve/library-files.ts";
import { asFileError, FileError } from "./file-error.ts";
import type { NodeFiles } from "./files.ts";
import { reviewFiles } from "./review-files.ts";
import { writePath } from "./write-path.ts";

/** `LibraryFiles` over these files. */
export function libraryFiles(
  files: Pick<
    NodeFiles,
    "readText" | "writeText" | "list" | "exists" | "makeFolder" | "absolute" | "realPath"
  >,
): LibraryFiles {
  const reviewing = reviewFiles(files);
  return {
    ...reviewing,
    async exclusively(path, work) {
      // The lock is a file beside it; a new library has no folder yet.
      await files.makeFolder(dirname(path));
      return reviewing.exclusively(path, work);
    },
    list: (folder) => files.list(folder),
    exists: (path) => files.exists(path),
    absolute: (path) => files.absolute(path),
    realPath: (path) => files.realPath(path),
    moveFolder,
    async removeFolder(path) {
      try {
        await rm(writePath(path), { recursive: true, force: true });
      } catch (error) {
        throw asFileError(error, path, "removed");
      }
    },
  };
}

async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

async function moveFolder(from: string, to: string): Promise<void> {
  const [source, target] = [writePath(from), writePath(to)];
  // POSIX renames onto an empty folder.
  if (await isThere(target)) {
    throw new FileError(`${to} is there already; nothing is moved onto it.`, {
      file: to,
      next: "Move it away.",
    });
  }
  try {
    await mkdir(dirname(target), { recursive: true });
    await rename(source, target);
  } catch (error) {
    throw asFileError(error, to, "written");
  }
}
