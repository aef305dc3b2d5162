/** Characters of a thought that are read. */
export const READ = 50_000;
/** Entries of one list of a draft. */
export const LIST = 100;
