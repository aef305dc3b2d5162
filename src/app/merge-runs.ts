import { mergeRuns, type MergedRun, type MergeFiles } from "../evaluation/merge-runs.ts";
import type { NamedText } from "../evaluation/run-inputs.ts";
import type { Checked } from "../model/diagnostic.ts";
import type { TraceFiles } from "../trace/ports.ts";
import { runFolderOf } from "./open-run.ts";
import type { OnlyWriter } from "./ports.ts";
import { progressOf, type Progress } from "./progress.ts";
import { failed } from "./refusal.ts";

export type { MergedRun };

export interface MergeOrder {
  /** Run folders, or their `episodes.jsonl`. */
  readonly runs: readonly string[];
  /** The run folder to make; in none of the runs. */
  readonly output: string;
  /** The file with the questions in their order; undefined: the one that the runs name, where it is unchanged, else by id. */
  readonly questions: NamedText | undefined;
}

type Fill = Parameters<MergeFiles["newFolder"]>[1];

/** Services of a merge; `on` hears of each episode. */
export interface MergeServices {
  readonly files: TraceFiles;
  /** As in `MergeFiles`; calls `release` before the folder gets its name. */
  readonly newFolder: (path: string, fill: Fill, release: () => void) => Promise<void>;
  readonly asOnlyWriter: OnlyWriter;
  /** Whether the path is the folder or lies in it. */
  readonly isInside: (folder: string, path: string) => boolean;
  readonly signal: AbortSignal;
  readonly on: (event: Progress) => void;
}

/** Makes one run of the runs of several shards. Findings as of `mergeRuns` (evaluation), and HASP559 for an output in one of the runs. */
export async function mergeShards(
  { runs, output, questions }: MergeOrder,
  { files, newFolder, asOnlyWriter, isInside, signal, on }: MergeServices,
): Promise<Checked<MergedRun>> {
  const folders = runs.map((run) => runFolderOf(run).replace(/(?<=.)[/\\]+$/, ""));
  const around = folders.find((folder) => isInside(folder, output));
  if (around !== undefined) {
    const message = `${output} lies in ${around}, which is to be merged.`;
    return failed("HASP559", message, "Name a folder beside the runs.", output);
  }
  const onProgress = (done: number, total: number): void => on(progressOf(done, total, "episodes"));
  return asOnlyWriter(output, (lock) => {
    const releasing = (path: string, fill: Fill) => newFolder(path, fill, () => lock.release());
    return mergeRuns({ ...files, newFolder: releasing }, { folders, output, questions, signal, onProgress });
  });
}
