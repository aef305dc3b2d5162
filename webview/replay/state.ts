import type { QuestionVerdict } from "../../src/model/comparison.ts";
import type { Episode } from "../../src/model/episode.ts";
import type { EpisodeHit } from "../../src/model/episode-hit.ts";
import type { LiveHead, StepPhase } from "../../src/model/live-episode.ts";
import type { Note } from "../../src/model/note.ts";
import type { ShownSignals } from "../../src/model/signals.ts";
import type { StepContext } from "../../src/model/step-context.ts";
import type {
  ComparableEpisode,
  ComparableRun,
  EpisodeFacets,
  JudgedStep,
  OpenedRun,
  ReplayHost,
  StepMarks,
} from "../../src/protocol/replay.ts";
import type { ReadPrompt } from "../../src/protocol/read-prompt.ts";
import type { FindQuery, Hit } from "./find-query.ts";
import { NO_FILTER, type EpisodeFacts, type EpisodeFilter } from "./filter.ts";
import { NO_HISTORY, type History } from "./history.ts";

/** What a person is told when a request fails: what, why, and what to do next. */
export interface Failure {
  readonly what: string;
  readonly why: string;
  readonly next: string | undefined;
}

export type Loaded<T> =
  | { readonly state: "idle" }
  /** `before`: the value that is asked for again, for those who show it meanwhile. */
  | { readonly state: "loading"; readonly before?: T }
  | { readonly state: "ready"; readonly value: T }
  | { readonly state: "failed"; readonly failure: Failure };

export interface LoadedStepContext {
  readonly context: StepContext;
  readonly changed: readonly string[];
}

/** What whole episodes were found to show, as far as they were looked at: the first `read` of them. */
export interface FacetsRead {
  readonly state: "idle" | "reading" | "stopped" | "done";
  /** Today's library is asked as well. */
  readonly today: boolean;
  /** By position of the episode. */
  readonly found: ReadonlyMap<number, EpisodeFacets>;
  readonly read: number;
  /** Position of the episode shown where it could not be looked at. */
  readonly missed: number | undefined;
  readonly failure: Failure | undefined;
}

/** A search for a text in the contents of episodes. */
export interface ContentSearch {
  /** `idle`: no text is looked for. */
  readonly state: "idle" | "searching" | "stopped" | "done";
  readonly query: string;
  /** By position of the episode; those of the text before until the first answer for this one is there. */
  readonly hits: ReadonlyMap<number, EpisodeHit>;
  /** The episodes before this position were searched. */
  readonly searched: number;
  readonly failure: Failure | undefined;
}

type Answer<M extends keyof ReplayHost["requests"]> = ReplayHost["requests"][M]["result"];

/** What stands in place of the episode: a comparison, with what was chosen for its other side. */
export type Compare =
  | { readonly view: "episodes"; readonly index: number; readonly other: ComparableEpisode | undefined }
  | {
      readonly view: "runs";
      readonly other: ComparableRun | undefined;
      readonly measured: boolean;
      /** Which questions the table shows. */
      readonly verdict: QuestionVerdict | "all";
    };

/** What was just done with a note, for the way back. */
export interface Undo {
  readonly did: "added" | "removed";
  readonly note: Note;
  readonly index: number;
}

/** The find bar is open. */
export interface Find {
  readonly query: FindQuery;
  readonly current: Hit | undefined;
}

/** Episodes under way. */
export interface LiveView {
  /** Those that are not in the run's file yet, in the order in which they began. */
  readonly heads: readonly LiveHead[];
  /** One of them is shown; then there is no `index`. It stays when it leaves the list, until its episode is read. */
  readonly shown: { readonly id: string; readonly phase: StepPhase } | undefined;
  /** The newest step of what runs stays in sight. */
  readonly follow: boolean;
}

/** `step`: one step and everything about it. `episode`: all steps below each other, as a transcript. */
export const REPLAY_MODES = ["step", "episode"] as const;
export type ReplayMode = (typeof REPLAY_MODES)[number];

/** All that the view shows. Only the controller writes it; components read it and report what a person did. */
export interface ReplayState {
  readonly run: Loaded<OpenedRun>;
  readonly filter: Required<EpisodeFilter>;
  readonly mode: ReplayMode;
  /** Formulas are shown as they are written, not drawn. */
  readonly sourceShown: boolean;
  readonly find: Find | undefined;
  readonly facets: FacetsRead;
  readonly search: ContentSearch;
  /** Position in `episodes.jsonl` of the episode shown; undefined before the run is open, or when it is empty. */
  readonly index: number | undefined;
  readonly live: LiveView;
  /** 0-based step. */
  readonly t: number;
  readonly episode: Loaded<Episode>;
  readonly marks: Loaded<readonly StepMarks[]>;
  readonly context: Loaded<LoadedStepContext>;
  readonly judged: Loaded<JudgedStep>;
  /** Of each proposal of the step; asked for while its section is open. */
  readonly prompts: Loaded<readonly ReadPrompt[]>;
  /** Of all steps of the episode; asked for once their section is open. */
  readonly signals: Loaded<ShownSignals>;
  readonly notes: Loaded<ReplayHost["requests"]["readNotes"]["result"]>;
  /** The form for a label is open, for the step shown or for its episode. */
  readonly noteForm: "step" | "episode" | undefined;
  readonly undo: Undo | undefined;
  /** What the last edit of the library changes on the episode shown. */
  readonly whatIf: ReplayHost["events"]["whatIf"] | undefined;
  readonly compare: Compare | undefined;
  readonly comparableEpisodes: Loaded<Answer<"comparableEpisodes">>;
  readonly comparedEpisodes: Loaded<Answer<"compareEpisodes">>;
  readonly comparableRuns: Loaded<Answer<"comparableRuns">>;
  readonly comparedRuns: Loaded<Answer<"compareRuns">>;
  readonly playing: boolean;
  /** 1: two seconds a step. */
  readonly speed: number;
  readonly history: History;
  /** A thing done that nothing else shows, e.g. that a link was copied. */
  readonly told: string | undefined;
  /** What a button asked for and did not get, e.g. a source that cannot be opened. */
  readonly failedAction: Failure | undefined;
  readonly drawerOpen: boolean;
  readonly keysOpen: boolean;
  /** The folded list of skipped Program Functions is open; kept from step to step. */
  readonly skippedOpen: boolean;
  /** The section of the prompts is open; kept from step to step. */
  readonly promptsOpen: boolean;
  /** The section of the signals is open; kept from step to step. */
  readonly signalsOpen: boolean;
}

export type LoadKey =
  | "run"
  | "episode"
  | "marks"
  | "context"
  | "judged"
  | "prompts"
  | "signals"
  | "notes"
  | "comparableEpisodes"
  | "comparedEpisodes"
  | "comparableRuns"
  | "comparedRuns";

export const IDLE = { state: "idle" } as const;

export const NO_FACETS: FacetsRead = {
  state: "idle",
  today: false,
  found: new Map(),
  read: 0,
  missed: undefined,
  failure: undefined,
};

export const NO_SEARCH: ContentSearch = {
  state: "idle",
  query: "",
  hits: new Map(),
  searched: 0,
  failure: undefined,
};

export const INITIAL_STATE: ReplayState = {
  run: IDLE,
  filter: { ...NO_FILTER, pfSource: "recorded", sort: "outcome" },
  mode: "step",
  sourceShown: false,
  find: undefined,
  facets: NO_FACETS,
  search: NO_SEARCH,
  index: undefined,
  live: { heads: [], shown: undefined, follow: false },
  t: 0,
  episode: IDLE,
  marks: IDLE,
  context: IDLE,
  judged: IDLE,
  prompts: IDLE,
  signals: IDLE,
  notes: IDLE,
  noteForm: undefined,
  undo: undefined,
  whatIf: undefined,
  compare: undefined,
  comparableEpisodes: IDLE,
  comparedEpisodes: IDLE,
  comparableRuns: IDLE,
  comparedRuns: IDLE,
  playing: false,
  speed: 1,
  history: NO_HISTORY,
  told: undefined,
  failedAction: undefined,
  drawerOpen: false,
  keysOpen: false,
  skippedOpen: false,
  promptsOpen: false,
  signalsOpen: false,
};

export function valueOf<T>(loaded: Loaded<T>): T | undefined {
  return loaded.state === "ready" ? loaded.value : undefined;
}

/** Also a value that is being asked for again. */
export function shownOf<T>(loaded: Loaded<T>): T | undefined {
  return loaded.state === "loading" ? loaded.before : valueOf(loaded);
}

/** True when today's library can be asked about a step. */
export function canJudge(run: OpenedRun | undefined): boolean {
  return run !== undefined && run.libraryNotice === undefined && run.skills.length > 0;
}

/** What the list can be filtered and sorted by, besides the heads of its episodes. */
export function factsOf({
  notes,
  facets,
  search,
}: Pick<ReplayState, "notes" | "facets" | "search">): EpisodeFacts {
  return {
    notes: Map.groupBy(valueOf(notes)?.notes ?? [], ({ episodeId }) => episodeId),
    facets: facets.found,
    hits: search.hits,
  };
}

/** What was just noted or removed, while its place is shown. It can be undone from everywhere. */
export function undoInSight({ undo, index, t }: ReplayState): Undo | undefined {
  const isHere = undo?.index === index && (undo?.note.t ?? t) === t;
  return isHere ? undo : undefined;
}
