import { join } from "node:path";
import type * as vscode from "vscode";
import { readJob } from "../../jobs/job-folder.ts";
import { readState, recordOf } from "../../jobs/state-file.ts";
import type { Checked } from "../../model/diagnostic.ts";
import type { NodeFiles } from "../../platform/files.ts";
import { plainLine, statusWord } from "../experiments/words.ts";
import { type StateFolders, watchStateFolders } from "../state-folders.ts";
import type { Training, TrainingRuns } from "./training-runs.ts";

const PLACE = ".hasp/jobs";
const METRICS = "metrics.jsonl";
/** The files that tell how far a job is, and the points of its training. */
const WANTED = /^(?:job\.json|state\.jsonl|metrics\.jsonl)$/;

/** A job as the dashboard lists it. */
interface JobReport extends Pick<Training, "title" | "status" | "words" | "createdAt"> {
  /** It trains, or has trained. */
  readonly isTraining: boolean;
}

async function readReport(files: NodeFiles, folder: string): Promise<Checked<JobReport>> {
  const { value: spec, diagnostics } = await readJob(files, folder);
  if (spec === undefined) return { value: undefined, diagnostics };
  const { attempts } = (await readState(files, folder)).value;
  // Whether its runner lives is not looked at: a training that was cut off counts as running here.
  const record = recordOf({ attempts, size: 0, endsInLine: true });
  const hasMetrics = (await files.stat(join(folder, METRICS))) !== undefined;
  const value = {
    title: plainLine(spec.title),
    status: record.status,
    words: statusWord(record),
    createdAt: attempts[0]?.began.at ?? "",
    isTraining: spec.metrics !== undefined || hasMetrics,
  };
  return { value, diagnostics: [] };
}

/** The jobs of the workspace that train, below `.hasp/jobs`. */
export function jobRuns(files: NodeFiles, log: vscode.LogOutputChannel): TrainingRuns & vscode.Disposable {
  const folders: StateFolders<JobReport, never, { readonly work: never }> = watchStateFolders({
    place: PLACE,
    state: "job.json",
    wanted: WANTED,
    depth: 1,
    log,
    read: (folder) => readReport(files, folder),
    createdAt: ({ createdAt }) => createdAt,
  });
  return {
    async list() {
      return (await folders.list()).flatMap(({ folder, report }): Training[] => {
        if (report.value?.isTraining !== true) return [];
        const { title, status, words, createdAt } = report.value;
        const file = { path: join(folder.fsPath, METRICS), name: METRICS };
        return [{ id: folder.toString(), title, status, words, createdAt, files: [file] }];
      });
    },
    onDidChange: (listener) => folders.onDidChange(listener),
    dispose: () => folders.dispose(),
  };
}
