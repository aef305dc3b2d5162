import type { ListedEpisode } from "../../src/protocol/replay.ts";
import type { ReplayConnection } from "../shared/host.ts";
import { needsFacets, type EpisodeFilter } from "./filter.ts";
import { createCompareActions, type CompareActions } from "./compare-actions.ts";
import { createLoader, failureOf } from "./loader.ts";
import { createLiveActions, type LiveActions } from "./live-actions.ts";
import { createNoteActions, type NoteActions } from "./note-actions.ts";
import { createFindActions, type FindActions } from "./find-actions.ts";
import { createFacetActions, type FacetActions } from "./facet-actions.ts";
import { createHostActions, type HostActions } from "./host-actions.ts";
import { createMoveActions, goToStep, type MoveActions } from "./move-actions.ts";
import { createSearchActions, type SearchActions } from "./search-actions.ts";
import { openAtFailure } from "./opening.ts";
import { createPlayActions, type PlayActions } from "./play.ts";
import {
  adopt,
  clampStep,
  forget,
  headAt,
  loadEpisode,
  loadMarks,
  loadPrompts,
  loadSignals,
  loadStep,
  select,
  type Context,
} from "./showing.ts";
import { createPositionReport } from "./position-report.ts";
import { isSameEpisode } from "./same-episode.ts";
import { stepLink } from "./step-link.ts";
import { canJudge, valueOf, type ReplayMode, type ReplayState } from "./state.ts";
import type { Store } from "./store.ts";

/** All that a person, or the host, can make the view do. */
export interface Controller
  extends
    NoteActions,
    FacetActions,
    SearchActions,
    PlayActions,
    CompareActions,
    LiveActions,
    FindActions,
    HostActions,
    MoveActions {
  /** Puts a link to the step shown on the clipboard. */
  copyLink(): void;
  dismissTold(): void;
  dismissWhatIf(): void;
  open(): Promise<void>;
  /** Asks again for what failed. */
  retry(): void;
  setMode(mode: ReplayMode): void;
  /** Between formulas and their source. */
  toggleSource(): void;
  setFilter(filter: Partial<EpisodeFilter>): void;
  dismissFailedAction(): void;
  setDrawer(open: boolean): void;
  setKeys(open: boolean): void;
  setSkippedOpen(open: boolean): void;
  /** Requests the policy's prompts while their section is open. */
  setPromptsOpen(open: boolean): void;
  /** Requests the signals of the episode once their section is open. */
  setSignalsOpen(open: boolean): void;
}

/** After the run was read again: an episode that is still the same stays as it is, another is read anew. */
function settleRun(context: Context, { notesRead }: Start, before: ListedEpisode | undefined): void {
  const { store, loader, live } = context;
  const state = store.get();
  if (state.live.shown !== undefined) {
    const finished = live.finishedAt();
    return finished === undefined ? undefined : void adopt(context, finished);
  }
  const head = headAt(state, state.index);
  if (head === undefined) {
    store.update({ index: undefined, t: 0 });
    loader.clear("episode", "marks", "context", "judged", "prompts", "signals");
    return void openAtFailure(context, notesRead);
  }
  const same = isSameEpisode(before, head);
  store.update({ t: clampStep(head, state.t) });
  if (!same || state.episode.state === "failed") loadEpisode(context);
}

function judgeAgain(context: Context): void {
  context.judgements.clear();
  context.facets.forgetToday();
  loadMarks(context);
  loadStep(context);
}

/** What waits for the run to be read. The request may be cancelled by a later one, which then finds it here. */
interface Start {
  readonly compare: CompareActions;
  /** Settles when the labels are known. */
  notesRead: Promise<unknown>;
  /** The first place of the view: the host's, if it came before the run was read, else the first failure. */
  position: { index: number; t: number } | undefined;
  /** A run to compare with, asked for before this one was read. */
  compareWith: string | undefined;
  /** The library changed: what it decided before is not so any more. */
  libraryChanged: boolean;
}

/** To where the host, or the view before its restart, said; else it stays where it is. */
function settlePlace(context: Context, start: Start, before: ListedEpisode | undefined): void {
  const { store } = context;
  const { position } = start;
  start.position = undefined;
  const begins = store.get().index === undefined && position !== undefined;
  if (begins) select(context, position.index, position.t);
  if (!begins || store.get().index === undefined) settleRun(context, start, before);
}

async function open(context: Context, start: Start): Promise<void> {
  const { store, loader, connection } = context;
  const before = headAt(store.get(), store.get().index);
  const runBefore = valueOf(store.get().run);
  const episodesBefore = runBefore?.episodes ?? [];
  const run = await loader.load("run", "The run could not be opened.", (signal) =>
    connection.request("open", {}, signal),
  );
  if (run === undefined) return;
  context.facets.forgetChanged(episodesBefore);
  settlePlace(context, start, before);
  const isJudgedNow = runBefore !== undefined && canJudge(run) !== canJudge(runBefore);
  if (start.libraryChanged || isJudgedNow) judgeAgain(context);
  start.libraryChanged = false;
  context.live.settleLive();
  context.facets.settleFacets(episodesBefore);
  context.search.settleSearch(episodesBefore);
  if (start.compareWith !== undefined) start.compare.openCompareWith(start.compareWith);
  start.compareWith = undefined;
}

/** What the host asks for before the run is read waits until it is. */
function listenForPlaces(context: Context, start: Start): void {
  const { connection, store } = context;
  connection.on("reveal", (position) => {
    context.live.unfollow();
    if (store.get().run.state === "ready") select(context, position.index, position.t);
    else start.position = position;
  });
  connection.on("compareWithRun", ({ run }) => {
    if (store.get().run.state === "ready") start.compare.openCompareWith(run);
    else start.compareWith = run;
  });
}

function listen(context: Context, start: Start, notes: NoteActions): void {
  const { connection, store } = context;
  connection.on("runChanged", () => void open(context, start));
  connection.on("libraryChanged", () => {
    start.libraryChanged = true;
    void open(context, start);
  });
  connection.on("whatIf", (whatIf) => {
    if (whatIf.index === store.get().index) store.update({ whatIf });
  });
  connection.on("notesChanged", () => void notes.loadNotes());
}

async function copyLink({ store }: Context): Promise<void> {
  const { t, index, run } = store.get();
  const episode = headAt(store.get(), index);
  const opened = valueOf(run);
  if (episode === undefined || opened === undefined) return;
  const link = stepLink({ run: opened.run?.id ?? opened.title, episode: episode.id, t });
  try {
    await navigator.clipboard.writeText(link);
    store.update({ told: `The link to step ${t + 1} is on the clipboard.` });
  } catch (error) {
    store.update({ failedAction: failureOf(`The link could not be copied: ${link}`, error) });
  }
}

/** Parts of a step that fold; some ask for what they show once they are open. */
function createFoldActions(
  context: Context,
): Pick<Controller, "setSkippedOpen" | "setPromptsOpen" | "setSignalsOpen"> {
  const { store } = context;
  return {
    setSkippedOpen: (skippedOpen) => store.update({ skippedOpen }),
    setPromptsOpen: (promptsOpen) => {
      if (promptsOpen === store.get().promptsOpen) return;
      store.update({ promptsOpen });
      loadPrompts(context);
    },
    setSignalsOpen: (signalsOpen) => {
      if (signalsOpen === store.get().signalsOpen) return;
      store.update({ signalsOpen });
      loadSignals(context);
    },
  };
}

/** Connects the store to the host: nothing else sends requests, and nothing else writes the state. */
export function createController(
  connection: ReplayConnection,
  store: Store<ReplayState>,
  place?: { readonly index: number; readonly t: number },
): Controller {
  const loader = createLoader(store);
  const compare = createCompareActions(connection, store, loader);
  const start: Start = {
    compare,
    notesRead: Promise.resolve(),
    position: place,
    compareWith: undefined,
    libraryChanged: false,
  };
  const notes = createNoteActions(connection, store, loader);
  const facets = createFacetActions(connection, store);
  const search = createSearchActions(connection, store);
  const live = createLiveActions(connection, store, () => {
    forget(context);
    loader.clear("episode");
  });
  const context: Context = {
    connection,
    store,
    loader,
    facets,
    search,
    live,
    report: createPositionReport(connection),
    contexts: new Map(),
    judgements: new Map(),
  };
  const play = createPlayActions(store, (t) => goToStep(context, t));
  const find = createFindActions(store, (t) => (play.pause(), goToStep(context, t)));
  listen(context, start, notes);
  listenForPlaces(context, start);
  return {
    ...notes,
    ...facets,
    ...search,
    ...createMoveActions(context, () => play.pause()),
    ...createHostActions(connection, store),
    ...play,
    ...compare,
    ...find,
    openLive: (id) => live.openLive(id),
    toggleFollow: () => live.toggleFollow(),
    togglePlay: () => (live.unfollow(), play.togglePlay()),
    copyLink: () => void copyLink(context),
    dismissTold: () => store.update({ told: undefined }),
    dismissWhatIf: () => store.update({ whatIf: undefined }),
    open: () => {
      connection.send("ready", null);
      start.notesRead = notes.loadNotes();
      return open(context, start);
    },
    retry: () => (store.get().run.state === "failed" ? void open(context, start) : loadEpisode(context)),
    toggleSource: () => store.update({ sourceShown: !store.get().sourceShown }),
    setMode: (mode) => {
      if (mode === store.get().mode) return;
      store.update({ mode });
      loadStep(context);
    },
    setFilter: (filter) => {
      store.update({ filter: { ...store.get().filter, ...filter } });
      if (needsFacets(store.get().filter)) facets.readFacets();
      search.searchContents();
    },
    dismissFailedAction: () => store.update({ failedAction: undefined }),
    setDrawer: (drawerOpen) => store.update({ drawerOpen }),
    setKeys: (keysOpen) => store.update({ keysOpen }),
    ...createFoldActions(context),
  };
}
