import type { QuestionSplit } from "../trace/question-split.ts";

/** Questions of an evolution: no question is in two parts. */
export interface QuestionParts {
  /** The author sees failures of these. */
  readonly author: QuestionSplit | undefined;
  /** Held-out worth is measured on these. */
  readonly gate: QuestionSplit;
  /** Read once, at the end of the last epoch. */
  readonly final: QuestionSplit;
}

/** Recorded runs hold all questions: a third for each. */
export const recordedParts = (seed: number): QuestionParts => ({
  author: { parts: [1], of: 3, seed },
  gate: { parts: [2], of: 3, seed },
  final: { parts: [3], of: 3, seed },
});

/** Live rollouts have a split for the author; the validation split is halved. */
export const liveParts = (seed: number): QuestionParts => ({
  author: undefined,
  gate: { parts: [1], of: 2, seed },
  final: { parts: [2], of: 2, seed },
});
