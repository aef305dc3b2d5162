import type { StandingOutcome } from "./episode.ts";
import type { RefusedReply } from "./refused-reply.ts";
import { z } from "./zod.ts";

/**
 * The detectors of failed episodes: twelve of SPEC §7 B, and two of programs that tests judge (SPEC §10.8). Their domain says which of them
 * run, and how (`Domain.detectors`). Those that read the gold answer, a verdict or the outcome serve failure analysis alone.
 */
export const FAILURE_DETECTORS = [
  "premature_final",
  "repeated_search",
  "no_read_before_final",
  "query_too_broad",
  "query_too_narrow",
  "wrong_entity_focus",
  "reasoning_hallucination",
  "format_mismatch",
  "partial_answer",
  "contradictory_evidence_ignored",
  "excessive_steps_no_progress",
  "incomplete_implementation",
  "incomplete_logic",
  "pf_override_harmful",
] as const;
export type FailureDetector = (typeof FAILURE_DETECTORS)[number];

/** The failure that a detector finds, in general words, as an author of skills reads it. Names no gold answer and no outcome. */
export interface DetectorPattern {
  readonly group: FailureGroup;
  readonly abstraction: string;
  readonly trigger: string;
  readonly hint: string;
}

/** A detector that holds for an episode, and the steps that show it. */
export interface DetectedFailure {
  readonly name: FailureDetector;
  /** 0-based, in order; none where it is about the whole episode. */
  readonly steps: readonly number[];
  /** For people. It may name the gold answer: it is not shown to an author of skills. */
  readonly reason: string;
  /** Where its domain describes the failure in words of its own. */
  readonly pattern?: DetectorPattern;
}

/** The six broad groups of failures; skills and clusters fall into them for novelty (SPEC §7, readings). */
export const FAILURE_GROUPS = [
  "termination",
  "retrieval",
  "entity",
  "evidence",
  "format",
  "control",
] as const;
export type FailureGroup = (typeof FAILURE_GROUPS)[number];

/** An id of a kind of failure: snake_case of 4 to 30 characters (SPEC §7 B). */
export const FAILURE_CATEGORY = /^[a-z][a-z0-9_]{3,29}$/;

const sentence = z
  .string()
  .transform((text) => text.replaceAll(/\s+/g, " ").trim())
  .pipe(z.string().min(1));

/** The words of a model about one failed episode (SPEC §7 B). White space is read as single blanks. */
export const failureSummarySchema = z.object({
  category: z.string().regex(FAILURE_CATEGORY, "expected snake_case of 4 to 30 characters"),
  abstraction: sentence,
  trigger: sentence,
  intervention_hint: sentence,
});
export type FailureSummary = z.infer<typeof failureSummarySchema>;

/** An episode of a cluster. Holds no gold answer, so that an author may read it. */
export const failureExampleSchema = z.object({
  /** The run, as the order named it. */
  run: z.string(),
  /** Position in `episodes.jsonl`. */
  index: z.number().int().nonnegative(),
  episodeId: z.string(),
  questionId: z.string(),
  question: z.string(),
  /** 0-based steps that show the failure; the last step where it is about the whole episode. */
  steps: z.array(z.number().int().nonnegative()),
});
export type FailureExample = z.infer<typeof failureExampleSchema>;

/** Failures of one category that are alike, found by detectors or told by a model. Holds no gold answer. */
export const failureClusterSchema = z.object({
  /** Unique in an analysis, and the same for the same input: `detector:premature_final`, `model:stale_evidence:2`. */
  id: z.string(),
  source: z.enum(["detector", "model"]),
  category: z.string(),
  abstraction: z.string(),
  trigger: z.string(),
  hint: z.string(),
  group: z.enum(FAILURE_GROUPS),
  /** 1 − the greatest token-Jaccard with a group or an active skill, in [0, 1] (SPEC §7, readings). */
  novelty: z.number().min(0).max(1),
  isNewCategory: z.boolean(),
  /** One for each episode, in the order of the runs. */
  examples: z.array(failureExampleSchema),
});
export type FailureCluster = z.infer<typeof failureClusterSchema>;

/** A failed episode with its place and the failures it shows: input of clusters, and of an author who works without them. */
export interface FoundFailure extends Omit<FailureExample, "steps"> {
  readonly domain: string;
  readonly outcome: StandingOutcome;
  /** Number of steps. */
  readonly length: number;
  /** Their reasons may name the gold answer. */
  readonly detected: readonly DetectedFailure[];
  /** By a model; absent where none was asked, or its reply cannot be used. */
  readonly summary?: FailureSummary;
  /** Replies of the model that were no summary, as evidence. They may name the gold answer. */
  readonly refusedSummaries?: readonly RefusedReply[];
}

/** An active skill, as far as the novelty of a cluster depends on it. */
export interface KnownSkill {
  readonly skillId: string;
  /** Its `error_category`. */
  readonly category: string;
  readonly description: string;
}

/** Numbers of the summaries of a model; all 0 where no model was asked. */
export interface SummaryCounts {
  readonly made: number;
  /** Failures without a summary, those of which it names the answer included. */
  readonly missing: number;
  /** Left out because they name the gold answer. */
  readonly namesAnswer: number;
}

/** Failures of recorded runs (SPEC §7 B). */
export interface FailureReport {
  readonly episodes: Readonly<Record<StandingOutcome, number>>;
  /** Episodes whose question falls into other parts of the split. */
  readonly leftOut: number;
  /** Episodes in which each detector finds its failure, by outcome; those that run in the domain of no episode are absent. */
  readonly detectors: Readonly<Partial<Record<FailureDetector, Readonly<Record<StandingOutcome, number>>>>>;
  /** Failed episodes, in the order of the runs; the first ones where the order limits their number. */
  readonly failures: readonly FoundFailure[];
  /** New categories first, then by size. */
  readonly clusters: readonly FailureCluster[];
  /** Clusters that were too small. */
  readonly smallClusters: number;
  readonly summaries: SummaryCounts;
}

/** From this novelty on, a cluster is a new category (SPEC §7 B). */
export const NEW_CATEGORY_FROM = 0.3;
/** Smaller clusters are no ground for a skill (SPEC §7 B). */
export const MIN_CLUSTER_SIZE = 3;
/** Token-Jaccard from which two patterns of one category are the same (SPEC §7 B). */
export const SAME_PATTERN_FROM = 0.5;
