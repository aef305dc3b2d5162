import type { EpisodeHead } from "../../src/model/episode.ts";
import type { JudgedStep, StepCommand } from "../../src/protocol/replay.ts";
import type { ReplayConnection } from "../shared/host.ts";
import { comparison, filterEpisodes, neighbour, type EpisodeFilter, type ListedEpisode } from "./filter.ts";
import { createCompareActions, type CompareActions } from "./compare-actions.ts";
import { createLoader, failureOf } from "./loader.ts";
import { remember, travel } from "./history.ts";
import { createNoteActions, type NoteActions } from "./note-actions.ts";
import { createPatternActions, type PatternActions } from "./pattern-actions.ts";
import { createPlayActions, type PlayActions } from "./play.ts";
import { stepLink } from "./step-link.ts";
import { canJudge, factsOf, valueOf, type LoadedStepContext, type ReplayState } from "./state.ts";
import type { Store } from "./store.ts";
import { interventionSteps } from "./timeline-model.ts";

/** All that a person, or the host, can make the view do. */
export interface Controller extends NoteActions, PatternActions, PlayActions, CompareActions {
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
  moveEpisode(by: number): void;
  /** To the next (1) or previous (-1) step where a PF intervened. */
  moveIntervention(direction: 1 | -1): void;
  setFilter(filter: Partial<EpisodeFilter>): void;
  /** To a step that is named in a text. */
  jumpToStep(t: number): void;
  openSource(skillId: string, line: number | undefined): void;
  /** Runs a command of the host on the step shown; of a PF where `skillId` says which. */
  stepCommand(command: StepCommand, skillId?: string): void;
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
  readonly patterns: PatternActions;
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
  const here = before.index === undefined ? undefined : { index: before.index, t: before.t };
  const history = here === undefined ? before.history : remember(before.history, here, { index, t: step });
  store.update({ index, t: step, history, failedAction: undefined, noteForm: undefined, told: undefined });
  if (before.index !== index) store.update({ whatIf: undefined, playing: false, compare: undefined });
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
  const episodesBefore = valueOf(store.get().run)?.episodes ?? [];
  const run = await loader.load("run", "The run could not be opened.", (signal) =>
    connection.request("open", {}, signal),
  );
  if (run === undefined) return;
  context.patterns.settlePatterns(episodesBefore);
  if (store.get().index === undefined && start.position !== undefined) {
    select(context, start.position.index, start.position.t);
    start.position = undefined;
    if (store.get().index !== undefined) return;
  }
  settleRun(context, before);
}

function listen(context: Context, start: Start, notes: NoteActions): void {
  const { connection, store } = context;
  connection.on("runChanged", () => void open(context, start));
  connection.on("libraryChanged", () => void open(context, start).then(() => judgeAgain(context)));
  connection.on("whatIf", (whatIf) => {
    if (whatIf.index === store.get().index) store.update({ whatIf });
  });
  connection.on("notesChanged", () => notes.loadNotes());
  connection.on("reveal", (position) => {
    if (store.get().run.state === "ready") select(context, position.index, position.t);
    else start.position = position;
  });
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

function moveEpisode(context: Context, by: number): void {
  const state = context.store.get();
  const { filter, index } = state;
  const facts = factsOf(state);
  const listed = filterEpisodes(valueOf(state.run)?.episodes ?? [], filter, facts);
  const head = headAt(state, index);
  const compare = comparison(filter.sort, facts);
  const isBefore = (episode: ListedEpisode): boolean =>
    head !== undefined && index !== undefined && compare(episode, { head, index }) < 0;
  const next = neighbour(listed, index, by, isBefore);
  if (next !== undefined && next !== index) select(context, next, 0);
}

function goToStep(context: Context, t: number | undefined): void {
  const { index } = context.store.get();
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
export function createController(connection: ReplayConnection, store: Store<ReplayState>): Controller {
  const loader = createLoader(store);
  const start: Start = { position: undefined };
  const act = (what: string, request: Promise<unknown>): void => {
    request.catch((error: unknown) => store.update({ failedAction: failureOf(what, error) }));
  };
  const notes = createNoteActions(connection, store, loader);
  const patterns = createPatternActions(connection, store);
  const context: Context = {
    connection,
    store,
    loader,
    patterns,
    contexts: new Map(),
    judgements: new Map(),
  };
  const play = createPlayActions(store, (t) => goToStep(context, t));
  listen(context, start, notes);
  return {
    ...notes,
    ...patterns,
    ...play,
    ...createCompareActions(connection, store, loader),
    travel: (direction) => travelTo(context, direction),
    copyLink: () => void copyLink(context),
    dismissTold: () => store.update({ told: undefined }),
    dismissWhatIf: () => store.update({ whatIf: undefined }),
    open: () => (connection.send("ready", null), notes.loadNotes(), open(context, start)),
    retry: () => (store.get().run.state === "failed" ? void open(context, start) : loadEpisode(context)),
    select: (index, t) => select(context, index, t),
    goToStep: (t) => (play.pause(), goToStep(context, t)),
    moveEpisode: (by) => moveEpisode(context, by),
    moveIntervention: (direction) => moveIntervention(context, direction),
    setFilter: (filter) => {
      store.update({ filter: { ...store.get().filter, ...filter } });
      if (filter.pattern !== undefined && filter.pattern !== "all") patterns.readPatterns();
    },
    jumpToStep: (t) => {
      const { index, t: from, history } = store.get();
      if (index === undefined || t === from) return;
      play.pause();
      goToStep(context, t);
      store.update({ history: { back: [...history.back, { index, t: from }], forward: [] } });
    },
    openSource: (skillId, line) =>
      act(
        `The source of ${skillId} could not be opened.`,
        connection.request("openSource", line === undefined ? { skillId } : { skillId, line }),
      ),
    stepCommand: (command, skillId) => stepCommand(context, command, skillId),
    fillRun: (command) => act("The command did not run.", connection.request("fillRun", { with: command })),
    openLog: () => act("The log could not be opened.", connection.request("openLog", {})),
    dismissFailedAction: () => store.update({ failedAction: undefined }),
    setDrawer: (drawerOpen) => store.update({ drawerOpen }),
    setKeys: (keysOpen) => store.update({ keysOpen }),
    setSkippedOpen: (skippedOpen) => store.update({ skippedOpen }),
  };
}
