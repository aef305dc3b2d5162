/** Characters of a program that are read; a longer one has no facts. */
export const READ_CHARS = 50_000;
/** Characters of a question that are read. */
export const QUESTION_CHARS = 20_000;
/** Entries of one list of a draft. */
export const MOST_LISTED = 100;
/** Characters of a quoted text. */
export const LONGEST_TEXT = 200;
