import type { EpisodeHead } from "../../src/model/episode.ts";
import type { JudgedStep } from "../../src/protocol/replay.ts";
import type { ReplayConnection } from "../shared/host.ts";
import { filterEpisodes, neighbour, type OutcomeFilter } from "./filter.ts";
import { createLoader, failureOf } from "./loader.ts";
import { canJudge, valueOf, type LoadedStepContext, type ReplayState } from "./state.ts";
import type { Store } from "./store.ts";
import { interventionSteps } from "./timeline-model.ts";

/** All that a person, or the host, can make the view do. */
export interface Controller {
  open(): Promise<void>;
  /** Asks again for what failed. */
  retry(): void;
  select(index: number, t: number): void;
  goToStep(t: number): void;
  moveEpisode(by: number): void;
  /** To the next (1) or previous (-1) step where a PF intervened. */
  moveIntervention(direction: 1 | -1): void;
  setFilter(filter: { text?: string; outcome?: OutcomeFilter }): void;
  openSource(skillId: string, line: number | undefined): void;
  openLog(): void;
  fillRun(command: "runQuestions" | "importEpisodes"): void;
  dismissFailedAction(): void;
  setDrawer(open: boolean): void;
  setKeys(open: boolean): void;
  setSkippedOpen(open: boolean): void;
}

interface Context {
  readonly connection: ReplayConnection;
  readonly store: Store<ReplayState>;
  readonly loader: ReturnType<typeof createLoader>;
  /** Answers for steps of the episode shown, so that stepping back is instant. */
  readonly contexts: Map<number, LoadedStepContext>;
  readonly judgements: Map<number, JudgedStep>;
}

function headAt(state: ReplayState, index: number | undefined): EpisodeHead | undefined {
  return index === undefined ? undefined : valueOf(state.run)?.episodes[index];
}

async function remembered<T>(memory: Map<number, T>, t: number, ask: () => Promise<T>): Promise<T> {
  const known = memory.get(t);
  if (known !== undefined) return known;
  const value = await ask();
  memory.set(t, value);
  return value;
}

function loadStep({ connection, store, loader, contexts, judgements }: Context): void {
  const { index, t, run } = store.get();
  if (index === undefined || headAt(store.get(), index)?.length === 0)
    return loader.clear("context", "judged");
  void loader.load("context", `The step context of step ${t + 1} could not be rebuilt.`, (signal) =>
    remembered(contexts, t, () => connection.request("stepContext", { index, t }, signal)),
  );
  if (!canJudge(valueOf(run))) return loader.clear("judged");
  void loader.load("judged", `The library could not judge step ${t + 1}.`, (signal) =>
    remembered(judgements, t, () => connection.request("judgeStep", { index, t }, signal)),
  );
}

function loadMarks({ connection, store, loader }: Context): void {
  const { index, run } = store.get();
  if (index === undefined || !canJudge(valueOf(run))) return loader.clear("marks");
  void loader.load("marks", "The library could not judge this episode.", (signal) =>
    connection.request("judgeEpisode", { index }, signal),
  );
}

function loadEpisode(context: Context): void {
  const { connection, store, loader } = context;
  const { index } = store.get();
  forget(context);
  if (index === undefined) return loader.clear("episode", "marks", "context", "judged");
  void loader.load("episode", `Episode ${index + 1} could not be read.`, (signal) =>
    connection.request("readEpisode", { index }, signal),
  );
  loadMarks(context);
  loadStep(context);
}

/** Ends what is asked about the old episode first, so that a late answer cannot be remembered for the new one. */
function forget({ loader, contexts, judgements }: Context): void {
  loader.clear("context", "judged", "marks");
  contexts.clear();
  judgements.clear();
}

/** A step that the episode has, as near to `t` as can be. */
function clampStep(head: EpisodeHead, t: number): number {
  return Math.min(Math.max(t, 0), Math.max(head.length - 1, 0));
}

function select(context: Context, index: number, t: number): void {
  const { store, connection } = context;
  const before = store.get();
  const head = headAt(before, index);
  if (head === undefined) return;
  const step = clampStep(head, t);
  if (before.index === index && before.t === step) return;
  store.update({ index, t: step, failedAction: undefined });
  if (before.index === index) loadStep(context);
  else loadEpisode(context);
  connection.send("position", { index, t: step });
}

/** After the run was read again: an episode that is still the same stays as it is, another is read anew. */
function settleRun(context: Context, before: EpisodeHead | undefined): void {
  const { store, loader } = context;
  const state = store.get();
  const head = headAt(state, state.index);
  if (head === undefined) {
    store.update({ index: undefined, t: 0 });
    loader.clear("episode", "marks", "context", "judged");
    return select(context, 0, 0);
  }
  const same = before?.id === head.id && before.length === head.length && before.outcome === head.outcome;
  store.update({ t: clampStep(head, state.t) });
  if (!same || state.episode.state === "failed") loadEpisode(context);
}

function judgeAgain(context: Context): void {
  context.judgements.clear();
  loadMarks(context);
  loadStep(context);
}

/** Where the view begins: where the host says, if it said so before the run was read, else at the first episode. */
interface Start {
  position: { index: number; t: number } | undefined;
}

async function open(context: Context, start: Start): Promise<void> {
  const { store, loader, connection } = context;
  const before = headAt(store.get(), store.get().index);
  const run = await loader.load("run", "The run could not be opened.", (signal) =>
    connection.request("open", {}, signal),
  );
  if (run === undefined) return;
  if (store.get().index === undefined && start.position !== undefined) {
    select(context, start.position.index, start.position.t);
    start.position = undefined;
    if (store.get().index !== undefined) return;
  }
  settleRun(context, before);
}

function listen(context: Context, start: Start): void {
  const { connection, store } = context;
  connection.on("runChanged", () => void open(context, start));
  connection.on("libraryChanged", () => void open(context, start).then(() => judgeAgain(context)));
  connection.on("reveal", (position) => {
    if (store.get().run.state === "ready") select(context, position.index, position.t);
    else start.position = position;
  });
}

function moveEpisode(context: Context, by: number): void {
  const { run, filter, index } = context.store.get();
  const next = neighbour(filterEpisodes(valueOf(run)?.episodes ?? [], filter), index, by);
  if (next !== undefined && next !== index) select(context, next, 0);
}

function goToStep(context: Context, t: number | undefined): void {
  const { index } = context.store.get();
  if (index !== undefined && t !== undefined) select(context, index, t);
}

function moveIntervention(context: Context, direction: 1 | -1): void {
  const { t } = context.store.get();
  const steps = interventionSteps(context.store.get());
  goToStep(context, direction > 0 ? steps.find((step) => step > t) : steps.findLast((step) => step < t));
}

/** Connects the store to the host: nothing else sends requests, and nothing else writes the state. */
export function createController(connection: ReplayConnection, store: Store<ReplayState>): Controller {
  const loader = createLoader(store);
  const context: Context = { connection, store, loader, contexts: new Map(), judgements: new Map() };
  const start: Start = { position: undefined };
  const act = (what: string, request: Promise<unknown>): void => {
    request.catch((error: unknown) => store.update({ failedAction: failureOf(what, error) }));
  };
  listen(context, start);
  return {
    open: () => (connection.send("ready", null), open(context, start)),
    retry: () => (store.get().run.state === "failed" ? void open(context, start) : loadEpisode(context)),
    select: (index, t) => select(context, index, t),
    goToStep: (t) => goToStep(context, t),
    moveEpisode: (by) => moveEpisode(context, by),
    moveIntervention: (direction) => moveIntervention(context, direction),
    setFilter: (filter) => store.update({ filter: { ...store.get().filter, ...filter } }),
    openSource: (skillId, line) =>
      act(
        `The source of ${skillId} could not be opened.`,
        connection.request("openSource", line === undefined ? { skillId } : { skillId, line }),
      ),
    fillRun: (command) => act("The command did not run.", connection.request("fillRun", { with: command })),
    openLog: () => act("The log could not be opened.", connection.request("openLog", {})),
    dismissFailedAction: () => store.update({ failedAction: undefined }),
    setDrawer: (drawerOpen) => store.update({ drawerOpen }),
    setKeys: (keysOpen) => store.update({ keysOpen }),
    setSkippedOpen: (skippedOpen) => store.update({ skippedOpen }),
  };
}
