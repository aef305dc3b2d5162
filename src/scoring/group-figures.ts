import { wasRight } from "../model/outcomes.ts";
import type { Episode, Outcome } from "../model/episode.ts";
import { passAtKs, type PassAtK } from "./pass-at-k.ts";

/** One judged sample of a question. */
export interface JudgedSample {
  /** Whether the answer counts as right. */
  readonly right: boolean;
  /** From 0 to 1. */
  readonly score: number;
}

/** Figures over the judged samples of one question. */
export interface GroupFigures {
  readonly samples: number;
  readonly right: number;
  /** The highest score and the mean of all; undefined without a sample. */
  readonly best: number | undefined;
  readonly mean: number | undefined;
}

/** An outcome as exact match scores it; undefined if it is unjudged. */
export function outcomeScore(outcome: Outcome): number | undefined {
  const right = wasRight(outcome);
  return right === undefined ? undefined : Number(right);
}

/** The score of the judge of its run; of a record without verdicts, that of its outcome. */
export function episodeScore({
  verdicts,
  outcome,
}: Pick<Episode, "verdicts" | "outcome">): number | undefined {
  return wasRight(outcome) === undefined ? undefined : (verdicts?.[0]?.score ?? outcomeScore(outcome));
}

export function meanOf(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length;
}

export function groupFigures(samples: readonly JudgedSample[]): GroupFigures {
  const scores = samples.map(({ score }) => score);
  return {
    samples: samples.length,
    right: samples.filter(({ right }) => right).length,
    best: scores.length === 0 ? undefined : Math.max(...scores),
    mean: meanOf(scores),
  };
}

/** Figures of several samples a question, over the questions with a judged sample. */
export interface QuestionFigures {
  readonly questions: number;
  readonly samples: number;
  /** The most samples of one question. */
  readonly mostSamples: number;
  /** Means over the questions, from 0 to 1: of the share of right samples, and of the mean score. */
  readonly meanRight: number;
  readonly mean: number;
  /** Share of the questions with at least one right sample. */
  readonly bestOf: number;
  /** Questions whose every sample is right. */
  readonly allRight: number;
  readonly passAtK: readonly PassAtK[];
}

/** Undefined where no question has a judged sample. `passAt`: the k of pass@k, as `passAtKs` takes them. */
export function questionFigures(
  groups: readonly GroupFigures[],
  passAt?: readonly number[],
): QuestionFigures | undefined {
  const judged = groups.filter(({ samples }) => samples > 0);
  if (judged.length === 0) return undefined;
  return {
    questions: judged.length,
    samples: judged.reduce((sum, { samples }) => sum + samples, 0),
    mostSamples: judged.reduce((most, { samples }) => Math.max(most, samples), 0),
    meanRight: meanOf(judged.map(({ right, samples }) => right / samples)) ?? 0,
    mean: meanOf(judged.flatMap(({ mean }) => mean ?? [])) ?? 0,
    bestOf: judged.filter(({ right }) => right > 0).length / judged.length,
    allRight: judged.filter(({ right, samples }) => right === samples).length,
    passAtK: passAtKs(judged, passAt),
  };
}
