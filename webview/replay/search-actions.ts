import type { EpisodeHit } from "../../src/model/episode-hit.ts";
import type { ListedEpisode } from "../../src/protocol/replay.ts";
import type { ReplayConnection } from "../shared/host.ts";
import { searchedText } from "./filter-text.ts";
import { failureOf } from "./loader.ts";
import { isSameEpisode } from "./same-episode.ts";
import { NO_SEARCH, valueOf, type ContentSearch, type ReplayState } from "./state.ts";
import type { Store } from "./store.ts";

/** Milliseconds without a key after which a text is searched. */
const PAUSE_MS = 150;

/** Looks for the filter's words in the contents of episodes, page by page; the list shows the hits as they come. */
export interface SearchActions {
  /** Searches for the words of the filter: soon where they changed, and on from where a search was stopped. */
  searchContents(): void;
  stopSearch(): void;
  /** After the run was read again: the search goes on with new episodes, and begins anew where others changed. */
  settleSearch(before: readonly ListedEpisode[]): void;
}

interface Context {
  readonly connection: ReplayConnection;
  readonly store: Store<ReplayState>;
  running: AbortController | undefined;
  pause: ReturnType<typeof setTimeout> | undefined;
}

function heads({ store }: Context): readonly ListedEpisode[] {
  return valueOf(store.get().run)?.episodes ?? [];
}

function update({ store }: Context, patch: Partial<ContentSearch>): void {
  store.update({ search: { ...store.get().search, ...patch } });
}

async function searchPage(context: Context, signal: AbortSignal): Promise<void> {
  const { query, searched, hits } = context.store.get().search;
  const page = await context.connection.request("searchEpisodes", { query, from: searched }, signal);
  if (signal.aborted) return;
  // The hits of the text before stay in the list until the first page of this one is there.
  const found = new Map<number, EpisodeHit>(searched === 0 ? [] : hits);
  for (const hit of page.hits) found.set(hit.index, hit);
  // The run may have grown since the list was read, and never stands still here.
  const to = page.to > searched ? page.to : heads(context).length;
  update(context, { hits: found, searched: to });
}

async function searchOn(context: Context): Promise<void> {
  const { signal } = (context.running = new AbortController());
  update(context, { state: "searching", failure: undefined });
  try {
    while (!signal.aborted && context.store.get().search.searched < heads(context).length)
      await searchPage(context, signal);
    if (!signal.aborted) update(context, { state: "done" });
  } catch (error) {
    if (signal.aborted) return;
    update(context, { state: "stopped", failure: failureOf("The episodes could not be searched.", error) });
  }
}

function halt(context: Context): void {
  clearTimeout(context.pause);
  context.running?.abort();
}

function search(context: Context): void {
  const { search, filter } = context.store.get();
  const query = searchedText(filter.text);
  if (query === undefined) {
    halt(context);
    if (search !== NO_SEARCH) context.store.update({ search: NO_SEARCH });
  } else if (query !== search.query) {
    halt(context);
    update(context, { query, state: "searching", searched: 0, failure: undefined });
    context.pause = setTimeout(() => void searchOn(context), PAUSE_MS);
  } else if (search.state === "stopped") void searchOn(context);
}

function stop(context: Context): void {
  halt(context);
  if (context.store.get().search.state === "searching") update(context, { state: "stopped" });
}

function settle(context: Context, before: readonly ListedEpisode[]): void {
  const { search: known } = context.store.get();
  const now = heads(context);
  if (known.state === "idle") return search(context);
  const isKept = before.slice(0, known.searched).every((head, i) => isSameEpisode(head, now[i]));
  if (!isKept) context.store.update({ search: NO_SEARCH });
  if (!isKept) search(context);
  else if (known.state === "done" && known.searched < now.length) void searchOn(context);
}

export function createSearchActions(connection: ReplayConnection, store: Store<ReplayState>): SearchActions {
  const context: Context = { connection, store, running: undefined, pause: undefined };
  return {
    searchContents: () => search(context),
    stopSearch: () => stop(context),
    settleSearch: (before) => settle(context, before),
  };
}
