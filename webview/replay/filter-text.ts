import { FACET_STATUSES, type FacetStatus } from "../../src/model/pf-facet.ts";

/** What is typed into the filter: words of the question, and `pf:…` and `status:…` as the selects beside it. */
export interface FilterText {
  /** In lower case. */
  readonly words: readonly string[];
  /** Parts of the ids of Program Functions. */
  readonly pfs: readonly string[];
  /** Beginnings of statuses, so that the list narrows while one types. */
  readonly statuses: readonly string[];
}

/** A key without a value says nothing yet. */
export function parseFilterText(text: string): FilterText {
  const tokens = text.toLowerCase().split(/\s+/);
  const valuesOf = (key: string): string[] =>
    tokens.flatMap((token) =>
      token.startsWith(key) && token.length > key.length ? [token.slice(key.length)] : [],
    );
  return {
    words: tokens.filter((token) => token !== "" && !/^(?:pf|status):/.test(token)),
    pfs: valuesOf("pf:"),
    statuses: valuesOf("status:"),
  };
}

/** A text of one ASCII letter is in every episode. */
const LEAST_SEARCHED = 2;

/** The text that is looked for in the contents of episodes: the words as they are typed, one after the other. */
export function searchedText(text: string): string | undefined {
  const words = text.split(/\s+/).filter((token) => token !== "" && !/^(?:pf|status):/i.test(token));
  const searched = words.join(" ");
  const isLong = searched.length >= LEAST_SEARCHED || /\P{ASCII}/u.test(searched);
  return isLong ? searched : undefined;
}

/** The statuses that a typed beginning may mean. */
export function statusesLike(beginning: string): FacetStatus[] {
  return FACET_STATUSES.filter((status) => status.startsWith(beginning));
}
