import { textQuery } from "../../model/text-query.ts";
import type { Searcher } from "../../platform/worker-search.ts";
import type { EpisodeIndex } from "../../trace/episode-index.ts";
import { createSearchPager } from "../../trace/search-pages.ts";
import type { ViewConnection } from "./connection.ts";

/** Of each field, which is as much as the list says of a hit. */
const MOST_PLACES = 1;

/** Answers searches in the contents of a run's episodes, page by page. The search itself runs in a thread of its own. */
export function answerSearch(
  connection: ViewConnection,
  readIndex: () => Promise<EpisodeIndex>,
  searcher: Searcher,
): void {
  const pager = createSearchPager();
  connection.handle("searchEpisodes", async ({ query: typed, from }, signal) => {
    const index = await readIndex();
    signal.throwIfAborted();
    const query = textQuery(typed);
    if (query === undefined) return { hits: [], to: index.entries.length };
    const { lines, to } = pager.page(index, query, from);
    const request = { file: index.path, lines, query: typed, mostPlaces: MOST_PLACES };
    const hits = lines.length === 0 ? [] : await searcher.search(request, signal);
    pager.keep(index, query, from, to, hits);
    return { hits, to };
  });
}
