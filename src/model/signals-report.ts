import type { FamilyNumbers, SlotNumbers } from "./signals.ts";

/** The least reward of a step that becomes training data (SPEC §8, layer 1). */
export const REWARD_FLOOR = 0.25;

/** A step of a run, so that a figure leads back to the replay. */
export interface StepPlace {
  /** The run, as the caller named it. */
  readonly run: string;
  /** Position of the episode in the run. */
  readonly index: number;
  readonly episode: string;
  /** 0-based. */
  readonly t: number;
}

/** The signals of a group of steps. */
export interface SignalFigures {
  readonly steps: number;
  /** Of these, with a reward of at least the floor. */
  readonly overFloor: number;
  /** Sums over the steps; a mean is a sum by `steps`. */
  readonly reward: number;
  readonly families: FamilyNumbers;
  readonly slots: SlotNumbers;
}

/** The steps at which one skill changed an action or added a context. */
export interface SkillFigures extends SignalFigures {
  readonly skillId: string;
  readonly modified: number;
  /** The step with the highest and the step with the lowest reward. */
  readonly best: StepPlace;
  readonly worst: StepPlace;
}

/** The signals of runs. */
export interface SignalsReport {
  readonly episodes: number;
  /** Of these, without an outcome because nothing judged them. */
  readonly unjudged: number;
  /** Of these, re-driven and no longer on their record at some step. */
  readonly diverged: number;
  /** Of these, those that could do nothing but answer. */
  readonly onlyFinal: number;
  /** All steps that were measured. */
  readonly all: SignalFigures;
  /** Steps behind a divergence, which are not measured. */
  readonly behindDivergence: number;
  readonly modified: number;
  readonly revised: number;
  /** Steps whose `s3.semantic` a teacher judged. */
  readonly judged: number;
  /** Sum of the episode rewards, and the episodes that have one. */
  readonly episodeReward: { readonly sum: number; readonly episodes: number };
  /** Counts of step rewards by tenths: `bins[0]` under −0.9, the last 0.9 and more. */
  readonly bins: readonly number[];
  /** Those with most steps first. */
  readonly skills: readonly SkillFigures[];
}

/** Whether `ONLY_FINAL_NOTE` is true of all that was measured; runs of several domains may be in one report. */
export const canOnlyAnswer = ({ episodes, onlyFinal }: SignalsReport): boolean =>
  onlyFinal > 0 && onlyFinal === episodes;
