import { questionKey } from "../evaluation/question-key.ts";

/** Questions that no file of training data may hold, by their normalised text. */
export interface HeldOut {
  readonly has: (question: string) => boolean;
  /** Distinct questions. */
  readonly size: number;
}

export function heldOut(questions: Iterable<string>): HeldOut {
  const keys = new Set([...questions].map(questionKey));
  return { has: (question) => keys.has(questionKey(question)), size: keys.size };
}
