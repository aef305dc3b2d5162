import { z } from "./zod.ts";

/** The paper's six experiments (SPEC §8), and self-distillation, which is ours. */
export const EXPERIMENTS = ["e1", "e2", "e3", "e4", "e5", "e6", "e7"] as const;
export type ExperimentName = (typeof EXPERIMENTS)[number];

export const METHODS = ["sft", "rs", "opd", "sdft"] as const;
export type TrainMethod = (typeof METHODS)[number];

const positive = z.number().positive();
const whole = z.number().int().positive();
const share = z.number().min(0).max(1);

/** The student that an experiment starts from: the model as it is, an adapter, or epochs of SFT on the same pool (SPEC §8). */
const startSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("base") }),
  z.strictObject({ kind: z.literal("adapter"), folder: z.string() }),
  z.strictObject({ kind: z.literal("sft"), epochs: positive, learning_rate: positive }),
]);

const rolloutSchema = z.strictObject({
  /** Episodes of a question: the group size k. */
  samples: whole,
  temperature: z.number().min(0),
  top_p: share,
  max_steps: whole,
  max_search_calls: z.number().int().nonnegative(),
  max_read_calls: z.number().int().nonnegative(),
  retriever: z.enum(["corpus", "http", "wikipedia", "serpapi", "teacher-snippet"]),
  setting: z.enum(["full", "pf-only", "teacher-only", "prompt-only", "ra-agent"]),
  concurrency: whole,
});

const trainSchema = z.strictObject({
  /** One for all iterations, or one for each. */
  learning_rate: z.union([positive, z.array(positive).min(1)]),
  /** Of one iteration. */
  epochs: positive,
  /** Null: all weights are trained. */
  lora: z.strictObject({ rank: whole, alpha: positive, dropout: share }).nullable(),
  precision: z.enum(["auto", "bf16", "fp32"]),
  gradient_checkpointing: z.boolean(),
  /** Tokens of one optimizer step, about; the accumulation follows from it. */
  tokens_per_step: whole,
  /** Tokens of a row; a longer one is an error of preflight. */
  max_length: whole,
  /** Share of an iteration's optimizer steps. */
  warmup: share,
  schedule: z.enum(["cosine", "linear", "constant"]),
  seed: z.number().int(),
  log_every: whole,
  save_every: whole,
  packing: z.boolean(),
  /** Processes of a training on each machine, one for each GPU; absent: 1. */
  processes: whole.optional(),
  /** `row`: the loss of a row counts by its sample_weight. */
  weights: z.enum(["row", "none"]),
});

/** The teacher that corrects states in on-policy distillation; null where the method has none. */
const teacherSchema = z.strictObject({ model: z.string(), max_tokens: whole, concurrency: whole });

/** A configuration of an experiment, as `src/training/experiments/e1.yaml` and a person's own file hold it (SPEC §8). */
export const experimentConfigSchema = z.strictObject({
  experiment: z.enum(EXPERIMENTS),
  loop: z.enum(["open", "closed"]),
  method: z.enum(METHODS),
  /** Folder or name of the student. */
  model: z.string(),
  start: startSchema,
  /** Open loop: rollouts and trainings, one after the other. Closed loop: phases, each of which evolves the library first. */
  iterations: whole,
  rollout: rolloutSchema,
  train: trainSchema,
  teacher: teacherSchema.nullable(),
  /** Closed loop: how the library evolves before each training. */
  evolve: z.strictObject({ preset: z.enum(["e4", "e5", "e6"]), epochs: whole }).nullable(),
  evaluate: z.strictObject({
    split: z.enum(["test", "val", "none"]),
    /** Questions at most; null: all. */
    limit: whole.nullable(),
    when: z.array(z.enum(["before", "after"])),
  }),
});
export type ExperimentConfig = z.infer<typeof experimentConfigSchema>;

/** Kinds of jobs of an experiment. */
export const STAGES = ["rollout", "evolve", "data", "train", "evaluate"] as const;
export type Stage = (typeof STAGES)[number];

export const STAGE_WORDS: Readonly<Record<Stage, string>> = {
  rollout: "Roll out the train split",
  evolve: "Evolve the library",
  data: "Build training data",
  train: "Train the student",
  evaluate: "Evaluate the student",
};
