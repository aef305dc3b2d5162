import type * as vscode from "vscode";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { FailureReport } from "../../model/failure.ts";

/** The choices of an analysis; a refresh makes them again. */
export interface FailuresPlan {
  /** The `episodes.jsonl` of each run. */
  readonly runs: readonly vscode.Uri[];
  /** The teacher puts each failed episode in words. */
  readonly teacher: boolean;
}

/** An analysis of failures; its runs are named by the URI of their `episodes.jsonl`. */
export interface FailuresResult {
  readonly plan: FailuresPlan;
  readonly report: FailureReport;
  /** Titles of the runs, by name. */
  readonly titles: ReadonlyMap<string, string>;
  /** Of the teacher, in words; undefined where none was asked. */
  readonly cost: string | undefined;
  /** Parts that the analysis lacks: no outcomes, or summaries that are missing. */
  readonly lacks: readonly Diagnostic[];
  /** It tells of the episodes that were read until then. */
  readonly cancelled: boolean;
}
