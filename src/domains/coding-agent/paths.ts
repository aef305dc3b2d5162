import { isAbsolutePath, pathInFolder } from "../../trace/tool-path.ts";

/**
 * A path as this domain writes it (trace/tool-path.ts). `base` is the folder that a relative path starts from, itself
 * relative to the working folder: a command line may have changed into it.
 */
export function normalPath(path: string, cwd: string | undefined, base = ""): string {
  const isHere = base === "" || isAbsolutePath(path) || path.startsWith("~");
  return pathInFolder(isHere ? path : `${base}/${path}`, cwd);
}
