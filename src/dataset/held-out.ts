import type { DomainKeys } from "../domains/domain.ts";

/** Questions that no file of training data may hold, by the keys of their domain. */
export interface HeldOut {
  readonly has: (question: string) => boolean;
  /** Distinct questions. */
  readonly size: number;
}

export function heldOut(questions: Iterable<string>, keyOf: DomainKeys["question"]): HeldOut {
  const keys = new Set([...questions].map((question) => keyOf(question)));
  return { has: (question) => keys.has(keyOf(question)), size: keys.size };
}
