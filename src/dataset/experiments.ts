import type { ExperimentName, TrainMethod } from "../model/experiment.ts";
import type { RowFilter } from "../model/train-data.ts";

/** The data block of an experiment: its file, its filter, and when the file is built anew (SPEC §8, layer 3). */
export interface DataBlock {
  readonly loop: "open" | "closed";
  readonly method: TrainMethod;
  readonly file: "a-sft.jsonl" | "a-context.jsonl";
  readonly filter: RowFilter;
  /** `phase`: after each phase, with the runs of the new rollout; `never`: the pool stays as it was rolled out. */
  readonly refresh: "never" | "phase";
}

const block = (loop: DataBlock["loop"], method: DataBlock["method"], filter: RowFilter): DataBlock => ({
  loop,
  method,
  file: "a-sft.jsonl",
  filter,
  refresh: loop === "open" ? "never" : "phase",
});

/**
 * E1 to E3 train on one rollout with a frozen library, E4 to E6 roll out anew after each phase (SPEC §8). E7 is ours: the student learns to act
 * without the contexts of Program Functions as it does with them.
 */
export const DATA_BLOCKS: Readonly<Record<ExperimentName, DataBlock>> = {
  e1: block("open", "sft", "none"),
  e2: block("open", "rs", "rs"),
  e3: block("open", "opd", "opd"),
  e4: block("closed", "sft", "none"),
  e5: block("closed", "rs", "rs"),
  e6: block("closed", "opd", "opd"),
  e7: { ...block("open", "sdft", "none"), file: "a-context.jsonl" },
};
