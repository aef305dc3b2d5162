import { compareAnswers } from "../../../../../src/domains/math/judge/same-answer.ts";
import type { Pair } from "./pairs.ts";

/** The judge's verdict on an answer, in the word that the tables of pairs use. */
export function verdictOf(given: string, accepted: string, question = ""): Pair[2] {
  const { same } = compareAnswers(given, accepted, question);
  return same === undefined ? "undecided" : same ? "same" : "different";
}

/** Rows of a table of pairs by name, for `test.each`. */
export const named = (pairs: readonly Pair[]) =>
  pairs.map(([given, accepted, same, question = ""]) => ({ given, accepted, same, question }));
