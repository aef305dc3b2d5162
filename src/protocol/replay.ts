import type { Contract, NoRequests } from "./connection.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { Episode, EpisodeHead, Run } from "../model/episode.ts";
import type { Explanation } from "../model/explanation.ts";
import type { PfEvent } from "../model/intervention.ts";
import type { StepContext } from "../model/step-context.ts";

/** One PF on one step: what became of it, and why. */
export interface JudgedPf {
  readonly event: PfEvent;
  readonly explanation: Explanation | undefined;
}

/** What today's library would do at one step of a recorded episode. */
export interface JudgedStep {
  readonly t: number;
  readonly pfs: readonly JudgedPf[];
  /** What would have run, e.g. `READ doc_0`; undefined when the proposal stands. */
  readonly executed: { readonly type: string; readonly arg: string } | undefined;
  readonly injected: readonly { readonly skillId: string; readonly text: string }[];
  /** An earlier step was modified, so the recorded rest is another path (DESIGN.md). */
  readonly diverged: boolean;
}

/** Marks for the timeline, for every step of an episode. */
export interface StepMarks {
  readonly t: number;
  readonly modified: boolean;
  readonly injected: boolean;
  readonly error: boolean;
  readonly diverged: boolean;
}

export interface OpenedRun {
  /** Absent when the folder has no run.json. */
  readonly run: Run | undefined;
  readonly title: string;
  readonly episodes: readonly EpisodeHead[];
  /** Lines that are no episodes, with what to do. */
  readonly diagnostics: readonly Diagnostic[];
  /** Skills of today's library, in the order they are asked. */
  readonly skills: readonly { readonly skillId: string; readonly title: string }[];
  /** Why no PF can judge here, e.g. the workspace is not trusted. */
  readonly libraryNotice: string | undefined;
}

/** What the extension (or the fixture host) offers to the replay view. `index` is the position in `episodes.jsonl`. */
export interface ReplayHost extends Contract {
  requests: {
    open: { params: Record<string, never>; result: OpenedRun };
    readEpisode: { params: { index: number }; result: Episode };
    stepContext: {
      params: { index: number; t: number };
      /** `changed`: keys whose value differs from the step before. */
      result: { context: StepContext; changed: readonly string[] };
    };
    judgeEpisode: { params: { index: number }; result: readonly StepMarks[] };
    judgeStep: { params: { index: number; t: number }; result: JudgedStep };
    /** Opens a PF at a 1-based line, or a SKILL.md without a line. */
    openSource: { params: { skillId: string; line?: number }; result: null };
    /** What fills an empty run. */
    fillRun: { params: { with: "runQuestions" | "importEpisodes" }; result: null };
    openLog: { params: Record<string, never>; result: null };
  };
  events: {
    /** The run's file grew or changed: ask `open` again. */
    runChanged: null;
    /** The library changed on disk: judgements shown are stale. */
    libraryChanged: null;
    /** Go to an episode and step, e.g. from a backtest result. */
    reveal: { index: number; t: number };
  };
}

/** What the view offers to its host. */
export interface ReplayView extends Contract {
  requests: NoRequests;
  events: {
    ready: null;
    /** Kept by the host across restarts of the view. */
    position: { index: number; t: number };
  };
}
