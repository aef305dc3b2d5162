import type { Checked } from "../model/diagnostic.ts";
import type { Episode } from "../model/episode.ts";
import { sampleId } from "../model/sample.ts";
import { readEpisode } from "../trace/episode-file.ts";
import type { IndexEntry } from "../trace/index-sidecar.ts";
import type { TraceFiles } from "../trace/ports.ts";
import { openRun, type OpenedRunFolder } from "../trace/run-folder.ts";
import { runPaths } from "../trace/run-paths.ts";
import { failed } from "./refusal.ts";

/** The run folder that a person means: a path to its `episodes.jsonl` means the folder of that file. */
export function runFolderOf(given: string): string {
  const [, folder = ""] = /^(?:(.*)[/\\])?episodes\.jsonl$/.exec(given) ?? [undefined, given];
  return folder === "" ? "." : folder;
}

/** Opens a run folder, or the folder of an `episodes.jsonl`. HASP572 without one. Rejects on I/O errors. */
export async function openRunAt(files: TraceFiles, given: string): Promise<Checked<OpenedRunFolder>> {
  const folder = runFolderOf(given);
  if ((await files.stat(runPaths(folder).episodes)) !== undefined) {
    const value = await openRun(files, folder);
    return { value, diagnostics: value.diagnostics };
  }
  const next = "A run is a folder with an episodes.jsonl. Make one with `hasp import`.";
  return failed("HASP572", `There is no run at ${given}.`, next, folder);
}

/**
 * The entry of an episode that is named by its position, its id or, as a text, its 1-based number, by question and sample (`q1#2`), or by
 * its question alone, which means the lowest sample. HASP573 without one.
 */
export function entryOf(
  { folder, index }: Pick<OpenedRunFolder, "folder" | "index">,
  wanted: number | string,
): Checked<IndexEntry> {
  const { entries } = index;
  const value =
    entries.find(({ head }) => head.id === wanted) ??
    entries[typeof wanted === "number" ? wanted : numbered(wanted)] ??
    ofQuestion(entries, wanted);
  if (value !== undefined) return { value, diagnostics: [] };
  if (typeof wanted === "number")
    return failed("HASP573", "The run has no such episode.", "Open the run anew.", folder);
  const next = `Name an id, or a number from 1 to ${entries.length}. The first is ${entries[0]?.head.id ?? "missing"}.`;
  return failed("HASP573", `The run has no episode ${wanted}.`, next, folder);
}

function ofQuestion(entries: readonly IndexEntry[], wanted: number | string): IndexEntry | undefined {
  const [first] = entries
    .filter(({ head }) => head.questionId === wanted)
    .toSorted((a, b) => (a.head.sample ?? 1) - (b.head.sample ?? 1));
  return (
    first ?? entries.find(({ head: { questionId, sample = 1 } }) => sampleId(questionId, sample) === wanted)
  );
}

const numbered = (text: string): number => (/^\d+$/.test(text) ? Number(text) - 1 : -1);

/** An episode of a run, named as in `entryOf`; without a value, the finding says why it cannot be read. */
export async function episodeOf(
  files: TraceFiles,
  run: Pick<OpenedRunFolder, "folder" | "index">,
  wanted: number | string,
): Promise<Checked<Episode>> {
  const { value: entry, diagnostics } = entryOf(run, wanted);
  if (entry === undefined) return { value: undefined, diagnostics };
  return readEpisode(files, run.index, run.index.entries.indexOf(entry));
}
