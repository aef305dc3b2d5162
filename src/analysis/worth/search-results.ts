import type { Passage } from "../../domains/environment.ts";
import { SEARCH } from "../../model/action-types.ts";
import type { Episode } from "../../model/episode.ts";
import { evidenceIn, evidenceInResults, type Evidence } from "./evidence.ts";

/** A corpus in which recorded queries are searched again. */
export interface SearchedCorpus {
  /** The first results of a query, as many as a run lists. */
  search(query: string): Promise<readonly Passage[]>;
  /** Titles of the pages that support the answer of a question; none where the corpus does not say. */
  pagesFor(question: string): readonly string[];
}

const keyOf = (text: string): string => text.toLowerCase().replaceAll(/\s+/g, " ").trim();

/** Tells which evidence a query finds. */
export interface SearchResults {
  /** The evidence in the results; undefined where no corpus is searched and no episode of the question records them. */
  evidenceFor(query: string, question: string, evidence: Evidence): Promise<ReadonlySet<string> | undefined>;
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

/** Results from the records alone: what this question's episodes have searched for. */
function fromRecords() {
  const known = new Map<string, ReadonlySet<string>>();
  return {
    /** Keeps what the searches of an episode brought. */
    note({ question, steps }: Episode, evidence: Evidence): void {
      for (const { executed, notRun, observation } of steps) {
        if (executed.type !== SEARCH || notRun !== undefined) continue;
        const key = `${keyOf(question)}\n${keyOf(executed.arg)}`;
        const found = evidenceIn(observation, evidence);
        // Sources change; that a query once brought the answer says that it can.
        if ((known.get(key)?.size ?? 0) <= found.size) known.set(key, found);
      }
    },
    evidenceFor: async (query: string, question: string) => known.get(`${keyOf(question)}\n${keyOf(query)}`),
  };
}

/** The results of a backtest: of each corpus that is searched, and of the records for the other runs. */
export function searchResults() {
  const records = fromRecords();
  const known = new Map<SearchedCorpus, SearchResults>();
  return {
    note: (episode: Episode, evidence: Evidence): void => records.note(episode, evidence),
    of(corpus: SearchedCorpus | undefined): SearchResults {
      if (corpus === undefined) return records;
      const results = known.get(corpus) ?? fromCorpus(corpus);
      known.set(corpus, results);
      return results;
    },
  };
}
