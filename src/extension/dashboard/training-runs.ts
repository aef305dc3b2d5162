import type { CurveFile } from "../../jobs/training-curve.ts";
import type { TrainingRun } from "../../protocol/dashboard.ts";

/** A training of the workspace, with the files that its trainer appends to. */
export interface Training extends TrainingRun {
  /** ISO 8601: the newest is listed first, and shown by default. */
  readonly createdAt: string;
  /** In the order of the iterations; not read before the training is shown. */
  readonly files: readonly CurveFile[];
}

/** A source of trainings, such as the experiments or the jobs of the workspace. */
export interface TrainingRuns {
  list(): Promise<readonly Training[]>;
  /** Fires when a training, its status or one of its files has changed. */
  readonly onDidChange: (listener: () => void) => { dispose(): void };
}

/** Several sources as one, newest first. */
export function joinedRuns(sources: readonly TrainingRuns[]): TrainingRuns {
  return {
    async list() {
      const lists = await Promise.all(sources.map((source) => source.list()));
      return lists.flat().sort((a, b) => b.createdAt.localeCompare(a.createdAt));
    },
    onDidChange(listener) {
      const held = sources.map((source) => source.onDidChange(listener));
      return { dispose: () => held.forEach((one) => one.dispose()) };
    },
  };
}
