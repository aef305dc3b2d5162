/** Characters of a thought that are read. */
export const READ_CHARS = 50_000;
/** Entries of one list of a draft. */
export const MOST_LISTED = 100;
