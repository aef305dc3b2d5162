import { basename } from "node:path";
import type { JobStatus } from "../../model/job.ts";
import { experimentPaths, trainPaths } from "../../training/paths.ts";
import type { ExperimentReport } from "../../training/report.ts";
import type { Experiments, FoundExperiment } from "../experiments/experiments.ts";
import { experimentWords, stageInFront, stateOf } from "../experiments/words.ts";
import type { Training, TrainingRuns } from "./training-runs.ts";

function statusOf(report: ExperimentReport, work: FoundExperiment["work"]): JobStatus {
  const state = stateOf(report, work);
  if (state === "done") return "succeeded";
  if (state !== "unfinished") return "running";
  return stageInFront(report.stages)?.record.status === "failed" ? "failed" : "stopped";
}

function trainingOf({ folder, name, report, work }: FoundExperiment): readonly Training[] {
  const { value } = report;
  if (value === undefined) return [];
  const paths = experimentPaths(folder.fsPath);
  const iterations = value.stages.flatMap(({ stage, iteration }) => (stage === "train" ? [iteration] : []));
  const files = [...new Set(iterations)]
    .sort((a, b) => a - b)
    .map((iteration) => {
      const path = trainPaths(paths.train(iteration)).metrics;
      return { path, name: `train/${iteration}/${basename(path)}`, iteration };
    });
  const words = experimentWords(value, work);
  const { createdAt } = value;
  return [{ id: folder.toString(), title: name, status: statusOf(value, work), words, createdAt, files }];
}

/** The experiments of the workspace, each with the trainings of its iterations as one. */
export function experimentRuns(experiments: Experiments): TrainingRuns {
  return {
    list: async () => (await experiments.list()).flatMap(trainingOf),
    onDidChange: (listener) => experiments.onDidChange(listener),
  };
}
