import type { EpisodeHead } from "../../src/model/episode.ts";
import type { HelpPlace } from "../../src/model/help-page.ts";
import type { FailurePattern } from "../../src/model/failure-pattern.ts";
import type { RunFiller, StepCommand } from "../../src/protocol/replay.ts";
import type { ReplayConnection } from "../shared/host.ts";
import {
  comparison,
  filterEpisodes,
  needsFacets,
  neighbour,
  type EpisodeFilter,
  type ListedEpisode,
} from "./filter.ts";
import { createCompareActions, type CompareActions } from "./compare-actions.ts";
import { firstBadStep } from "./first-bad-step.ts";
import { createLoader, failureOf } from "./loader.ts";
import { travel } from "./history.ts";
import { createLiveActions, type LiveActions } from "./live-actions.ts";
import { createNoteActions, type NoteActions } from "./note-actions.ts";
import { createFindActions, type FindActions } from "./find-actions.ts";
import { createFacetActions, type FacetActions } from "./facet-actions.ts";
import { createSearchActions, type SearchActions } from "./search-actions.ts";
import { stepOfHit } from "./search-view.ts";
import { openAtFailure } from "./opening.ts";
import { createPlayActions, type PlayActions } from "./play.ts";
import {
  adopt,
  clampStep,
  forget,
  headAt,
  loadEpisode,
  loadMarks,
  loadStep,
  lookAt,
  select,
  type Context,
} from "./showing.ts";
import { createPositionReport } from "./position-report.ts";
import { isSameEpisode } from "./same-episode.ts";
import { stepLink } from "./step-link.ts";
import { factsOf, valueOf, type ReplayMode, type ReplayState } from "./state.ts";
import type { Store } from "./store.ts";
import { interventionSteps } from "./timeline-model.ts";

/** All that a person, or the host, can make the view do. */
export interface Controller
  extends NoteActions, FacetActions, SearchActions, PlayActions, CompareActions, LiveActions, FindActions {
  /** Opens an episode at the step that holds the text of the filter, else at its beginning. */
  openFound(index: number): void;
  /** Along the places that were jumped from. */
  travel(direction: "back" | "forward"): void;
  /** Puts a link to the step shown on the clipboard. */
  copyLink(): void;
  dismissTold(): void;
  dismissWhatIf(): void;
  open(): Promise<void>;
  /** Asks again for what failed. */
  retry(): void;
  select(index: number, t: number): void;
  goToStep(t: number): void;
  /** The transcript was scrolled to a step; false where the step shown stays. */
  lookAt(t: number): boolean;
  setMode(mode: ReplayMode): void;
  moveEpisode(by: number): void;
  /** To the next (1) or previous (-1) step where a PF intervened. */
  moveIntervention(direction: 1 | -1): void;
  /** To where the episode shown first went wrong, as far as labels, patterns and its outcome tell. */
  goToFirstBadStep(): void;
  /** Makes a skill from all episodes that show the pattern; the one shown comes first if it does. */
  newSkillFromPattern(pattern: FailurePattern): void;
  setFilter(filter: Partial<EpisodeFilter>): void;
  /** To a step that is named in a text. */
  jumpToStep(t: number): void;
  openSource(skillId: string, line: number | undefined): void;
  /** Runs a command of the host on the step shown; of a PF where `skillId` says which. */
  stepCommand(command: StepCommand, skillId?: string): void;
  openLog(): void;
  /** Opens a shipped page of help, e.g. at a term. */
  openHelp(place: HelpPlace): void;
  fillRun(command: RunFiller): void;
  dismissFailedAction(): void;
  setDrawer(open: boolean): void;
  setKeys(open: boolean): void;
  setSkippedOpen(open: boolean): void;
}

/** After the run was read again: an episode that is still the same stays as it is, another is read anew. */
function settleRun(context: Context, { notesRead }: Start, before: EpisodeHead | undefined): void {
  const { store, loader, live } = context;
  const state = store.get();
  if (state.live.shown !== undefined) {
    const finished = live.finishedAt();
    return finished === undefined ? undefined : void adopt(context, finished);
  }
  const head = headAt(state, state.index);
  if (head === undefined) {
    store.update({ index: undefined, t: 0 });
    loader.clear("episode", "marks", "context", "judged");
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

/** The first place of the view: the host's, if it came before the run was read, else the first failure. */
interface Start {
  /** Settles when the labels are known. */
  notesRead: Promise<unknown>;
  position: { index: number; t: number } | undefined;
  /** A run to compare with, asked for before this one was read. */
  compareWith: string | undefined;
}

/** To where the host, or the view before its restart, said; else it stays where it is. */
function settlePlace(context: Context, start: Start, before: EpisodeHead | undefined): void {
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
  const episodesBefore = valueOf(store.get().run)?.episodes ?? [];
  const run = await loader.load("run", "The run could not be opened.", (signal) =>
    connection.request("open", {}, signal),
  );
  if (run === undefined) return;
  context.facets.forgetChanged(episodesBefore);
  settlePlace(context, start, before);
  context.live.settleLive();
  context.facets.settleFacets(episodesBefore);
  context.search.settleSearch(episodesBefore);
}

/** What the host asks for before the run is read waits until it is. */
function listenForPlaces(context: Context, start: Start, compare: CompareActions): void {
  const { connection, store } = context;
  connection.on("reveal", (position) => {
    context.live.unfollow();
    if (store.get().run.state === "ready") select(context, position.index, position.t);
    else start.position = position;
  });
  connection.on("compareWithRun", ({ run }) => {
    if (store.get().run.state === "ready") compare.openCompareWith(run);
    else start.compareWith = run;
  });
}

function listen(context: Context, start: Start, notes: NoteActions): void {
  const { connection, store } = context;
  connection.on("runChanged", () => void open(context, start));
  connection.on("libraryChanged", () => void open(context, start).then(() => judgeAgain(context)));
  connection.on("whatIf", (whatIf) => {
    if (whatIf.index === store.get().index) store.update({ whatIf });
  });
  connection.on("notesChanged", () => void notes.loadNotes());
}

const COMMAND_NAMES: Readonly<Record<StepCommand, string>> = {
  newSkillFromStep: "New Skill from This Step",
  addStepAsCase: "Add Step as Case",
  debugPf: "Debug PF on This Step",
  branchFromHere: "Branch from Here",
};

function stepCommand({ connection, store }: Context, command: StepCommand, skillId?: string): void {
  const { index, t } = store.get();
  if (index === undefined || headAt(store.get(), index)?.length === 0) return;
  const params = skillId === undefined ? { command, index, t } : { command, index, t, skillId };
  connection.request("stepCommand", params).catch((error: unknown) => {
    store.update({ failedAction: failureOf(`“${COMMAND_NAMES[command]}” did not run.`, error) });
  });
}

/** Within the episodes that run, which stand above the others. True where that was the move. */
function moveLive({ store, live }: Context, by: number, first: boolean): boolean {
  const { heads, shown } = store.get().live;
  const at = heads.findIndex(({ id }) => id === shown?.id);
  const from = shown === undefined ? (first ? heads.length : undefined) : at;
  const next = from === undefined ? undefined : heads[Math.max(from + by, 0)];
  if (next !== undefined) live.openLive(next.id);
  return next !== undefined;
}

function openFound(context: Context, index: number): void {
  const state = context.store.get();
  const head = headAt(state, index);
  if (head !== undefined) select(context, index, stepOfHit(state.search.hits.get(index), head));
}

function moveEpisode(context: Context, by: number): void {
  const state = context.store.get();
  const { filter, index } = state;
  const facts = factsOf(state);
  const listed = filterEpisodes(valueOf(state.run)?.episodes ?? [], filter, facts);
  const isFirst = by < 0 && (listed[0] === undefined || listed[0].index === index);
  if (moveLive(context, by, isFirst)) return;
  if (state.live.shown !== undefined && listed[0] !== undefined) return openFound(context, listed[0].index);
  const head = headAt(state, index);
  const compare = comparison(filter.sort, facts);
  const isBefore = (episode: ListedEpisode): boolean =>
    head !== undefined && index !== undefined && compare(episode, { head, index }) < 0;
  const next = neighbour(listed, index, by, isBefore);
  if (next !== undefined && next !== index) openFound(context, next);
}

function goToStep(context: Context, t: number | undefined): void {
  const { index, live, episode } = context.store.get();
  const last = (valueOf(episode)?.steps.length ?? 1) - 1;
  if (t !== undefined && live.shown !== undefined)
    context.store.update({ t: Math.min(Math.max(t, 0), Math.max(last, 0)), told: undefined });
  if (t !== undefined && t < last) context.live.unfollow();
  if (index !== undefined && t !== undefined) select(context, index, t);
}

function travelTo(context: Context, direction: "back" | "forward"): void {
  const { index, t, history } = context.store.get();
  const went = index === undefined ? undefined : travel(history, { index, t }, direction);
  if (went === undefined) return;
  select(context, went.to.index, went.to.t);
  context.store.update({ history: went.history });
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

function moveIntervention(context: Context, direction: 1 | -1): void {
  const { t } = context.store.get();
  const steps = interventionSteps(context.store.get());
  goToStep(context, direction > 0 ? steps.find((step) => step > t) : steps.findLast((step) => step < t));
}

/** Connects the store to the host: nothing else sends requests, and nothing else writes the state. */
export function createController(
  connection: ReplayConnection,
  store: Store<ReplayState>,
  place?: { readonly index: number; readonly t: number },
): Controller {
  const loader = createLoader(store);
  const start: Start = { notesRead: Promise.resolve(), position: place, compareWith: undefined };
  const act = (what: string, request: Promise<unknown>): void => {
    request.catch((error: unknown) => store.update({ failedAction: failureOf(what, error) }));
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
  const compare = createCompareActions(connection, store, loader);
  /** Who looks elsewhere no longer follows. */
  const byHand = (look: () => void): void => (live.unfollow(), look());
  const jumpToStep = (t: number): void => {
    const { index, t: from, history } = store.get();
    if (t === from) return;
    if (index === undefined) return goToStep(context, t);
    play.pause();
    goToStep(context, t);
    store.update({ history: { back: [...history.back, { index, t: from }], forward: [] } });
  };
  listen(context, start, notes);
  listenForPlaces(context, start, compare);
  const openRun = async (): Promise<void> => {
    await open(context, start);
    if (start.compareWith === undefined || store.get().run.state !== "ready") return;
    compare.openCompareWith(start.compareWith);
    start.compareWith = undefined;
  };
  return {
    ...notes,
    ...facets,
    ...search,
    openFound: (index) => byHand(() => openFound(context, index)),
    ...play,
    ...compare,
    ...find,
    openLive: (id) => live.openLive(id),
    toggleFollow: () => live.toggleFollow(),
    togglePlay: () => byHand(() => play.togglePlay()),
    travel: (direction) => byHand(() => travelTo(context, direction)),
    copyLink: () => void copyLink(context),
    dismissTold: () => store.update({ told: undefined }),
    dismissWhatIf: () => store.update({ whatIf: undefined }),
    open: () => {
      connection.send("ready", null);
      start.notesRead = notes.loadNotes();
      return openRun();
    },
    retry: () => (store.get().run.state === "failed" ? void openRun() : loadEpisode(context)),
    select: (index, t) => byHand(() => select(context, index, t)),
    goToStep: (t) => (play.pause(), goToStep(context, t)),
    lookAt: (t) => lookAt(context, t),
    setMode: (mode) => {
      if (mode === store.get().mode) return;
      store.update({ mode });
      loadStep(context);
    },
    moveEpisode: (by) => byHand(() => moveEpisode(context, by)),
    moveIntervention: (direction) => moveIntervention(context, direction),
    setFilter: (filter) => {
      store.update({ filter: { ...store.get().filter, ...filter } });
      if (needsFacets(store.get().filter)) facets.readFacets();
      search.searchContents();
    },
    jumpToStep,
    goToFirstBadStep: () => {
      const bad = firstBadStep(store.get(), store.get().index);
      if (bad !== undefined) return jumpToStep(bad.t);
      store.update({ told: "Nothing in this episode points to a failure." });
    },
    newSkillFromPattern: (pattern) => {
      const { index, facets: known } = store.get();
      const shows = known.found.get(index ?? -1)?.patterns.some(({ name }) => name === pattern) === true;
      const params = shows && index !== undefined ? { pattern, index } : { pattern };
      act("“New Skill from This Pattern” did not run.", connection.request("newSkillFromPattern", params));
    },
    openSource: (skillId, line) =>
      act(
        `The source of ${skillId} could not be opened.`,
        connection.request("openSource", line === undefined ? { skillId } : { skillId, line }),
      ),
    stepCommand: (command, skillId) => stepCommand(context, command, skillId),
    fillRun: (command) => act("The command did not run.", connection.request("fillRun", { with: command })),
    openLog: () => act("The log could not be opened.", connection.request("openLog", {})),
    openHelp: (place) => act("The help could not be opened.", connection.request("openHelp", place)),
    dismissFailedAction: () => store.update({ failedAction: undefined }),
    setDrawer: (drawerOpen) => store.update({ drawerOpen }),
    setKeys: (keysOpen) => store.update({ keysOpen }),
    setSkippedOpen: (skippedOpen) => store.update({ skippedOpen }),
  };
}
