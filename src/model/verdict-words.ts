import { testEvidenceOf } from "./test-evidence.ts";
import { testWords } from "./test-words.ts";
import type { Verdict } from "./verdict.ts";

/** `right, 1.00`: a verdict without the name of its judge. */
export const ratingWords = ({ passed, score }: Verdict): string =>
  `${passed ? "right" : "wrong"}, ${score.toFixed(2)}`;

/** `exact_match: right, 1.00`, with the evidence as JSON behind it, or what tests found in words. */
export function verdictWords(verdict: Verdict): string {
  const { judge, evidence } = verdict;
  const tests = testEvidenceOf(evidence);
  if (tests !== undefined) return `${judge}: ${ratingWords(verdict)}  ${testWords(tests)}`;
  const why = evidence === undefined ? "" : `  ${JSON.stringify(evidence)}`;
  return `${judge}: ${ratingWords(verdict)}${why}`;
}
