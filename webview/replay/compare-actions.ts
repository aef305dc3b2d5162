import type { QuestionVerdict } from "../../src/model/comparison.ts";
import type { ComparableEpisode, ComparableRun, EpisodePlace } from "../../src/protocol/replay.ts";
import type { ReplayConnection } from "../shared/host.ts";
import { failureOf, type Loader } from "./loader.ts";
import { valueOf, type ReplayState } from "./state.ts";
import type { Store } from "./store.ts";

/** Two episodes, or two runs, side by side. */
export interface CompareActions {
  /** Asks with what the episode, or the run, can be compared; the only answer is chosen at once. */
  openCompare(view: "episodes" | "runs"): void;
  /** Compares the run with another one that the host names. */
  openCompareWith(run: string): void;
  compareWithEpisode(other: ComparableEpisode): void;
  /** `measured`: every episode of both runs is read. */
  compareWithRun(other: ComparableRun, measured: boolean): void;
  /** Which questions the table of two runs shows. */
  showVerdict(verdict: QuestionVerdict | "all"): void;
  closeCompare(): void;
  /** A step of an episode of any run. */
  openEpisode(place: EpisodePlace, t: number): void;
}

interface Context {
  readonly connection: ReplayConnection;
  readonly store: Store<ReplayState>;
  readonly loader: Loader;
}

function withEpisode({ connection, store, loader }: Context, other: ComparableEpisode): void {
  const { compare } = store.get();
  if (compare?.view !== "episodes") return;
  const { index } = compare;
  store.update({ compare: { ...compare, other } });
  const place = { run: other.run, index: other.index };
  void loader.load("comparedEpisodes", "The episodes could not be compared.", (signal) =>
    connection.request("compareEpisodes", { index, other: place }, signal),
  );
}

function withRun({ connection, store, loader }: Context, other: ComparableRun, measured: boolean): void {
  const { compare } = store.get();
  // Measuring the same two runs keeps what a person had chosen to see.
  const isSame = compare?.view === "runs" && compare.other?.run === other.run;
  store.update({ compare: { view: "runs", other, measured, verdict: isSame ? compare.verdict : "all" } });
  void loader.load("comparedRuns", "The runs could not be compared.", (signal) =>
    connection.request("compareRuns", { run: other.run, measured }, signal),
  );
}

async function openEpisodes(context: Context): Promise<void> {
  const { connection, store, loader } = context;
  const { index, episode } = store.get();
  if (index === undefined || valueOf(episode) === undefined) return;
  loader.clear("comparedEpisodes");
  store.update({ compare: { view: "episodes", index, other: undefined }, playing: false });
  const found = await loader.load(
    "comparableEpisodes",
    "Other episodes of this question could not be looked for.",
    (signal) => connection.request("comparableEpisodes", { index }, signal),
  );
  const [only, second] = found ?? [];
  if (only !== undefined && second === undefined) withEpisode(context, only);
}

async function openRuns(context: Context, wanted?: string): Promise<void> {
  const { connection, store, loader } = context;
  loader.clear("comparedRuns");
  store.update({
    compare: { view: "runs", other: undefined, measured: false, verdict: "all" },
    playing: false,
  });
  const found = await loader.load("comparableRuns", "Other runs could not be looked for.", (signal) =>
    connection.request("comparableRuns", {}, signal),
  );
  const [only, second] = found ?? [];
  const alone = second === undefined ? only : undefined;
  const other = wanted === undefined ? alone : found?.find(({ run }) => run === wanted);
  if (other !== undefined) withRun(context, other, false);
}

export function createCompareActions(
  connection: ReplayConnection,
  store: Store<ReplayState>,
  loader: Loader,
): CompareActions {
  const context: Context = { connection, store, loader };
  return {
    openCompare: (view) => void (view === "episodes" ? openEpisodes(context) : openRuns(context)),
    openCompareWith: (run) => void openRuns(context, run),
    compareWithEpisode: (other) => withEpisode(context, other),
    compareWithRun: (other, measured) => withRun(context, other, measured),
    showVerdict: (verdict) => {
      const { compare } = store.get();
      if (compare?.view === "runs") store.update({ compare: { ...compare, verdict } });
    },
    closeCompare: () => {
      loader.clear("comparableEpisodes", "comparedEpisodes", "comparableRuns", "comparedRuns");
      store.update({ compare: undefined });
    },
    openEpisode: ({ run, index }, t) => {
      connection.request("openEpisode", { run, index, t }).catch((error: unknown) => {
        store.update({ failedAction: failureOf("The episode could not be opened.", error) });
      });
    },
  };
}
