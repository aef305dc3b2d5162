import type { EpisodeHead } from "../../src/model/episode.ts";
import type { FoundPattern } from "../../src/model/failure-pattern.ts";
import type { ReplayConnection } from "../shared/host.ts";
import { failureOf } from "./loader.ts";
import { NO_PATTERNS, valueOf, type ReplayState } from "./state.ts";
import type { Store } from "./store.ts";

/** Episodes of one request: each is read in full, so that a page is a moment's work and can be stopped after. */
const PAGE = 50;

/** Looks for failure patterns only when somebody asks for them, page by page. */
export interface PatternActions {
  /** Goes on where the last look ended. */
  readPatterns(): void;
  stopPatterns(): void;
  /** After the run was read again: what was found stays as far as its episodes are the same. */
  settlePatterns(before: readonly EpisodeHead[]): void;
}

interface Context {
  readonly connection: ReplayConnection;
  readonly store: Store<ReplayState>;
  running: AbortController | undefined;
}

function heads({ store }: Context): readonly EpisodeHead[] {
  return valueOf(store.get().run)?.episodes ?? [];
}

async function readPage(context: Context, signal: AbortSignal): Promise<void> {
  const { connection, store } = context;
  const { read } = store.get().patterns;
  const total = heads(context).length;
  const page = await connection.request("findPatterns", { from: read, count: PAGE }, signal);
  if (signal.aborted) return;
  const found = new Map<number, readonly FoundPattern[]>(store.get().patterns.found);
  for (const { index, patterns } of page) found.set(index, patterns);
  store.update({
    patterns: { state: "reading", found, read: Math.min(read + PAGE, total), failure: undefined },
  });
}

async function readAll(context: Context, signal: AbortSignal): Promise<void> {
  const { store } = context;
  store.update({ patterns: { ...store.get().patterns, state: "reading", failure: undefined } });
  try {
    while (!signal.aborted && store.get().patterns.read < heads(context).length)
      await readPage(context, signal);
    if (!signal.aborted) store.update({ patterns: { ...store.get().patterns, state: "done" } });
  } catch (error) {
    if (signal.aborted) return;
    const failure = failureOf("The failure patterns could not be read.", error);
    store.update({ patterns: { ...store.get().patterns, state: "stopped", failure } });
  }
}

function stop(context: Context): void {
  context.running?.abort();
  const { patterns } = context.store.get();
  if (patterns.state === "reading") context.store.update({ patterns: { ...patterns, state: "stopped" } });
}

function start(context: Context): void {
  if (context.store.get().patterns.state === "reading") return;
  context.running = new AbortController();
  void readAll(context, context.running.signal);
}

function isSame(a: EpisodeHead | undefined, b: EpisodeHead | undefined): boolean {
  return a?.id === b?.id && a?.length === b?.length && a?.outcome === b?.outcome;
}

function settle(context: Context, before: readonly EpisodeHead[]): void {
  const { patterns, filter } = context.store.get();
  const now = heads(context);
  const wasReading = patterns.state === "reading";
  if (patterns.state === "idle" || now === before) return;
  stop(context);
  const kept = before.slice(0, patterns.read).every((head, i) => isSame(head, now[i]));
  context.store.update({
    patterns: kept ? { ...context.store.get().patterns, state: "stopped" } : NO_PATTERNS,
  });
  if (wasReading || filter.pattern !== "all") start(context);
}

export function createPatternActions(
  connection: ReplayConnection,
  store: Store<ReplayState>,
): PatternActions {
  const context: Context = { connection, store, running: undefined };
  return {
    readPatterns: () => start(context),
    stopPatterns: () => stop(context),
    settlePatterns: (before) => settle(context, before),
  };
}
