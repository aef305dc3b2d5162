/** `\b` of JavaScript knows only ASCII letters: it would see an article at the end of "Peña". */
const ARTICLES = /(?<![\p{L}\p{N}_])(?:a|an|the)(?![\p{L}\p{N}_])/gu;
/** The 32 characters that Python's `string.punctuation` holds, which HotpotQA's evaluation removes. */
const PUNCTUATION = /[!-/:-@[-`{-~]/g;

/**
 * An answer as HotpotQA's official evaluation compares it: lower case, without ASCII punctuation and English articles,
 * runs of white space as one blank. Other scripts and typographic quotes stay, as they do there.
 */
export function normaliseAnswer(answer: string): string {
  return answer
    .toLowerCase()
    .replaceAll(PUNCTUATION, "")
    .replaceAll(ARTICLES, " ")
    .split(/\s+/)
    .filter((word) => word !== "")
    .join(" ");
}

/** Exact match (EM): the answer equals one of the accepted answers after normalisation. */
export function exactMatch(answer: string, gold: readonly string[]): boolean {
  const given = normaliseAnswer(answer);
  return gold.some((accepted) => normaliseAnswer(accepted) === given);
}

/** Answers and questions of words: case, marks, articles and blanks make no difference. */
export const WORD_KEYS = {
  answer: normaliseAnswer,
  question: (text: string): string => normaliseAnswer(text) || text.trim(),
} as const;
