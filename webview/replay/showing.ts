import type { Episode } from "../../src/model/episode.ts";
import type { JudgedStep, ListedEpisode } from "../../src/protocol/replay.ts";
import type { ReplayConnection } from "../shared/host.ts";
import type { FacetActions } from "./facet-actions.ts";
import type { SearchActions } from "./search-actions.ts";
import { remember } from "./history.ts";
import type { LiveControl } from "./live-actions.ts";
import type { createLoader } from "./loader.ts";
import type { PositionReport } from "./position-report.ts";
import { canJudge, valueOf, type LoadedStepContext, type ReplayState } from "./state.ts";
import type { Store } from "./store.ts";

/** What the view shows of the run, and all that it takes to show it. */
export interface Context {
  readonly connection: ReplayConnection;
  readonly store: Store<ReplayState>;
  readonly loader: ReturnType<typeof createLoader>;
  readonly facets: FacetActions;
  readonly search: SearchActions;
  readonly live: LiveControl;
  readonly report: PositionReport;
  /** Answers for steps of the episode shown, so that stepping back is instant. */
  readonly contexts: Map<number, LoadedStepContext>;
  readonly judgements: Map<number, JudgedStep>;
}

export function headAt(state: ReplayState, index: number | undefined): ListedEpisode | undefined {
  return index === undefined ? undefined : valueOf(state.run)?.episodes[index];
}

/** Steps whose answers are kept: late in an episode of thousands of steps, a context holds megabytes. */
const REMEMBERED = 50;

async function remembered<T>(memory: Map<number, T>, t: number, ask: () => Promise<T>): Promise<T> {
  const known = memory.get(t);
  if (known !== undefined) return known;
  const value = await ask();
  memory.set(t, value);
  const [oldest] = memory.keys();
  if (memory.size > REMEMBERED && oldest !== undefined) memory.delete(oldest);
  return value;
}

/** The prompts that the policy read before each proposal of the step, while their section is open. */
export function loadPrompts({ connection, store, loader }: Context): void {
  const { index, t, mode, promptsOpen, episode } = store.get();
  const proposals = valueOf(episode)?.steps[t]?.proposals ?? [];
  if (
    !promptsOpen ||
    mode === "episode" ||
    index === undefined ||
    proposals.every(({ messages }) => messages === undefined)
  )
    return loader.clear("prompts");
  void loader.load("prompts", `The prompt of step ${t + 1} could not be read.`, (signal) =>
    Promise.all(
      proposals.map((_, proposal) => connection.request("messages", { index, t, proposal }, signal)),
    ),
  );
}

/** The signals of the episode, asked for once: when their section opens in it. */
export function loadSignals({ connection, store, loader }: Context): void {
  const { index, mode, signalsOpen, signals } = store.get();
  if (!signalsOpen || mode === "episode" || index === undefined || signals.state !== "idle") return;
  void loader.load("signals", "The signals of this episode could not be computed.", (signal) =>
    connection.request("signals", { index }, signal),
  );
}

/** A transcript shows no context and asks nobody about its steps: what it scrolls over would be asked for in vain. */
export function loadStep(context: Context): void {
  const { connection, store, loader, contexts, judgements } = context;
  loadPrompts(context);
  loadSignals(context);
  const { index, t, run, mode } = store.get();
  if (mode === "episode" || index === undefined || headAt(store.get(), index)?.length === 0)
    return loader.clear("context", "judged");
  void loader.load("context", `The step context of step ${t + 1} could not be rebuilt.`, (signal) =>
    remembered(contexts, t, () => connection.request("stepContext", { index, t }, signal)),
  );
  if (!canJudge(valueOf(run))) return loader.clear("judged");
  void loader.load("judged", `The library could not judge step ${t + 1}.`, (signal) =>
    remembered(judgements, t, () => connection.request("judgeStep", { index, t }, signal)),
  );
}

export function loadMarks({ connection, store, loader }: Context): void {
  const { index, run } = store.get();
  if (index === undefined || !canJudge(valueOf(run))) return loader.clear("marks");
  void loader.load("marks", "The library could not judge this episode.", (signal) =>
    connection.request("judgeEpisode", { index }, signal),
  );
}

/** `asked`: the answer, where it was asked for before. */
export function loadEpisode(context: Context, asked?: Promise<Episode>): void {
  const { connection, store, loader } = context;
  const { index } = store.get();
  forget(context);
  if (index === undefined) return loader.clear("episode", "marks", "context", "judged", "prompts", "signals");
  void context.facets.readFacetsOf(index);
  void loader
    .load(
      "episode",
      `Episode ${index + 1} could not be read.`,
      (signal) => asked ?? connection.request("readEpisode", { index }, signal),
    )
    .then(() => loadPrompts(context));
  loadMarks(context);
  loadStep(context);
}

/** Ends what is asked about the old episode first, so that a late answer cannot be remembered for the new one. */
export function forget({ loader, contexts, judgements }: Context): void {
  loader.clear("context", "judged", "marks", "prompts", "signals");
  contexts.clear();
  judgements.clear();
}

/** A step that the episode has, as near to `t` as can be. */
export function clampStep(head: ListedEpisode, t: number): number {
  return Math.min(Math.max(t, 0), Math.max(head.length - 1, 0));
}

export function select(context: Context, index: number, t: number, asked?: Promise<Episode>): void {
  const { store } = context;
  const before = store.get();
  const head = headAt(before, index);
  if (head === undefined) return;
  const step = clampStep(head, t);
  if (before.index === index && before.t === step) return;
  context.live.leaveLive();
  const here = before.index === undefined ? undefined : { index: before.index, t: before.t };
  const history = here === undefined ? before.history : remember(before.history, here, { index, t: step });
  store.update({ index, t: step, history, failedAction: undefined, noteForm: undefined, told: undefined });
  if (before.index !== index) store.update({ whatIf: undefined, playing: false, compare: undefined });
  if (before.index === index) loadStep(context);
  else loadEpisode(context, asked);
  context.report.now({ index, t: step });
}

/** The step that a person scrolled to in the transcript: nothing is asked about it, and it is no jump to go back from. */
export function lookAt(context: Context, t: number): boolean {
  const { store, live, report } = context;
  const { index, mode, noteForm, playing, episode } = store.get();
  // A form that is open belongs to the step that it was opened on.
  if (mode !== "episode" || noteForm !== undefined || playing || t === store.get().t) return false;
  store.update({ t, told: undefined });
  if (t < (valueOf(episode)?.steps.length ?? 1) - 1) live.unfollow();
  if (index !== undefined) report.soon({ index, t });
  return true;
}

/** The episode that ran is in the run's file: it takes the place of what was told of it, and nothing moves. */
export async function adopt(context: Context, index: number): Promise<void> {
  const { store, connection, live } = context;
  const { shown } = store.get().live;
  try {
    const value = await connection.request("readEpisode", { index });
    if (store.get().live.shown?.id !== shown?.id) return;
    forget(context);
    // Its last steps may never have been told: they came with its end.
    const t = clampStep(value, store.get().live.follow ? Infinity : store.get().t);
    live.leaveLive();
    store.update({ index, t, episode: { state: "ready", value } });
    void context.facets.readFacetsOf(index);
    loadMarks(context);
    loadStep(context);
    context.report.now({ index, t });
  } catch {
    // What cannot be read is told where it is shown.
    if (store.get().live.shown?.id === shown?.id) select(context, index, store.get().t);
  }
}
