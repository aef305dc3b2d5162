import type { EpisodeHit } from "../model/episode-hit.ts";
import { narrows, type TextQuery } from "../model/text-query.ts";
import type { EpisodeIndex } from "./episode-index.ts";
import type { EpisodeLine } from "./search-episodes.ts";

/** A part of an index to search in one go. */
export interface SearchPage {
  /** Position after the last episode that the page covers. */
  readonly to: number;
  /** The episodes to look into; none where an earlier search tells that all of the page lack the text. */
  readonly lines: readonly EpisodeLine[];
}

/** Bytes of a page: some hundredths of a second. The first one is small, so that the first hits come soon. */
const PAGE_BYTES = 48 * 1024 * 1024;
const FIRST_PAGE_BYTES = 4 * 1024 * 1024;
/** Episodes of a page, all of which may be hits. */
const PAGE_EPISODES = 500;

interface Searched {
  readonly index: EpisodeIndex;
  readonly query: TextQuery;
  /** Positions of the episodes that hold the text, among those before `to`. */
  readonly hits: Set<number>;
  to: number;
}

/** Cuts a search over an index into pages. A text that narrows the one before it is looked for only among the former hits. */
export interface SearchPager {
  page(index: EpisodeIndex, query: TextQuery, from: number): SearchPage;
  /** Keeps the hits of a page that was searched to its end, for a narrower query. */
  keep(index: EpisodeIndex, query: TextQuery, from: number, to: number, hits: readonly EpisodeHit[]): void;
}

const isSame = (a: TextQuery, b: TextQuery): boolean => a.words.join(" ") === b.words.join(" ");

export function createSearchPager(): SearchPager {
  let current: Searched | undefined;
  let wider: Searched | undefined;

  /** From the first episode on, a query begins anew: what was searched before may be wider. */
  function begin(index: EpisodeIndex, query: TextQuery): void {
    wider = [current, wider].find((one) => one?.index === index && narrows(query, one.query));
    current = { index, query, hits: new Set(), to: 0 };
  }

  return {
    page(index, query, from) {
      if (from === 0) begin(index, query);
      const known = wider?.index === index && narrows(query, wider.query) ? wider : undefined;
      const most = from === 0 ? FIRST_PAGE_BYTES : PAGE_BYTES;
      const lines: EpisodeLine[] = [];
      let bytes = 0;
      let to = from;
      for (; to < index.entries.length && bytes < most && lines.length < PAGE_EPISODES; to++) {
        const entry = index.entries[to];
        const lacksText = known !== undefined && to < known.to && !known.hits.has(to);
        if (entry === undefined || lacksText) continue;
        lines.push({ index: to, offset: entry.offset, bytes: entry.bytes });
        bytes += entry.bytes;
      }
      return { to, lines };
    },
    keep(index, query, from, to, hits) {
      // Pages that were not searched one after the other would leave gaps.
      if (current?.index !== index || !isSame(current.query, query) || current.to !== from) return;
      for (const hit of hits) current.hits.add(hit.index);
      current.to = to;
    },
  };
}
