import type { ListedEpisode } from "../../src/protocol/replay.ts";
import type { PfFacet } from "../../src/model/pf-facet.ts";
import type { EpisodeFacets, ReplayHost } from "../../src/protocol/replay.ts";
import type { ReplayConnection } from "../shared/host.ts";
import { needsFacets, needsToday } from "./filter.ts";
import { failureOf } from "./loader.ts";
import { isSameEpisode } from "./same-episode.ts";
import { valueOf, type FacetsRead, type ReplayState } from "./state.ts";
import type { Store } from "./store.ts";

/** Episodes of one request: each is read in full, so that a page is a moment's work and can be stopped after. */
const PAGE = 50;
/** The same while nobody waits for it. */
const BACKGROUND_PAGE = 25;
/** Milliseconds after a run opened before it is read in the background: the first episode and its judgement go first. */
const BACKGROUND_DELAY_MS = 1_000;
/** Runs with more than this are read on request alone. */
const BACKGROUND_LIMIT = { episodes: 3_000, steps: 60_000 } as const;

/** Reads whole episodes, page by page: one look for all that can be filtered by. */
export interface FacetActions {
  /** Reads those of one episode, unless they are known. Settles when they are, or cannot be. */
  readFacetsOf(index: number): Promise<void>;
  /** Goes on where the last look ended; from the start where today's library is to be asked and was not. */
  readFacets(): void;
  stopFacets(): void;
  /** After the run was read again: forgets what was found in episodes that are others now. */
  forgetChanged(before: readonly ListedEpisode[]): void;
  /** After the run was read again: goes on reading. A run that is not too large is read in the background. */
  settleFacets(before: readonly ListedEpisode[]): void;
  /** What today's library decided is not so any more. */
  forgetToday(): void;
}

interface Context {
  readonly connection: ReplayConnection;
  readonly store: Store<ReplayState>;
  /** Most episodes have the same PFs with the same statuses: one object for all of those. */
  readonly shared: Map<string, PfFacet>;
  running: AbortController | undefined;
  /** The first page is still waited with. */
  isDelayed: boolean;
  /** The look at the one episode that is shown. */
  looking: AbortController | undefined;
}

/** False for a run that is read only where a person asks for it. */
export function fitsBackground(episodes: readonly ListedEpisode[]): boolean {
  const steps = episodes.reduce((sum, { length }) => sum + length, 0);
  return episodes.length <= BACKGROUND_LIMIT.episodes && steps <= BACKGROUND_LIMIT.steps;
}

function heads({ store }: Context): readonly ListedEpisode[] {
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

type Answer = ReplayHost["requests"]["readFacets"]["result"];

function withAnswer(context: Context, answer: Answer): Map<number, EpisodeFacets> {
  const found = new Map<number, EpisodeFacets>(context.store.get().facets.found);
  for (const { index, recorded, today, ...rest } of answer) {
    const facets = { ...rest, recorded: sharing(context, recorded) };
    found.set(index, today === undefined ? facets : { ...facets, today: sharing(context, today) });
  }
  return found;
}

async function readFacetsOf(context: Context, index: number): Promise<void> {
  const { connection, store } = context;
  context.looking?.abort();
  if (store.get().facets.found.has(index)) return;
  const { signal } = (context.looking = new AbortController());
  try {
    const answer = await connection.request("readFacets", { from: index, count: 1, today: false }, signal);
    if (signal.aborted || store.get().facets.found.has(index)) return;
    update(context, { found: withAnswer(context, answer), missed: undefined });
  } catch {
    // An episode that cannot be read says so in its own place.
    if (!signal.aborted) update(context, { missed: index });
  }
}

async function readPage(context: Context, count: number, signal: AbortSignal): Promise<void> {
  const { connection, store } = context;
  const { read: from, today } = store.get().facets;
  const total = heads(context).length;
  const page = await connection.request("readFacets", { from, count, today }, signal);
  if (signal.aborted) return;
  const read = Math.min(from + count, total);
  update(context, { state: "reading", found: withAnswer(context, page), read, failure: undefined });
}

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });

/** Until the page has nothing else to do. */
const idle = (): Promise<void> =>
  new Promise((resolve) => {
    requestIdleCallback(() => resolve(), { timeout: BACKGROUND_DELAY_MS });
  });

async function readAll(context: Context, signal: AbortSignal, delay: number): Promise<void> {
  const { store } = context;
  update(context, { state: "reading", failure: undefined });
  const isWaitedFor = (): boolean => needsFacets(store.get().filter);
  try {
    context.isDelayed = delay > 0;
    if (delay > 0) await pause(delay);
    if (signal.aborted) return;
    context.isDelayed = false;
    while (!signal.aborted && store.get().facets.read < heads(context).length) {
      if (!isWaitedFor()) await idle();
      await readPage(context, isWaitedFor() ? PAGE : BACKGROUND_PAGE, signal);
    }
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

/** `delay`: milliseconds before the first page. */
function start(context: Context, delay = 0): void {
  const { facets, filter } = context.store.get();
  if (needsToday(filter) && !facets.today) {
    stop(context);
    // What is known meanwhile stays, and is replaced as it is read with today's decisions.
    update(context, { state: "idle", today: true, read: 0 });
  }
  const { state, read } = context.store.get().facets;
  if (state === "done" && read >= heads(context).length) return;
  if (state === "reading" && !context.isDelayed) return;
  context.running?.abort();
  context.running = new AbortController();
  void readAll(context, context.running.signal, delay);
}

function forgetChanged(context: Context, before: readonly ListedEpisode[]): void {
  const { facets } = context.store.get();
  const now = heads(context);
  if (now === before || facets.found.size === 0) return;
  const found = new Map([...facets.found].filter(([index]) => isSameEpisode(before[index], now[index])));
  const isKept = before.slice(0, facets.read).every((head, i) => isSameEpisode(head, now[i]));
  update(context, isKept ? { found } : { found, today: false, read: 0 });
}

function settle(context: Context, before: readonly ListedEpisode[]): void {
  const { facets, filter } = context.store.get();
  const now = heads(context);
  if (now === before) return;
  stop(context);
  if (needsFacets(filter)) return start(context);
  const isWanted = facets.state === "reading" || (facets.state !== "stopped" && fitsBackground(now));
  if (isWanted) start(context, BACKGROUND_DELAY_MS);
}

function forgetToday(context: Context): void {
  const { facets, filter } = context.store.get();
  if (!facets.today) return;
  stop(context);
  const found = new Map([...facets.found].map(([index, { today: _, ...rest }]) => [index, rest]));
  // Patterns and records are known as far as they were read; the rest of the look goes on without the library.
  update(context, { today: false, found });
  if (needsFacets(filter)) start(context);
}

export function createFacetActions(connection: ReplayConnection, store: Store<ReplayState>): FacetActions {
  const context: Context = {
    connection,
    store,
    shared: new Map(),
    running: undefined,
    isDelayed: false,
    looking: undefined,
  };
  return {
    readFacetsOf: (index) => readFacetsOf(context, index),
    readFacets: () => start(context),
    stopFacets: () => stop(context),
    forgetChanged: (before) => forgetChanged(context, before),
    settleFacets: (before) => settle(context, before),
    forgetToday: () => forgetToday(context),
  };
}
