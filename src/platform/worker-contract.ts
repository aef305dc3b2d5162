import type { ImportOrder } from "../app/import-episodes.ts";
import type { SkillCase } from "../model/case.ts";
import type { Checked, Diagnostic } from "../model/diagnostic.ts";
import type { EpisodeHit } from "../model/episode-hit.ts";
import type { PfProgram } from "../model/skill.ts";
import type { JudgeJob, LoadJob, ProbeJob } from "../sandbox/sandbox-port.ts";
import type { Instrumented } from "../skill/instrument.ts";
import type { PromptEquivalence } from "../skill/prompt-effects.ts";
import type { ImportSource } from "../trace/import-source.ts";
import type { ImportedRun, ImportProgress } from "../trace/import-run.ts";
import type { EpisodeLine } from "../trace/search-episodes.ts";

/** The tasks of workers; each has one. */
export type WorkerRole = "pf" | "compiler" | "import" | "search";

/** The argument behind which the one file of the CLI finds the role that it has as a process. */
export const SERVE = "serve-worker";

/** What the PF worker answers: sandbox/sandbox-port.ts, method by method. */
export interface PfWorkerContract {
  requests: {
    setPrograms: { params: readonly PfProgram[]; result: null };
    load: { params: LoadJob; result: string };
    judge: { params: JudgeJob; result: string };
    probe: { params: ProbeJob; result: string };
  };
  events: Record<string, never>;
}

interface Source {
  readonly file: string;
  readonly source: string;
}

/** Requests to the compiler worker: skill/compiler.ts, method by method, and those that prepare it. */
export interface CompilerWorkerContract {
  requests: {
    /** Answers once the compiler's code is loaded. */
    ready: { params: null; result: null };
    /** Answers once the types of the language and of "hasp" are loaded, which `check` needs. */
    loadTypes: { params: null; result: null };
    check: { params: Source; result: readonly Diagnostic[] };
    transpile: { params: Source; result: Checked<string> };
    instrument: { params: Source; result: Checked<Instrumented> };
    promptEquivalence: { params: Source; result: PromptEquivalence };
    parseCases: { params: Source; result: Checked<readonly SkillCase[]> };
  };
  events: Record<string, never>;
}

/** Requests to the importing worker: app/import-ordered.ts and trace/import-source.ts. */
export interface ImportWorkerContract {
  requests: {
    lookAt: { params: { readonly file: string }; result: ImportSource | Diagnostic };
    importRun: { params: ImportOrder; result: Checked<ImportedRun> };
    /** Ends the import, which cleans up behind itself and then fails. */
    cancel: { params: null; result: null };
  };
  /** Once for each percent. */
  events: { progress: ImportProgress };
}

/** Requests to the searching worker: trace/search-episodes.ts. */
export interface SearchWorkerContract {
  requests: {
    /** The hits in these lines of an episode file, in their order. */
    search: {
      params: {
        readonly file: string;
        readonly lines: readonly EpisodeLine[];
        readonly query: string;
        readonly mostPlaces: number;
      };
      result: readonly EpisodeHit[];
    };
  };
  events: Record<string, never>;
}

/** The main thread offers its workers nothing. */
export interface NoContract {
  requests: Record<string, never>;
  events: Record<string, never>;
}
