import type * as vscode from "vscode";
import type { Diagnostic } from "../model/diagnostic.ts";

/** A line of the log for each finding, with its place. */
export function logFindings(log: vscode.LogOutputChannel, diagnostics: readonly Diagnostic[]): void {
  for (const { file, range, message } of diagnostics)
    log.warn(`${file === undefined ? "" : `${file}:${range.start.line + 1} `}${message}`);
}
