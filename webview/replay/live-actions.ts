import type { Episode } from "../../src/model/episode.ts";
import type { LiveHead } from "../../src/model/live-episode.ts";
import type { LiveUpdate } from "../../src/protocol/replay.ts";
import type { ReplayConnection } from "../shared/host.ts";
import { valueOf, type LiveView, type ReplayState } from "./state.ts";
import type { Store } from "./store.ts";

/** What a person does with episodes that run. */
export interface LiveActions {
  /** Opens it at its newest step. */
  openLive(id: string): void;
  /** Keeps the newest step of what runs in sight, from one episode to the next; or no longer. */
  toggleFollow(): void;
}

/** What the rest of the controller does with them. */
export interface LiveControl extends LiveActions {
  /** A person looks at something else than the newest step. */
  unfollow(): void;
  /** Nothing that runs is shown any more. */
  leaveLive(): void;
  /** Where the shown episode that ran stands in the run's file by now; undefined where it does not. */
  finishedAt(): number | undefined;
  /** Takes what is in the run's file off the list of what runs. */
  settleLive(): void;
}

interface Context {
  readonly connection: ReplayConnection;
  readonly store: Store<ReplayState>;
  /** Ends what is asked about the episode that was shown. */
  readonly forgetShown: () => void;
  /** As the host told them last, with those that have finished meanwhile. */
  told: readonly LiveHead[];
}

function updateLive({ store }: Context, patch: Partial<LiveView>): void {
  store.update({ live: { ...store.get().live, ...patch } });
}

function show(context: Context, id: string): void {
  const { store, connection } = context;
  if (store.get().live.shown?.id === id) return;
  context.forgetShown();
  store.update({
    index: undefined,
    t: 0,
    episode: { state: "loading" },
    whatIf: undefined,
    compare: undefined,
    noteForm: undefined,
    told: undefined,
    playing: false,
  });
  updateLive(context, { shown: { id, phase: undefined } });
  connection.send("followLive", { id });
  connection.send("position", null);
}

/** While it is followed, the next running episode takes the place of one that does not run any more. */
function followNext(context: Context): void {
  const { follow, shown, heads } = context.store.get().live;
  const runs = (head: LiveHead): boolean => head.state === "running";
  if (!follow || heads.some((head) => head.id === shown?.id && runs(head))) return;
  const next = heads.find(runs);
  if (next !== undefined) show(context, next.id);
}

/** Where nothing has ended yet, the first that runs is shown: there is nothing else to look at. */
function showFirst(context: Context): void {
  const { run, index, live } = context.store.get();
  const [first] = live.heads;
  const isEmpty = valueOf(run)?.episodes.length === 0 && index === undefined && live.shown === undefined;
  if (isEmpty && first !== undefined) show(context, first.id);
}

function settleLive(context: Context): void {
  const finished = new Set(valueOf(context.store.get().run)?.episodes.map(({ id }) => id));
  updateLive(context, { heads: context.told.filter(({ id }) => !finished.has(id)) });
  followNext(context);
  showFirst(context);
}

/** The first steps of an episode are shown at its newest one; then only who follows is moved along. */
function takeSteps(context: Context, { id, about, from, steps, phase }: LiveUpdate): void {
  const { store } = context;
  const { live, episode, t } = store.get();
  if (live.shown?.id !== id) return;
  const before = valueOf(episode);
  const known = before?.steps.slice(0, from) ?? [];
  const now: Episode = { ...about, steps: [...known, ...steps] };
  const last = Math.max(now.steps.length - 1, 0);
  const isNew = before === undefined || live.follow;
  store.update({
    episode: { state: "ready", value: now },
    t: isNew ? last : Math.min(t, last),
    live: { ...live, shown: { id, phase } },
  });
}

function toggleFollow(context: Context): void {
  const { store } = context;
  const { live, episode } = store.get();
  updateLive(context, { follow: !live.follow });
  if (live.follow) return;
  if (store.get().playing) store.update({ playing: false });
  if (live.shown !== undefined) store.update({ t: Math.max((valueOf(episode)?.steps.length ?? 1) - 1, 0) });
  followNext(context);
}

export function createLiveActions(
  connection: ReplayConnection,
  store: Store<ReplayState>,
  forgetShown: () => void,
): LiveControl {
  const context: Context = { connection, store, forgetShown, told: [] };
  connection.on("live", ({ episodes }) => {
    context.told = episodes;
    settleLive(context);
  });
  connection.on("liveSteps", (update) => takeSteps(context, update));
  return {
    openLive: (id) => show(context, id),
    toggleFollow: () => toggleFollow(context),
    unfollow: () => {
      if (store.get().live.follow) updateLive(context, { follow: false });
    },
    leaveLive: () => {
      if (store.get().live.shown === undefined) return;
      updateLive(context, { shown: undefined });
      connection.send("followLive", null);
    },
    finishedAt: () => {
      const { shown } = store.get().live;
      const at = valueOf(store.get().run)?.episodes.findIndex(({ id }) => id === shown?.id);
      return shown === undefined || at === -1 ? undefined : at;
    },
    settleLive: () => settleLive(context),
  };
}
