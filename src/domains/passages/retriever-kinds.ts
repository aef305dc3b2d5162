/** The services that SEARCH and READ may ask (docs/tools.md). */
export const RETRIEVER_KINDS = ["corpus", "http", "wikipedia", "serpapi", "teacher-snippet"] as const;
export type RetrieverKind = (typeof RETRIEVER_KINDS)[number];

/** Results that one search lists. */
export const RESULTS = 5;
/** More results than these no policy reads. */
export const MOST_RESULTS = 20;

/** True where SEARCH finds nothing without passages: the run then needs a corpus or questions with paragraphs. */
export function needsPassages({ retriever }: { readonly retriever: string }): boolean {
  return retriever === "corpus";
}
