import type { EpisodeHead } from "../../src/model/episode.ts";
import type { PfFacet } from "../../src/model/pf-facet.ts";
import type { EpisodeFacets } from "../../src/protocol/replay.ts";
import type { ReplayConnection } from "../shared/host.ts";
import { needsFacets, needsToday } from "./filter.ts";
import { failureOf } from "./loader.ts";
import { NO_FACETS, valueOf, type FacetsRead, type ReplayState } from "./state.ts";
import type { Store } from "./store.ts";

/** Episodes of one request: each is read in full, so that a page is a moment's work and can be stopped after. */
const PAGE = 50;

/** Looks at whole episodes only when a filter needs it, page by page: one look for all that can be filtered by. */
export interface FacetActions {
  /** Goes on where the last look ended; from the start where today's library is to be asked and was not. */
  readFacets(): void;
  stopFacets(): void;
  /** After the run was read again: what was found stays as far as its episodes are the same. */
  settleFacets(before: readonly EpisodeHead[]): void;
  /** What today's library decided is not so any more. */
  forgetToday(): void;
}

interface Context {
  readonly connection: ReplayConnection;
  readonly store: Store<ReplayState>;
  /** Most episodes have the same PFs with the same statuses: one object for all of those. */
  readonly shared: Map<string, PfFacet>;
  running: AbortController | undefined;
}

function heads({ store }: Context): readonly EpisodeHead[] {
  return valueOf(store.get().run)?.episodes ?? [];
}

function update({ store }: Context, patch: Partial<FacetsRead>): void {
  store.update({ facets: { ...store.get().facets, ...patch } });
}

function sharing({ shared }: Context, facets: readonly PfFacet[]): PfFacet[] {
  return facets.map((facet) => {
    const key = `${facet.skillId} ${facet.statuses.join()} ${facet.fired.join()}`;
    const known = shared.get(key) ?? facet;
    shared.set(key, known);
    return known;
  });
}

async function readPage(context: Context, signal: AbortSignal): Promise<void> {
  const { connection, store } = context;
  const { read: from, today } = store.get().facets;
  const total = heads(context).length;
  const page = await connection.request("readFacets", { from, count: PAGE, today }, signal);
  if (signal.aborted) return;
  const found = new Map<number, EpisodeFacets>(store.get().facets.found);
  for (const { index, patterns, recorded, today: judged } of page) {
    const facets = { patterns, recorded: sharing(context, recorded) };
    found.set(index, judged === undefined ? facets : { ...facets, today: sharing(context, judged) });
  }
  update(context, { state: "reading", found, read: Math.min(from + PAGE, total), failure: undefined });
}

async function readAll(context: Context, signal: AbortSignal): Promise<void> {
  const { store } = context;
  update(context, { state: "reading", failure: undefined });
  try {
    while (!signal.aborted && store.get().facets.read < heads(context).length)
      await readPage(context, signal);
    if (!signal.aborted) update(context, { state: "done" });
  } catch (error) {
    if (signal.aborted) return;
    const failure = failureOf("The episodes could not be looked at.", error);
    update(context, { state: "stopped", failure });
  }
}

function stop(context: Context): void {
  context.running?.abort();
  if (context.store.get().facets.state === "reading") update(context, { state: "stopped" });
}

function start(context: Context): void {
  const { facets, filter } = context.store.get();
  if (needsToday(filter) && !facets.today) {
    stop(context);
    // What is known meanwhile stays, and is replaced as it is read with today's decisions.
    update(context, { state: "idle", today: true, read: 0 });
  }
  const { state, read } = context.store.get().facets;
  if (state === "reading" || (state === "done" && read >= heads(context).length)) return;
  context.running = new AbortController();
  void readAll(context, context.running.signal);
}

function isSame(a: EpisodeHead | undefined, b: EpisodeHead | undefined): boolean {
  return a?.id === b?.id && a?.length === b?.length && a?.outcome === b?.outcome;
}

function settle(context: Context, before: readonly EpisodeHead[]): void {
  const { facets, filter } = context.store.get();
  const now = heads(context);
  if (now === before) return;
  stop(context);
  const kept = before.slice(0, facets.read).every((head, i) => isSame(head, now[i]));
  if (facets.state !== "idle") {
    context.store.update({
      facets: kept ? { ...context.store.get().facets, state: "stopped" } : NO_FACETS,
    });
  }
  if (facets.state === "reading" || needsFacets(filter)) start(context);
}

function forgetToday(context: Context): void {
  const { facets, filter } = context.store.get();
  if (!facets.today) return;
  stop(context);
  const found = new Map(
    [...facets.found].map(([index, { patterns, recorded }]) => [index, { patterns, recorded }]),
  );
  // Patterns and records are known as far as they were read; the rest of the look goes on without the library.
  update(context, { today: false, found });
  if (needsFacets(filter)) start(context);
}

export function createFacetActions(connection: ReplayConnection, store: Store<ReplayState>): FacetActions {
  const context: Context = { connection, store, shared: new Map(), running: undefined };
  return {
    readFacets: () => start(context),
    stopFacets: () => stop(context),
    settleFacets: (before) => settle(context, before),
    forgetToday: () => forgetToday(context),
  };
}
