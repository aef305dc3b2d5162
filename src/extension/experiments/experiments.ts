import type * as vscode from "vscode";
import type { Checked } from "../../model/diagnostic.ts";
import type { NodeFiles } from "../../platform/files.ts";
import type { ScoresOf } from "../../training/evaluations.ts";
import type { ExperimentReport } from "../../training/report.ts";
import { type FoundFolder, type StateFolders, watchStateFolders } from "../state-folders.ts";
import { parentOf } from "../workspace/skill-folders.ts";
import type { Work } from "./words.ts";

/** An experiment of the workspace, below `.hasp/experiments`. */
export type FoundExperiment = FoundFolder<ExperimentReport, Work>;

/** An experiment that this window follows. */
export interface RunningExperiment {
  readonly work: Work;
  /** Ends it at a clean boundary. */
  readonly stop: () => void;
  /** Lets it go: the running job continues by itself. */
  readonly detach: () => void;
}

/** The experiments of the workspace, on the disk and at work. */
export type Experiments = StateFolders<ExperimentReport, Work, RunningExperiment>;

const PLACE = ".hasp/experiments";

/** `.hasp/experiments/<name>`, relative to the workspace folder. */
export const folderNamed = (name: string): string => `${PLACE}/${name}`;

/** The workspace folder of an experiment's folder. */
export const rootOf = (folder: vscode.Uri): vscode.Uri => parentOf(parentOf(parentOf(folder)));

/** The files that `readExperiment` reads. */
const WANTED =
  /^(?:[\w-]+\.json|jobs\/[^/]+\/(?:job\.json|state\.jsonl)|train\/[^/]+\/(?:metrics\.jsonl|result\.json))$/;

/** Reads folders of experiments, with the state of each job. Scores of a run are kept, because each line of metrics is a change. */
function reader(files: NodeFiles): (folder: string) => Promise<Checked<ExperimentReport>> {
  let scoresOf: ScoresOf | undefined;
  return async (folder) => {
    const { scoresIn } = await import("../../training/evaluations.ts");
    return readIn(files, folder, (scoresOf ??= scoresIn(files)));
  };
}

async function readIn(
  files: NodeFiles,
  folder: string,
  scoresOf: ScoresOf,
): Promise<Checked<ExperimentReport>> {
  const { readExperiment } = await import("../../training/report.ts");
  const { localJobs } = await import("../../platform/local-jobs.ts");
  const { pythonHere } = await import("./trainer.ts");
  // Nothing is started: the build of its programs does not matter.
  const jobs = localJobs({
    build: { cli: "", trainer: "" },
    python: async () => pythonHere(),
    environment: {},
  });
  return readExperiment(files, folder, (job) => jobs.status(job), scoresOf);
}

export function watchExperiments(files: NodeFiles, log: vscode.LogOutputChannel): Experiments {
  return watchStateFolders({
    place: PLACE,
    state: "experiment.json",
    wanted: WANTED,
    // `<name>/jobs/<job>`.
    depth: 3,
    log,
    read: reader(files),
    createdAt: ({ createdAt }) => createdAt,
  });
}
