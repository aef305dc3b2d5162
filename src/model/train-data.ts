/** Objective A trains a policy to act as Program Functions correct it, objective B an author of skills (SPEC §8, layer 2). */
export const OBJECTIVES = ["a", "b"] as const;
export type Objective = (typeof OBJECTIVES)[number];

/**
 * The rows of a file: every step, the better samples of each question by rejection sampling (`rs`), or the corrected steps alone, for on-policy
 * distillation (`opd`).
 */
export const FILTERS = ["none", "rs", "opd"] as const;
export type RowFilter = (typeof FILTERS)[number];

export const FILTER_WORDS: Readonly<Record<RowFilter, string>> = {
  none: "every step",
  rs: "rejection sampling: the better half of the samples of each question",
  opd: "on-policy distillation: corrected steps alone",
};

/** The files of a folder of training data, by their shape. */
export const TRAIN_FILES = {
  "a-sft": { file: "a-sft.jsonl", objective: "a", about: "prompt and corrected action, weighted" },
  "a-dpo": { file: "a-dpo.jsonl", objective: "a", about: "corrected action against the proposed one" },
  "a-prompt": { file: "a-prompt.jsonl", objective: "a", about: "prompts alone" },
  "a-context": {
    file: "a-context.jsonl",
    objective: "a",
    about: "prompts without and with the contexts of Program Functions",
  },
  "b-sft": {
    file: "b-sft.jsonl",
    objective: "b",
    about: "SKILL.md and pf.ts by their author's prompt, weighted",
  },
  "b-dpo": { file: "b-dpo.jsonl", objective: "b", about: "the better candidate against a worse one" },
} as const;
export type TrainFile = keyof typeof TRAIN_FILES;
export const TRAIN_KINDS = Object.keys(TRAIN_FILES) as readonly TrainFile[];

/** Names of the card of a file, as JSON and as Markdown. */
export const cardFiles = (kind: TrainFile) => [`${kind}.card.json`, `${kind}.card.md`] as const;

/** Layer 1: one line for each step with its fifteen signals, whether it became a row or not. */
export const STEPS_FILE = "steps.jsonl";
/** The order that a folder was built by, and the data block of its experiment (layer 3). */
export const BLOCK_FILE = "data.yaml";

/** Reasons why a step is in no file of objective A, in the order in which they are looked for. */
export const DROP_REASONS = [
  "abandoned",
  "held_out",
  "no_outcome",
  "behind_divergence",
  "branch_prefix",
  "not_run",
  "invalid_action",
  "broken_draft",
  "under_floor",
  "no_rank",
  "filter_score",
  "filter_half",
  "not_corrected",
  "no_context",
  "same_reply",
  "no_completion",
  "no_prompt",
  "transcript_prompt",
  "other_prompt",
  "cut_off",
  "too_long",
] as const;
export type DropReason = (typeof DROP_REASONS)[number];

export const DROP_WORDS: Readonly<Record<DropReason, string>> = {
  abandoned: "a person took the step back: it is part of an abandoned branch",
  held_out: "the question belongs to a test or validation split",
  no_outcome: "the episode has no verdict, and the weights need one",
  behind_divergence: "the re-driven episode had left its record before",
  branch_prefix: "the step was taken over from another episode",
  not_run: "the action did not run: its budget was spent",
  invalid_action: "the action is none of the environment, or empty",
  broken_draft: "the revision of a right draft is wrong",
  under_floor: "the reward is under the floor",
  no_rank: "rejection sampling: the episode has no outcome to be ranked by",
  filter_score: "rejection sampling: the composite score is under the least",
  filter_half: "rejection sampling: not in the better half of its question's samples",
  not_corrected: "on-policy distillation: nothing was corrected",
  no_context: "the policy read no context of a Program Function here",
  same_reply: "its reply is that of an earlier step, which has the row: several calls at once",
  no_completion: "the record has no completion of the policy",
  no_prompt: "the messages that the policy read are missing",
  transcript_prompt: "its prompt is that of a transcript, and exact prompts are asked for",
  other_prompt: "the context is not where this version of the prompt puts it",
  cut_off: "the completion was cut off at the longest reply",
  too_long: "the row is longer than the most tokens of a row",
};

/**
 * How a row knows what its policy read: `exact`: word for word; `transcript`: what was said, without what the host adds to each request.
 * `none`: not at all, so the step has no row.
 */
export type PromptOrigin = "exact" | "transcript" | "none";

/** A row of a file as it leads back to its step. */
export interface RowPlace {
  /** The run, as the order named it. */
  readonly run: string;
  readonly episode: string;
  readonly questionId: string;
  readonly sample: number;
  /** 1-based. */
  readonly step: number;
}
