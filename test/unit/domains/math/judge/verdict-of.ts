import { compareAnswers } from "../../../../../src/domains/math/judge/same-answer.ts";

export type VerdictWord = "same" | "different" | "undecided";

/** The judge's verdict on an answer, in the word that the tables of pairs use. */
export function verdictOf(given: string, accepted: string, question = ""): VerdictWord {
  const { same } = compareAnswers(given, accepted, question);
  return same === undefined ? "undecided" : same ? "same" : "different";
}
