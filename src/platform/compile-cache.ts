import { enableCompileCache } from "node:module";
import path from "node:path";
import { makeOwnFolder } from "./own-folder.ts";
import { cacheFolder } from "./user-folders.ts";

/**
 * Keeps what V8 compiles of our bundles for the next process. With the user: Node's own choice is a folder for temporary files, in which
 * another user could lay code for this one. Without a folder that is this user's alone nothing is kept.
 */
export function useCompileCache(): void {
  try {
    const folder = path.join(cacheFolder(), "v8");
    makeOwnFolder(folder);
    enableCompileCache?.(folder);
  } catch {
    // A full disk, or a home that cannot be written: the bundles are compiled anew.
  }
}
