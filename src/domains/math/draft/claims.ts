/** Characters of a thought that are read, and of one sentence. */
const READ = 50_000;
const SENTENCE = 300;

const SENTENCE_END = /(?<=[.!?])\s|\n/;
const CLAIMS =
  /\b(?:clearly|obviously|trivially|evidently|(?:it )?must be the (?:answer|case)|it must be(?! (?:noted|remembered|mentioned|said|added|kept in mind|pointed out|checked|shown|proved|proven))|it is (?:easy to see|clear|obvious|evident)|it(?:'s| is) well known)\b/i;

/** The sentence itself gives a reason. */
const REASONS = /\b(?:because|since|due to|by definition|by symmetry)\b/i;

/** Sentences that claim instead of showing, at most `most`. */
export function claimsOf(thought: string, most: number): readonly string[] {
  const sentences = thought.slice(0, READ).split(SENTENCE_END);
  const claims = sentences.filter((sentence) => {
    const read = sentence.slice(0, SENTENCE);
    return CLAIMS.test(read) && !REASONS.test(read);
  });
  return claims.slice(0, most).map((sentence) => sentence.trim().replaceAll(/\s+/g, " ").slice(0, SENTENCE));
}
