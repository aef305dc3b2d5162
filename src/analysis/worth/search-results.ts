import type { Passage } from "../../domains/environment.ts";
import { evidenceInResults, type Evidence } from "./evidence.ts";

/** A corpus in which recorded queries are searched again. */
export interface SearchedCorpus {
  /** The first results of a query, as many as a run lists. */
  search(query: string): Promise<readonly Passage[]>;
  /** Titles of the pages that support the answer of a question; none where the corpus does not say. */
  pagesFor(question: string): readonly string[];
}

const keyOf = (text: string): string => text.toLowerCase().replaceAll(/\s+/g, " ").trim();

/** Tells which evidence the results of a query hold. */
export interface SearchResults {
  evidenceFor(query: string, question: string, evidence: Evidence): Promise<ReadonlySet<string>>;
}

/** Results from a corpus: each query of a question is searched once. */
function fromCorpus(corpus: SearchedCorpus): SearchResults {
  const known = new Map<string, ReadonlySet<string>>();
  return {
    async evidenceFor(query, question, evidence) {
      const key = `${keyOf(question)}\n${keyOf(query)}`;
      const found = known.get(key) ?? evidenceInResults(await corpus.search(query), evidence);
      known.set(key, found);
      return found;
    },
  };
}

/** The results of a backtest, of each corpus that is searched; undefined for a run without one. */
export function searchResults(): (corpus: SearchedCorpus | undefined) => SearchResults | undefined {
  const known = new Map<SearchedCorpus, SearchResults>();
  return (corpus) => {
    if (corpus === undefined) return undefined;
    const results = known.get(corpus) ?? fromCorpus(corpus);
    known.set(corpus, results);
    return results;
  };
}
