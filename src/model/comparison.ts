import type { Outcome } from "./episode.ts";
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
  readonly searches: number;
  readonly reads: number;
  readonly interventions: Interventions;
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
  /** An episode without a gold answer on either side. */
  | "unjudged"
  | "only_a"
  | "only_b";

/** The episode of a run that stands for a question. */
export interface ComparedEpisode {
  /** Position in `episodes.jsonl`. */
  readonly index: number;
  readonly id: string;
  readonly outcome: Outcome;
  readonly steps: number;
  /** Of how many tries it is the one; 1 where there is no other. */
  readonly tries: number;
  /** Only where the runs were measured. */
  readonly measures?: EpisodeMeasures;
}

export interface QuestionPair {
  readonly questionId: string;
  readonly question: string;
  readonly verdict: QuestionVerdict;
  readonly a?: ComparedEpisode;
  readonly b?: ComparedEpisode;
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

/** Two runs by question. All figures but `verdicts` are of the questions that both have. */
export interface RunComparison {
  readonly verdicts: Readonly<Record<QuestionVerdict, number>>;
  /** `outcomes.wrong.correct`: wrong in the first run and correct in the second. */
  readonly outcomes: Readonly<Record<Outcome, Readonly<Record<Outcome, number>>>>;
  /** Every question: lost ones first, then won ones, then the others; among equals as the first run has them. */
  readonly pairs: readonly QuestionPair[];
  /** Exact two-sided McNemar test of won against lost: how often chance alone would tilt them so far. 1 where neither is. */
  readonly pValue: number;
  /** `steps` from the lists alone; the others only where the runs were measured. */
  readonly measures: Readonly<Partial<Record<RunMeasure, { readonly a: Spread; readonly b: Spread }>>>;
  /** Pairs that were found by the text of the question, because the runs name it differently. */
  readonly byText: number;
}
