import type { Document } from "../../model/episode.ts";
import type { ToolAnswer, Tools } from "../environment.ts";
import { WEB_SEARCH_ACTIONS } from "./action-space.ts";
import { RESULTS } from "../passages/retriever-kinds.ts";
import { RetrieverError, type Found, type Retriever } from "../passages/retrievers/retriever.ts";

export interface WebSearchOptions {
  /** Results that one search lists. */
  readonly results?: number;
  /** Hears of each call that brought nothing because of a trouble; the episode goes on, perhaps. */
  readonly onTrouble?: (error: RetrieverError) => void;
}

/** Words of a passage that a result shows, cut from its beginning. */
const SNIPPET_WORDS = 40;
/** So many calls that fail one after the other end the episode: the next would fail as well. */
export const FAILURES_IN_A_ROW = 3;

export const NO_RESULTS = "No results.";
const DOCUMENT_ID = /^\[?\s*(?:doc(?:ument)?)?[\s_#-]*(\d{1,3})\s*\]?$/i;

function snippet(text: string): string {
  const words = text.split(/\s+/);
  return words.length <= SNIPPET_WORDS ? text : `${words.slice(0, SNIPPET_WORDS).join(" ")} …`;
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ").trim();

function listed(results: readonly Document[]): string {
  if (results.length === 0) return NO_RESULTS;
  return results
    .map(({ id, title, text }) => `${id}  ${oneLine(title ?? id)}: ${oneLine(snippet(text))}`)
    .join("\n");
}

const asDocument = (id: string, { title, text }: Found): Document => ({ id, title, text });

function opened(document: Document): ToolAnswer {
  return { observation: `${document.title ?? document.id}\n${document.text}`, documents: [document] };
}

/** Begins as an empty result does (`webSearchRules`), so that it does not count as read. */
function notFound(arg: string, results: readonly Document[], why = ""): ToolAnswer {
  const offer =
    results.length === 0
      ? "Search first."
      : `The latest results are ${results[0]?.id} to ${results.at(-1)?.id}.`;
  return { observation: `Could not find [${arg}]. ${why}${offer}` };
}

/** Reads as an empty result (`webSearchRules`), and says that it is none. */
function searchFailed({ brief }: RetrieverError): ToolAnswer {
  return { observation: `No results found: the search itself failed (${brief}). Try it once more.` };
}

/** The answer to a reply that holds no action in the form of the prompt (`parseReply`). */
export function noSuchAction(): ToolAnswer {
  return { observation: "(No action could be read in this reply.)" };
}

/** A failure that the agent cannot do anything about ends the episode; its message is for people. */
function endsEpisode(error: RetrieverError, failures: number): boolean {
  return error.kind === "refused" || (error.kind !== "page" && failures >= FAILURES_IN_A_ROW);
}

/** Makes one call to the retriever. The answer to a failure that does not end the episode is that of `afterFailure`. */
type Attempt = (
  call: () => Promise<ToolAnswer>,
  afterFailure: (error: RetrieverError) => ToolAnswer,
) => Promise<ToolAnswer>;

/** Counts the failures in a row of one episode. A call rejects with the failure that ends the episode. */
function createAttempt(onTrouble: WebSearchOptions["onTrouble"]): Attempt {
  let failures = 0;
  return async (call, afterFailure) => {
    try {
      const answer = await call();
      failures = 0;
      return answer;
    } catch (error) {
      if (!(error instanceof RetrieverError)) throw error;
      onTrouble?.(error);
      if (error.kind !== "page") failures += 1;
      if (endsEpisode(error, failures)) throw error;
      return afterFailure(error);
    }
  };
}

/** What the latest search found, with what a document of the episode does not hold. */
interface Result {
  readonly document: Document;
  readonly found: Found;
}

const sameTitle = ({ found }: Result, title: string): boolean =>
  found.title.toLowerCase() === title.toLowerCase();

/**
 * SEARCH and READ over a retriever, for one episode. READ opens `doc_N` of the latest search, else the document with that title or
 * address, else the first result whose text has those very words: that is what Wikipedia's Lookup does, and imported runs have it as
 * READ. A call that failed after all tries is an observation that says so. `execute` rejects, which ends the episode, where the
 * retriever refuses the key, was never reached, or failed three times in a row.
 */
export function openWebSearch(retriever: Retriever, options: WebSearchOptions = {}): Tools {
  const { results: most = RESULTS, onTrouble } = options;
  let results: readonly Result[] = [];
  const attempt = createAttempt(onTrouble);

  async function search(query: string, signal: AbortSignal | undefined): Promise<ToolAnswer> {
    const found = query.trim() === "" ? [] : await retriever.search(query, most, signal);
    results = found.map((one, i) => ({ document: asDocument(`doc_${i}`, one), found: one }));
    const documents = results.map(({ document }) => document);
    return { observation: listed(documents), ...(documents.length > 0 && { documents }) };
  }

  function resultFor(wanted: string): Result | undefined {
    const number = DOCUMENT_ID.exec(wanted)?.[1];
    const id = number === undefined ? undefined : `doc_${Number(number)}`;
    return (
      results.find(({ document }) => document.id === id) ??
      results.find((one) => sameTitle(one, wanted) || one.found.url === wanted)
    );
  }

  async function whole({ document, found }: Result, signal: AbortSignal | undefined): Promise<Document> {
    const more = await retriever.whole?.(found, signal);
    return more === undefined ? document : asDocument(document.id, more);
  }

  async function elsewhere(wanted: string, signal: AbortSignal | undefined): Promise<Document | undefined> {
    if (wanted === "") return undefined;
    const titled = await retriever.byTitle(wanted, signal);
    if (titled !== undefined) return asDocument(titled.title, titled);
    const words = wanted.toLowerCase();
    const holding = /\p{L}/u.test(words)
      ? results.find(({ found }) => found.text.toLowerCase().includes(words))
      : undefined;
    return holding === undefined ? undefined : whole(holding, signal);
  }

  async function read(wanted: string, signal: AbortSignal | undefined): Promise<ToolAnswer> {
    const result = resultFor(wanted);
    const document = await (result === undefined ? elsewhere(wanted, signal) : whole(result, signal));
    return document === undefined ? nothingFor(wanted) : opened(document);
  }

  const nothingFor = (wanted: string, why?: string): ToolAnswer =>
    notFound(
      wanted,
      results.map(({ document }) => document),
      why,
    );

  return {
    actionTypes: WEB_SEARCH_ACTIONS,
    searchReturnsText: false,
    restore(steps) {
      const last = steps.findLast(({ executed }) => executed.type === "SEARCH");
      results = (last?.documents ?? []).map((document) => {
        const { id, title = id, text } = document;
        return { document, found: { title, text } };
      });
    },
    async execute({ type, arg }, signal) {
      if (type === "SEARCH") return attempt(() => search(arg, signal), searchFailed);
      const wanted = arg.trim();
      if (type === "READ")
        return attempt(
          () => read(wanted, signal),
          ({ brief }) => nothingFor(wanted, `It could not be opened (${brief}). `),
        );
      return noSuchAction();
    },
  };
}
