import type * as vscode from "vscode";
import type { Judging } from "../app/ports.ts";
import type { HttpGet } from "../llm/list-models.ts";
import type { Redactor } from "../llm/redact.ts";
import type { NodeFiles } from "../platform/files.ts";
import type { CachedCompiler } from "../skill/cached-compiler.ts";
import type { Clock } from "../trace/ports.ts";
import type { LatestBacktest } from "./backtest/latest.ts";
import type { LiveDiagnostics } from "./diagnostics/live.ts";
import type { Publisher } from "./diagnostics/publisher.ts";
import type { RecordedHints } from "./diagnostics/recorded.ts";
import type { Evolutions } from "./evolve/evolutions.ts";
import type { Experiments } from "./experiments/experiments.ts";
import type { ServedPolicy } from "./experiments/served-policy.ts";
import type { Jobs } from "./jobs/jobs.ts";
import type { Models } from "./models/open-model.ts";
import type { SecretKeys } from "./models/secret-keys.ts";
import type { NoteStore } from "./notes/store.ts";
import type { RunEditor } from "./replay/editor.ts";
import type { RunSkillChoices } from "./replay/run-skill-choices.ts";
import type { Reviews } from "./review/reviews.ts";
import type { Runs } from "./runs/find-runs.ts";
import type { RunsTree } from "./runs/runs-tree.ts";
import type { Status } from "./status.ts";
import type { LibrarySource } from "./workspace/library.ts";
import type { SkillFacts } from "./workspace/skill-facts.ts";
import type { SkillFolders } from "./workspace/skill-folders.ts";

/** The window and the workspace: files, skills, runs, and the views that show them. */
export interface EditorServices {
  readonly context: vscode.ExtensionContext;
  readonly log: vscode.LogOutputChannel;
  /** State of the workspace that VS Code keeps. */
  readonly memory: vscode.Memento;
  readonly clock: Clock;
  /** The files on disk. */
  readonly files: NodeFiles;
  /** The files as the person sees them: an open document's text, saved or not, before the text on disk. */
  readonly shownFiles: NodeFiles;
  readonly folders: SkillFolders;
  readonly library: LibrarySource;
  readonly runs: Runs;
  readonly evolutions: Evolutions;
  readonly experiments: Experiments;
  readonly jobs: Jobs;
  readonly notes: NoteStore;
  readonly editor: RunEditor;
  readonly runSkillChoices: RunSkillChoices;
  readonly runsTree: RunsTree;
  readonly status: Status;
  /** Folder of the skills that ship with the extension. */
  readonly builtIn: vscode.Uri;
  /** The program of every worker thread. */
  readonly workerFile: string;
}

/** Results that several views show about a skill: problems, reviews, counts. */
export interface SkillFindings {
  readonly publisher: Publisher;
  readonly live: LiveDiagnostics;
  readonly facts: SkillFacts;
  readonly latest: LatestBacktest;
  readonly recorded: RecordedHints;
  readonly reviews: Reviews;
}

/** Models, their keys, and the redactor that hides the keys. */
export interface ModelServices {
  readonly models: Models;
  readonly keys: SecretKeys;
  readonly get: HttpGet;
  readonly redactor: Redactor;
  /** The student of an experiment that is the policy, and its server. */
  readonly served: ServedPolicy;
}

/** `Judging` of this window, whose compiler remembers each text. */
export interface EditorJudging extends Judging {
  readonly compiler: CachedCompiler;
}

/** The bundles of the extension. A feature names those it takes with `Pick`. */
export interface Services {
  readonly editorServices: EditorServices;
  readonly findings: SkillFindings;
  readonly judging: EditorJudging;
  readonly modelServices: ModelServices;
}
