import { join } from "node:path";
import type { NodeFiles } from "./files.ts";

type Files = Pick<NodeFiles, "stat" | "list" | "read" | "create">;

/** The run of the sample, from its root. It is copied last: a folder that holds it is a whole copy. */
export const SAMPLE_RUN = ".hasp/runs/first-look/episodes.jsonl";

/** The name of a copy's folder. */
const NAME = "hasp-sample";

/** Files that HASP writes into a workspace by itself; a repository's own samples/ may hold them. */
const GENERATED = /^(?:\.hasp\/(?:types|cache)\/|skills\/tsconfig\.json$)|\.(?:index|lock|tmp)$/;

async function filesBelow(files: Files, folder: string, path: string): Promise<string[]> {
  const found = await files.stat(join(folder, path));
  if (found === undefined || found.isFile) return found === undefined ? [] : [path];
  const names = await files.list(join(folder, path));
  const below = names.map((name) => filesBelow(files, folder, path === "" ? name : `${path}/${name}`));
  return (await Promise.all(below)).flat();
}

/** The files of the sample in `folder`, from there, with `/` between names; the run's episodes last. */
export async function sampleFiles(files: Files, folder: string): Promise<readonly string[]> {
  const all = (await filesBelow(files, folder, "")).filter((path) => !GENERATED.test(path));
  return [...all.filter((path) => path !== SAMPLE_RUN), ...all.filter((path) => path === SAMPLE_RUN)];
}

/** Whether `folder` holds a copy of the sample, edited or not. */
export async function holdsSample(files: Files, folder: string): Promise<boolean> {
  return (await files.stat(join(folder, SAMPLE_RUN)))?.isFile === true;
}

/** `hasp-sample` below `parent`, or `hasp-sample-2`, …: the first that is free, empty, or a copy of the sample. */
async function placeBelow(files: Files, parent: string): Promise<string> {
  for (let count = 1; ; count++) {
    const folder = join(parent, count === 1 ? NAME : `${NAME}-${count}`);
    const isFree = (await files.stat(folder)) === undefined;
    if (isFree || (await isUsable(files, folder))) return folder;
  }
}

/** A copy of the sample, or an empty folder. */
async function isUsable(files: Files, folder: string): Promise<boolean> {
  if (await holdsSample(files, folder)) return true;
  return (await files.stat(folder))?.isFile === false && (await files.list(folder)).length === 0;
}

/**
 * Copies the sample at `from` into a folder of its own below `parent`, or into `parent` itself where a person chose an empty folder. Overwrites
 * nothing: a copy that is there is answered as it is. Answers the folder of the copy. Rejects with a FileError.
 */
export async function copySample(
  files: Files,
  { from, parent, isOwn }: { readonly from: string; readonly parent: string; readonly isOwn: boolean },
): Promise<string> {
  const folder = isOwn && (await isUsable(files, parent)) ? parent : await placeBelow(files, parent);
  if (await holdsSample(files, folder)) return folder;
  for (const path of await sampleFiles(files, from)) {
    const size = (await files.stat(join(from, path)))?.size ?? 0;
    await files.create(join(folder, path), await files.read(join(from, path), 0, size));
  }
  return folder;
}
