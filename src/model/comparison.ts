import type { Diagnostic } from "./diagnostic.ts";
import type { Outcome, StandingOutcome } from "./episode.ts";
import type { ReplyCounts } from "./replies.ts";
import type { Usage } from "./usage.ts";

/** What PFs did to an episode: their events, and the changes that came of them. */
export interface Interventions {
  /** PF events that were applied. */
  readonly applied: number;
  /** Steps at which another action ran than was proposed last. */
  readonly changed: number;
  /** Texts that were added for the policy to read. */
  readonly injected: number;
}

/** One episode in numbers. */
export interface EpisodeMeasures {
  readonly steps: number;
  /** Absent where the domain has no such action; so are reads. */
  readonly searches?: number;
  readonly reads?: number;
  readonly interventions: Interventions;
  readonly replies: ReplyCounts;
  /** Absent where nobody counted. */
  readonly cost?: Usage;
}

/** One side of a comparison of two episodes. */
export interface EpisodeSide extends EpisodeMeasures {
  readonly episodeId: string;
  readonly questionId: string;
  readonly outcome: Outcome;
  readonly answer?: string;
  readonly stopReason: string;
}

/** Parts in which two steps that stand side by side may differ. */
export type StepPart = "proposed" | "executed" | "injected" | "observation";

/** One row of two episodes side by side. A side without a step has nothing there. */
export interface AlignedStep {
  /** 0-based step of the first episode. */
  readonly a?: number;
  readonly b?: number;
  /** Empty: the same on both sides. Where one side has no step, empty as well. */
  readonly differs: readonly StepPart[];
}

/** Two episodes of one question, side by side. */
export interface EpisodeComparison {
  readonly a: EpisodeSide;
  readonly b: EpisodeSide;
  readonly rows: readonly AlignedStep[];
  /** First row at which the agents part: other actions or other injected texts, or a step on one side only. */
  readonly firstDivergence?: number;
  /** First row at which the same action brought something else. */
  readonly firstOtherObservation?: number;
  /** The middle was too long to be aligned, and stands side by side in its order. */
  readonly capped: boolean;
}

/** How a question fared: `won` and `lost` are said of the second run. */
export type QuestionVerdict =
  | "won"
  | "lost"
  | "both_right"
  | "both_wrong"
  /** As many samples are right on both sides; some, and not all. */
  | "tied"
  /** No pair of samples is judged on both sides. */
  | "unjudged"
  | "only_a"
  | "only_b";

/** One sample of a question. */
export interface ComparedEpisode {
  /** Position in `episodes.jsonl`. */
  readonly index: number;
  readonly id: string;
  readonly sample: number;
  readonly outcome: StandingOutcome;
  readonly steps: number;
  /** Of the first verdict, from 0 to 1; of an episode that was not read, that of its outcome. Undefined if it is unjudged. */
  readonly score: number | undefined;
  /** Only where the runs were measured. */
  readonly measures?: EpisodeMeasures;
}

/** One run's samples of a question. */
export interface ComparedSide {
  /** In the order of the samples. Those with a partner, which has the same index on the other side; all, if there is no other side. */
  readonly episodes: readonly ComparedEpisode[];
  /** Samples without a partner. */
  readonly unpaired: number;
  /** Right ones of the samples that are judged on both sides, and their number. */
  readonly right: number;
  readonly of: number;
  /** The highest score of these samples and the mean of all; undefined without one. */
  readonly best: number | undefined;
  readonly mean: number | undefined;
}

export interface QuestionPair {
  readonly questionId: string;
  readonly question: string;
  readonly verdict: QuestionVerdict;
  readonly a?: ComparedSide;
  readonly b?: ComparedSide;
}

/** The share of right answers of two runs: the mean over the questions that both have judged, each from 0 to 1. */
export interface ShareOfRight {
  readonly questions: number;
  readonly a: number;
  readonly b: number;
  /** 95 % interval of `b` less `a`: percentiles of a bootstrap over the questions. */
  readonly low: number;
  readonly high: number;
}

/** A quantity over the episodes of which it is known. */
export interface Spread {
  readonly known: number;
  readonly sum: number;
  /** Undefined where nothing is known. */
  readonly median: number | undefined;
}

export const RUN_MEASURES = {
  steps: "steps",
  searches: "searches",
  reads: "reads",
  applied: "interventions applied",
  dollars: "cost, $",
  tokens: "tokens",
  seconds: "model time, s",
} as const;
export type RunMeasure = keyof typeof RUN_MEASURES;

/** Two runs by question. All figures but `verdicts` are of the pairs of samples of the questions that both have. */
export interface RunComparison {
  readonly verdicts: Readonly<Record<QuestionVerdict, number>>;
  /** Pairs of samples by their outcomes. `outcomes.wrong.correct`: wrong in the first run and correct in the second. */
  readonly outcomes: Readonly<Record<StandingOutcome, Readonly<Record<StandingOutcome, number>>>>;
  /** Every question: lost ones first, then won ones, then the others; among equals as the first run has them. */
  readonly pairs: readonly QuestionPair[];
  /** Samples of shared questions that have a partner in the other run, and those that have none. */
  readonly samples: { readonly paired: number; readonly onlyA: number; readonly onlyB: number };
  /**
   * Exact two-sided sign test of won against lost, with one sample a question McNemar's: how often chance alone would tilt them so far.
   * 1 where neither is.
   */
  readonly pValue: number;
  /** Undefined where no question is judged on both sides. */
  readonly right: ShareOfRight | undefined;
  /** `steps` from the lists alone; the others only where the runs were measured. */
  readonly measures: Readonly<Partial<Record<RunMeasure, { readonly a: Spread; readonly b: Spread }>>>;
  /** Only where the runs were measured. */
  readonly replies?: { readonly a: ReplyCounts; readonly b: ReplyCounts };
  /** Pairs that were found by the text of the question, because the runs name it differently. */
  readonly byText: number;
}

/** Two runs by question, with conditions in which they differ and that a person may have overlooked. */
export interface RemarkedComparison {
  readonly comparison: RunComparison;
  readonly remarks: readonly Diagnostic[];
}
