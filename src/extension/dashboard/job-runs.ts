import type * as vscode from "vscode";
import { metricsPaths, readJob } from "../../jobs/job-folder.ts";
import { knownStatus } from "../../jobs/remote/known-status.ts";
import { metricsHere } from "../../jobs/remote/mirror.ts";
import { readRecord } from "../../jobs/remote/record.ts";
import { readState, recordOf } from "../../jobs/state-file.ts";
import type { Checked } from "../../model/diagnostic.ts";
import type { NodeFiles } from "../../platform/files.ts";
import { plainLine, statusWord } from "../experiments/words.ts";
import { type StateFolders, watchStateFolders } from "../state-folders.ts";
import type { Training, TrainingRuns } from "./training-runs.ts";

const PLACE = ".hasp/jobs";
/** The files that tell how far a job is, and copies of the points of its trainings. */
const WANTED = /^(?:job\.json|(?:state|target)\.jsonl|status\.json|(?:metrics\/\d+|metrics)\.jsonl)$/;

/** A job as the dashboard lists it. */
type JobReport = Pick<Training, "title" | "status" | "words" | "createdAt" | "files">;

async function readReport(files: NodeFiles, folder: string): Promise<Checked<JobReport>> {
  const { value: spec, diagnostics } = await readJob(files, folder);
  if (spec === undefined) return { value: undefined, diagnostics };
  const target = await readRecord(files, folder);
  const state = (await readState(files, folder)).value;
  // Whether its runner lives is not looked at: a training that was cut off counts as running here.
  const record = target === undefined ? recordOf(state) : await knownStatus(files, folder);
  const paths = target === undefined ? metricsPaths(folder, spec) : metricsHere(folder, spec);
  const value = {
    title: plainLine(spec.title),
    status: record.status,
    words: statusWord(record),
    createdAt: state.attempts[0]?.began.at ?? "",
    files: paths.map((path, i) => ({ path, name: spec.metrics?.[i] ?? path })),
  };
  return { value, diagnostics: [] };
}

/** The jobs of the workspace that train, below `.hasp/jobs`. */
export function jobRuns(files: NodeFiles, log: vscode.LogOutputChannel): TrainingRuns & vscode.Disposable {
  const folders: StateFolders<JobReport, never, { readonly work: never }> = watchStateFolders({
    place: PLACE,
    state: "job.json",
    wanted: WANTED,
    // `<id>/metrics`.
    depth: 2,
    log,
    read: (folder) => readReport(files, folder),
    createdAt: ({ createdAt }) => createdAt,
  });
  return {
    async list() {
      return (await folders.list()).flatMap(({ folder, report }): Training[] => {
        const { value } = report;
        return value === undefined || value.files.length === 0 ? [] : [{ id: folder.toString(), ...value }];
      });
    },
    onDidChange: (listener) => folders.onDidChange(listener),
    dispose: () => folders.dispose(),
  };
}
