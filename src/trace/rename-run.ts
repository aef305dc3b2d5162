import { runSchema } from "../model/episode.ts";
import { parseJson } from "../model/read-json.ts";
import type { TraceFiles } from "./ports.ts";
import { runPaths } from "./run-paths.ts";
import { decodeUtf8 } from "./text-lines.ts";

/** Characters of a title. */
export const MAX_TITLE = 120;

/** Why this text cannot be a run's title, as a sentence; undefined where it can. */
export function titleProblem(title: string): string | undefined {
  if (title.trim() === "") return "Enter a name.";
  if (/\p{Cc}/u.test(title)) return "A name is one line of text.";
  return title.length > MAX_TITLE ? `A name has at most ${MAX_TITLE} characters.` : undefined;
}

/**
 * Gives a run another title and keeps all else that its `run.json` holds. False where there is none that can be read; then nothing is written.
 * The caller holds the folder's lock. Rejects with a FileError.
 */
export async function renameRun(files: TraceFiles, folder: string, title: string): Promise<boolean> {
  const { run } = runPaths(folder);
  const size = (await files.stat(run))?.size ?? 0;
  const found = parseJson(decodeUtf8([await readAll(files, run, size)]));
  if (!runSchema.safeParse(found).success) return false;
  const text = `${JSON.stringify({ ...(found as object), title: title.trim() }, undefined, 2)}\n`;
  await files.writeAtomic(run, new TextEncoder().encode(text));
  return true;
}

async function readAll(files: TraceFiles, path: string, size: number): Promise<Uint8Array> {
  return size === 0 ? new Uint8Array() : files.read(path, 0, size);
}
