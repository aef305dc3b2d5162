import type { Action } from "../../model/action.ts";
import type { Document } from "../../model/episode.ts";
import { WEB_SEARCH_ACTIONS } from "./action-space.ts";
import type { Passage } from "./corpus.ts";
import type { PassageSearch } from "./search-index.ts";

/** What running an action brought. */
export interface ToolAnswer {
  readonly observation: string;
  readonly documents?: readonly Document[];
}

/** The tools of one episode; they remember its latest results. Fits the harness's `Environment`. */
export interface WebSearchTools {
  readonly actionTypes: readonly string[];
  readonly searchReturnsText: boolean;
  execute(action: Action): Promise<ToolAnswer>;
}

/** Results that one search lists. */
export const RESULTS = 5;
/** Words of a passage that a result shows, cut from its beginning. */
const SNIPPET_WORDS = 24;

const NO_RESULTS = "No results.";
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

function opened(document: Document): ToolAnswer {
  return { observation: `${document.title ?? document.id}\n${document.text}`, documents: [document] };
}

/** Begins as an empty result does (`webSearchRules`), so that it does not count as read. */
function notFound(arg: string, results: readonly Document[]): ToolAnswer {
  const offer =
    results.length === 0
      ? "Search first."
      : `The latest results are ${results[0]?.id} to ${results.at(-1)?.id}.`;
  return { observation: `Could not find [${arg}]. ${offer}` };
}

const sameTitle = (document: Document, title: string): boolean =>
  document.title?.toLowerCase() === title.toLowerCase();

/**
 * SEARCH and READ over passages, for one episode. READ opens `doc_N` of the latest search, else the document with that title, else
 * the first result whose text has those very words: that is what Wikipedia's Lookup does, and imported runs have it as READ.
 */
export function openWebSearch(passages: PassageSearch): WebSearchTools {
  let results: readonly Document[] = [];

  async function search(query: string): Promise<ToolAnswer> {
    const found = query.trim() === "" ? [] : await passages.search(query, RESULTS);
    results = found.map(({ title, text }, i) => ({ id: `doc_${i}`, title, text }));
    return { observation: listed(results), ...(results.length > 0 && { documents: results }) };
  }

  async function read(arg: string): Promise<ToolAnswer> {
    const wanted = arg.trim();
    const number = DOCUMENT_ID.exec(wanted)?.[1];
    const byId = number === undefined ? undefined : results.find(({ id }) => id === `doc_${Number(number)}`);
    const document = byId ?? results.find((one) => sameTitle(one, wanted)) ?? (await elsewhere(wanted));
    return document === undefined ? notFound(wanted, results) : opened(document);
  }

  async function elsewhere(wanted: string): Promise<Document | undefined> {
    if (wanted === "") return undefined;
    const titled: Passage | undefined = await passages.byTitle(wanted);
    if (titled !== undefined) return { id: titled.title, ...titled };
    const words = wanted.toLowerCase();
    return /\p{L}/u.test(words) ? results.find(({ text }) => text.toLowerCase().includes(words)) : undefined;
  }

  return {
    actionTypes: WEB_SEARCH_ACTIONS,
    searchReturnsText: false,
    async execute({ type, arg }) {
      if (type === "SEARCH") return search(arg);
      if (type === "READ") return read(arg);
      return {
        observation: "No action ran. Write one line: Action: SEARCH[query], READ[document] or FINAL[answer].",
      };
    },
  };
}
