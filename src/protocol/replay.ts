import type { Contract, NoRequests } from "./contract.ts";
import type { EpisodeComparison, RemarkedComparison } from "../model/comparison.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { EpisodeHit } from "../model/episode-hit.ts";
import type { Episode, EpisodeHead, Run, Step } from "../model/episode.ts";
import type { Explanation } from "../model/explanation.ts";
import type { FailurePattern, FoundPattern } from "../model/failure-pattern.ts";
import type { HelpPlace } from "../model/help-page.ts";
import type { PfEvent } from "../model/intervention.ts";
import type { LiveHead, StepPhase } from "../model/live-episode.ts";
import type { Note } from "../model/note.ts";
import type { PfFacet } from "../model/pf-facet.ts";
import type { ShownSignals } from "../model/signals.ts";
import type { StepContext } from "../model/step-context.ts";
import type { WhatIf } from "../model/what-if.ts";
import type { ReadPrompt } from "./read-prompt.ts";

/** One PF on one step: what became of it, and why. */
export interface JudgedPf {
  /** As a run would record it. */
  readonly event: PfEvent;
  /** In one sentence for people: in the PF's own words or, where its condition did not hold, by the operand that decided. */
  readonly reason: string;
  /** The condition, as code; undefined where the PF was not asked, or nothing tells how it decided. */
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

/** A library that judged at one moment and cannot be asked again. */
export interface LibrarySnapshot {
  /** ISO 8601. */
  readonly when: string;
  /** How many. */
  readonly skills: number;
  /** Of all its skills, by content. */
  readonly hash: string;
}

/** An episode as the list of a run has it. */
export interface ListedEpisode extends EpisodeHead {
  /** Length of its line: another one where it was written anew, as with a verdict more. Undefined where no file is behind it. */
  readonly bytes?: number;
}

export interface OpenedRun {
  /** Absent when the folder has no run.json. */
  readonly run: Run | undefined;
  readonly title: string;
  readonly episodes: readonly ListedEpisode[];
  /** Lines that are no episodes, with what to do. */
  readonly diagnostics: readonly Diagnostic[];
  /** Skills of the library that judges, in the order they are asked. */
  readonly skills: readonly { readonly skillId: string; readonly title: string }[];
  /** Why no PF can judge here, e.g. the workspace is not trusted. */
  readonly libraryNotice: string | undefined;
  /** Names of the registered domains: those of the host, or of the command that wrote an exported page. */
  readonly domains: readonly string[];
  /** Registered domains whose texts contain LaTeX formulas; absent: none. */
  readonly formulaDomains?: readonly string[];
  /** Registered domains whose answers are Python programs; absent: none. */
  readonly programDomains?: readonly string[];
  /** Failure patterns that episodes of the run's domain can show; absent where it is not known: any. */
  readonly patterns?: readonly FailurePattern[];
  /** Set where an earlier library judged, not the one of today. */
  readonly snapshot?: LibrarySnapshot;
  /** Set where the run's folder keeps the skills that it had: `judging` where they judge in place of today's. */
  readonly runSkills?: "kept" | "judging";
  /** The host cannot answer `openHelp`: links to help are left out, tooltips stay. */
  readonly withoutHelp?: true;
  /** The view is an exported page: nothing can be written from it, and no command runs. */
  readonly isExported?: true;
}

/** An episode of this run or of another one that is known here. */
export interface EpisodePlace {
  /** What the host calls the run; only handed back to it. */
  readonly run: string;
  /** Position in that run's `episodes.jsonl`. */
  readonly index: number;
}

/** A run that can be compared with this one. */
export interface ComparableRun {
  readonly run: string;
  readonly title: string;
  readonly episodes: number;
  /** Questions that it shares with this run: by id, else by text (`matchQuestions`). */
  readonly shared: number;
  /** Of those, found by text alone. */
  readonly byText: number;
}

/** What one look at a whole episode tells, for the filter of the list. */
export interface EpisodeFacets {
  readonly patterns: readonly FoundPattern[];
  /** Which try of its question it was, where the record says so. */
  readonly sample?: number;
  /** What Program Functions did, as recorded. */
  readonly recorded: readonly PfFacet[];
  /** What today's library would do, up to its first change of the path; only where it was asked for. */
  readonly today?: readonly PfFacet[];
}

/** Another episode of a question: of the same id or, in a run without that id, of the same text. */
export interface ComparableEpisode extends EpisodePlace {
  readonly title: string;
  readonly head: EpisodeHead;
  readonly isThisRun: boolean;
}

/** What came of the episode that the view follows: `about` is all of it but its steps, and `steps` replace those from `from` on. */
export interface LiveUpdate {
  readonly id: string;
  readonly about: Omit<Episode, "steps">;
  readonly from: number;
  readonly steps: readonly Step[];
  readonly phase: StepPhase;
}

/** Commands of the host on a step, by their key in its table. */
export type StepCommand =
  | "newSkillFromStep"
  | "addStepAsCase"
  | "debugPf"
  | "branchFromHere"
  | "judgeWithRunSkills"
  | "judgeWithTodaysSkills";

/** Commands of the host that bring episodes where there are none, by their key in its table. */
export type RunFiller = "openSample" | "runQuestions" | "importEpisodes";

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
    /** The messages that the policy read before a proposal of a step; both are 0-based. */
    messages: { params: { index: number; t: number; proposal: number }; result: ReadPrompt };
    /** Of all steps of an episode. */
    signals: { params: { index: number }; result: ShownSignals };
    judgeEpisode: { params: { index: number }; result: readonly StepMarks[] };
    judgeStep: { params: { index: number; t: number }; result: JudgedStep };
    /** Opens a PF at a 1-based line, or a SKILL.md without a line. */
    openSource: { params: { skillId: string; line?: number }; result: null };
    /** What fills an empty run. */
    fillRun: { params: { with: RunFiller }; result: null };
    openLog: { params: Record<string, never>; result: null };
    /** Opens a shipped page of help beside the view. */
    openHelp: { params: HelpPlace; result: null };
    /** The labels of the run; `diagnostics` tells of lines that are none, and of notes on what is gone. */
    readNotes: {
      params: Record<string, never>;
      result: { readonly notes: readonly Note[]; readonly diagnostics: readonly Diagnostic[] };
    };
    /** Without `t` the note is on the whole episode. `kind` may be written as people say it. */
    addNote: { params: { index: number; t?: number; kind: string; text?: string }; result: Note };
    removeNote: { params: { id: string }; result: null };
    /** Of `count` episodes from position `from` on; ask for a page at a time, since each is read in full. `today`: and judged. */
    readFacets: {
      params: { from: number; count: number; today: boolean };
      result: readonly (EpisodeFacets & { readonly index: number })[];
    };
    /**
     * The episodes from position `from` on whose texts hold `query`, as many as are searched in a moment: `to` is the position
     * after the last of them. Ask for the next page from there; `to` equals `from` where no episode is left.
     */
    searchEpisodes: {
      params: { query: string; from: number };
      result: { readonly hits: readonly EpisodeHit[]; readonly to: number };
    };
    /** Runs to compare this one with: those with most of its questions first. */
    comparableRuns: { params: Record<string, never>; result: readonly ComparableRun[] };
    /** This run is the first of the two. `measured` reads every episode, otherwise the lists alone are compared. */
    compareRuns: { params: { run: string; measured: boolean }; result: RemarkedComparison };
    /** Other episodes of this one's question, in this run and in others. */
    comparableEpisodes: { params: { index: number }; result: readonly ComparableEpisode[] };
    /** This run's episode is the first of the two. */
    compareEpisodes: {
      params: { index: number; other: EpisodePlace };
      result: { readonly other: Episode; readonly comparison: EpisodeComparison };
    };
    /** Runs a command on a step of this run; the host asks what else it needs. */
    stepCommand: {
      params: { command: StepCommand; index: number; t: number; skillId?: string };
      result: null;
    };
    /** Makes a skill from the episodes of this run that show the pattern; `index`: the one to begin with, where it is named. */
    newSkillFromPattern: { params: { pattern: FailurePattern; index?: number }; result: null };
    /** Opens a step of an episode of any run that is known here. */
    openEpisode: { params: EpisodePlace & { readonly t: number }; result: null };
  };
  events: {
    /** The episodes under way, whenever one of them began, grew, stopped or ended. */
    live: { readonly episodes: readonly LiveHead[] };
    /** Steps of the episode that the view asked to follow. */
    liveSteps: LiveUpdate;
    /** The run's file grew or changed: ask `open` again. */
    runChanged: null;
    /** Another library judges, or one may judge now: ask `open` again, and judgements shown are stale. */
    libraryChanged: null;
    /** Somebody noted something: ask `readNotes` again. */
    notesChanged: null;
    /** An edit of the library changed (or, with no `changes`, kept) its decisions on the shown episode, against those saved before. */
    whatIf: WhatIf & {
      readonly index: number;
      /** The edit is on disk; else it is being typed. */
      readonly saved: boolean;
    };
    /** Go to an episode and step, e.g. from a backtest result. */
    reveal: { index: number; t: number };
    /** Compare this run with another one that is known here. */
    compareWithRun: { run: string };
    /** What the view last asked to `keep`, sent when it starts. */
    kept: { state: unknown };
  };
}

/** What the view offers to its host. */
export interface ReplayView extends Contract {
  requests: NoRequests;
  events: {
    ready: null;
    /** Kept by the host across restarts of the view. Null: an episode is shown that runs, and has no position yet. */
    position: { index: number; t: number } | null;
    /** Tell the steps of this episode under way, all of them first; null: of none. */
    followLive: { id: string } | null;
    /** To be handed back as it is when the view is opened anew: its filter and sort. */
    keep: { state: unknown };
  };
}
