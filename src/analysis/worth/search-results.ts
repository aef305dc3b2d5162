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
  /** Keeps what the searches of an episode brought. */
  note(episode: Episode, evidence: Evidence): void;
  /** The evidence in the results; undefined where no corpus is searched and no episode of the question records them. */
  evidenceFor(query: string, question: string, evidence: Evidence): Promise<ReadonlySet<string> | undefined>;
}

/** Results from a corpus: each query of a question is searched once. */
function fromCorpus(corpus: SearchedCorpus): SearchResults {
  const known = new Map<string, ReadonlySet<string>>();
  return {
    note: () => undefined,
    async evidenceFor(query, question, evidence) {
      const key = `${keyOf(question)}\n${keyOf(query)}`;
      const found = known.get(key) ?? evidenceInResults(await corpus.search(query), evidence);
      known.set(key, found);
      return found;
    },
  };
}

/** Results from the records alone: what this question's episodes have searched for. */
function fromRecords(): SearchResults {
  const known = new Map<string, ReadonlySet<string>>();
  return {
    note({ question, steps }, evidence) {
      for (const { executed, notRun, observation } of steps) {
        if (executed.type !== SEARCH || notRun !== undefined) continue;
        const key = `${keyOf(question)}\n${keyOf(executed.arg)}`;
        const found = evidenceIn(observation, evidence);
        // Sources change; that a query once brought the answer says that it can.
        if ((known.get(key)?.size ?? 0) <= found.size) known.set(key, found);
      }
    },
    evidenceFor: async (query, question) => known.get(`${keyOf(question)}\n${keyOf(query)}`),
  };
}

export function searchResults(corpus: SearchedCorpus | undefined): SearchResults {
  return corpus === undefined ? fromRecords() : fromCorpus(corpus);
}
