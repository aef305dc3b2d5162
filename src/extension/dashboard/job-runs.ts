import { jobStatusWord } from "../../model/job-words.ts";
import { plainLine } from "../experiments/words.ts";
import { recordOf, type FoundJob, type Jobs } from "../jobs/jobs.ts";
import type { Training, TrainingRuns } from "./training-runs.ts";

function trainingOf(found: FoundJob): readonly Training[] {
  const { folder, report } = found;
  const { value } = report;
  const record = recordOf(found);
  if (value === undefined || record === undefined || value.metricsFiles.length === 0) return [];
  const { spec, createdAt, metricsFiles } = value;
  const files = metricsFiles.map((path, i) => ({ path, name: spec.metrics?.[i] ?? path }));
  const words = jobStatusWord(record);
  return [
    { id: folder.toString(), title: plainLine(spec.title), status: record.status, words, createdAt, files },
  ];
}

/** The jobs of the workspace that train; points that this window follows are a change, too. */
export const jobRuns = (jobs: Pick<Jobs, "list" | "onDidChange">): TrainingRuns => ({
  list: async () => (await jobs.list()).flatMap(trainingOf),
  onDidChange: (listener) => jobs.onDidChange(listener),
});
