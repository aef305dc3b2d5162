import { MOST_LISTED } from "./limits.ts";
import { sentencesOf } from "./sentences.ts";

/** Characters of one sentence. */
const SENTENCE = 300;

const CLAIMS =
  /\b(?:clearly|obviously|trivially|evidently|(?:it )?must be the (?:answer|case)|it must be(?! (?:noted|remembered|mentioned|said|added|kept in mind|pointed out|checked|shown|proved|proven))|it is (?:easy to see|clear|obvious|evident)|it(?:'s| is) well known)\b/i;

/** The sentence itself gives a reason. */
const REASONS = /\b(?:because|since|due to|by definition|by symmetry)\b/i;

/** Sentences that claim instead of showing. */
export function claimsOf(thought: string): readonly string[] {
  const claims = sentencesOf(thought).filter((sentence) => {
    const read = sentence.slice(0, SENTENCE);
    return CLAIMS.test(read) && !REASONS.test(read);
  });
  return claims
    .slice(0, MOST_LISTED)
    .map((sentence) => sentence.trim().replaceAll(/\s+/g, " ").slice(0, SENTENCE));
}
