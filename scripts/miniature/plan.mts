/** The sizes of the demonstration and the values that differ from the shipped configurations. All are fixed before a run is measured. */
import { EXPERIMENTS, type ExperimentName } from "../../src/model/experiment.ts";

export interface Size {
  /** Names of people: the people of every world. */
  readonly people: number;
  readonly heldOut: number;
  /** Cities, and as many countries. */
  readonly places: number;
  /** Optimizer steps of the phases of the pre-training; `good` ends sooner where its loss shows that every look-up is right. */
  readonly steps: { readonly recall: number; readonly good: number; readonly mixed: number };
  /** Questions of an evaluation at most; null: all. */
  readonly limit: number | null;
  readonly seeds: readonly number[];
  readonly experiments: readonly ExperimentName[];
}

export const FULL: Size = {
  people: 120,
  heldOut: 24,
  places: 24,
  steps: { recall: 200, good: 600, mixed: 500 },
  limit: null,
  seeds: [1, 2, 3],
  experiments: EXPERIMENTS,
};

export const SHORT: Size = {
  // Fewer would leave no question for training: seed and val split take a hundred.
  people: 80,
  heldOut: 16,
  places: 8,
  steps: { recall: 100, good: 120, mixed: 100 },
  limit: 6,
  seeds: [1],
  experiments: ["e1"],
};

/** About a million parameters. */
export const STUDENT = { hidden: 128, layers: 3, heads: 4 };

/** Rates of the pre-training. A student of this size wants a thousand times those of a large one. */
export function phasesOf({ steps }: Size, run: (name: string) => string): readonly object[] {
  const good = ["good", "good-skills"].map(run);
  const mixed = ["mixed", "mixed-skills"].map(run);
  const rates = (batch: number, learning_rate: number, warmup: number): object => ({
    batch,
    learning_rate,
    warmup,
  });
  return [
    { name: "recall", kind: "recall", steps: steps.recall, ...rates(64, 2e-3, 30) },
    { name: "good", kind: "episodes", runs: good, steps: steps.good, until: 0.005, ...rates(16, 1.5e-3, 50) },
    { name: "mixed", kind: "proposals", runs: mixed, steps: steps.mixed, ...rates(16, 1e-3, 20) },
  ];
}

/** Settings that all trainings of this student share. */
export const TRAINING = {
  learning_rate: 1e-3,
  precision: "auto",
  gradient_checkpointing: false,
  tokens_per_step: 4096,
  max_length: 1024,
  log_every: 5,
  save_every: 1000,
} as const;

/** E2 and E3, E5 to E7 start from a student after one epoch of SFT (SPEC §8). */
export const isWarmedUp = (name: ExperimentName): boolean => name !== "e1" && name !== "e4";

/** The configuration of an experiment, as `hasp experiment --config` lays it over the shipped one. */
export function configOf(name: ExperimentName, size: Size, student: string, split: "test" | "val"): object {
  return {
    model: student,
    // No teacher decides in an episode: Program Functions alone correct.
    rollout: { setting: "pf-only", retriever: "teacher-snippet", max_read_calls: 0, concurrency: 8 },
    train: TRAINING,
    ...(isWarmedUp(name) && { start: { kind: "sft", epochs: 1, learning_rate: TRAINING.learning_rate } }),
    teacher: null,
    // The student before training is the same in all experiments of a seed.
    evaluate: {
      split,
      limit: size.limit,
      when: name === size.experiments[0] ? ["before", "after"] : ["after"],
    },
  };
}
