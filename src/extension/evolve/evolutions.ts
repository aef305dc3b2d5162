import type * as vscode from "vscode";
import type { EvolutionReport } from "../../evolve/report.ts";
import type { NodeFiles } from "../../platform/files.ts";
import { type FoundFolder, type StateFolders, watchStateFolders } from "../state-folders.ts";
import type { Work } from "./words.ts";

/** An evolution of the workspace, below `.hasp/evolutions`. */
export type FoundEvolution = FoundFolder<EvolutionReport, Work>;

/** An evolution that this window runs. */
export interface RunningEvolution {
  readonly work: Work;
  /** Ends it after the running phase. */
  readonly stop: () => void;
  /** Ends it at once. */
  readonly cancel: () => void;
}

/** The evolutions of the workspace, on the disk and at work. */
export type Evolutions = StateFolders<EvolutionReport, Work, RunningEvolution>;

/** The files that `readEvolution` reads. */
const WANTED =
  /^(?:(?:evolution|final)\.json|epoch_\d+\/(?:(?:rollout|failures|proposals|checks|reviews|admission|credit|data)\.json|candidates\.jsonl))$/;

export function watchEvolutions(files: NodeFiles, log: vscode.LogOutputChannel): Evolutions {
  return watchStateFolders({
    place: ".hasp/evolutions",
    state: "evolution.json",
    wanted: WANTED,
    // `<name>/epoch_<i>`.
    depth: 2,
    log,
    read: async (folder) => (await import("../../evolve/report.ts")).readEvolution(files, folder),
    createdAt: ({ order }) => order.createdAt,
  });
}
