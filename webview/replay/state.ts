import type { Episode } from "../../src/model/episode.ts";
import type { StepContext } from "../../src/model/step-context.ts";
import type { JudgedStep, OpenedRun, StepMarks } from "../../src/protocol/replay.ts";
import type { OutcomeFilter } from "./filter.ts";

/** What a person is told when a request fails: what, why, and what to do next. */
export interface Failure {
  readonly what: string;
  readonly why: string;
  readonly next: string | undefined;
}

export type Loaded<T> =
  | { readonly state: "idle" }
  | { readonly state: "loading" }
  | { readonly state: "ready"; readonly value: T }
  | { readonly state: "failed"; readonly failure: Failure };

export interface LoadedStepContext {
  readonly context: StepContext;
  readonly changed: readonly string[];
}

/** All that the view shows. Only the controller writes it; components read it and report what a person did. */
export interface ReplayState {
  readonly run: Loaded<OpenedRun>;
  readonly filter: { readonly text: string; readonly outcome: OutcomeFilter };
  /** Position in `episodes.jsonl` of the episode shown; undefined before the run is open, or when it is empty. */
  readonly index: number | undefined;
  /** 0-based step. */
  readonly t: number;
  readonly episode: Loaded<Episode>;
  readonly marks: Loaded<readonly StepMarks[]>;
  readonly context: Loaded<LoadedStepContext>;
  readonly judged: Loaded<JudgedStep>;
  /** What a button asked for and did not get, e.g. a source that cannot be opened. */
  readonly failedAction: Failure | undefined;
  readonly drawerOpen: boolean;
  readonly keysOpen: boolean;
  /** The folded list of skipped Program Functions is open; kept from step to step. */
  readonly skippedOpen: boolean;
}

export type LoadKey = "run" | "episode" | "marks" | "context" | "judged";

export const IDLE = { state: "idle" } as const;

export const INITIAL_STATE: ReplayState = {
  run: IDLE,
  filter: { text: "", outcome: "all" },
  index: undefined,
  t: 0,
  episode: IDLE,
  marks: IDLE,
  context: IDLE,
  judged: IDLE,
  failedAction: undefined,
  drawerOpen: false,
  keysOpen: false,
  skippedOpen: false,
};

export function valueOf<T>(loaded: Loaded<T>): T | undefined {
  return loaded.state === "ready" ? loaded.value : undefined;
}

/** True when today's library can be asked about a step. */
export function canJudge(run: OpenedRun | undefined): boolean {
  return run !== undefined && run.libraryNotice === undefined && run.skills.length > 0;
}
