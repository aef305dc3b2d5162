import { enableCompileCache } from "node:module";
import path from "node:path";
import { makeOwnFolder } from "./own-folder.ts";
import { variables, type Variables } from "./surroundings.ts";
import { cacheFolder } from "./user-folders.ts";

/**
 * The folder in which V8 keeps what it compiled of our bundles. With the user: Node's own choice is a folder for temporary files, in which
 * another user could lay code for this one. Undefined where there is no folder that is this user's alone: the bundles are compiled anew.
 */
function ownFolder(): string | undefined {
  try {
    const folder = path.join(cacheFolder(), "v8");
    makeOwnFolder(folder);
    return folder;
  } catch {
    // A full disk, or a home that cannot be written.
    return undefined;
  }
}

/** Keeps what V8 compiles from now on for the next process. */
export function useCompileCache(): void {
  const folder = ownFolder();
  if (folder !== undefined) enableCompileCache?.(folder);
}

/** The same for a worker that starts with these variables; also the file that it starts from is then read compiled. */
export function compileCacheVariables(): Variables {
  const { NODE_COMPILE_CACHE, NODE_DISABLE_COMPILE_CACHE } = variables();
  if (NODE_DISABLE_COMPILE_CACHE !== undefined) return { NODE_DISABLE_COMPILE_CACHE };
  const folder = NODE_COMPILE_CACHE ?? ownFolder();
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: folder };
}
