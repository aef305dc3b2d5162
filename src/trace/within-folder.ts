import type { SkillFiles } from "../skill/skill-files.ts";
import type { TraceFiles } from "./ports.ts";

/**
 * Whether a path exists and, with links followed, is below `folder`, which must exist. A run folder may come from
 * anybody: a link in it must not bring other files of this machine. Rejects where the folder is missing.
 */
export async function withinFolder(
  files: Pick<TraceFiles, "realPath">,
  folder: string,
): Promise<(path: string) => Promise<boolean>> {
  const real = (await files.realPath(folder)).replace(/[/\\]+$/, "");
  return async (path) => {
    const found = await files.realPath(path).catch(() => undefined);
    return found?.startsWith(real) === true && /^[/\\]/.test(found.slice(real.length));
  };
}

/** Files of which none is read through a link that leads out of `root`, an existing folder. */
export async function filesWithin(
  files: Pick<TraceFiles, "realPath"> & Pick<SkillFiles, "readText" | "list">,
  root: string,
): Promise<SkillFiles> {
  const isWithin = await withinFolder(files, root);
  return {
    readText: async (path, maxBytes) =>
      (await isWithin(path)) ? files.readText(path, maxBytes) : { kind: "absent" },
    list: async (folder) => ((await isWithin(folder)) ? files.list(folder) : []),
    realPath: (path) => files.realPath(path),
  };
}
