import * as vscode from "vscode";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { ShownFinding } from "../../protocol/training.ts";
import type { EditorServices, ModelServices } from "../services.ts";
import type { NamedRoot } from "./names.ts";
import type { TrainingPanels } from "./panels.ts";

/** Services that the commands around training data share. */
export interface Desk
  extends
    Pick<EditorServices, "context" | "log" | "clock" | "files" | "runs" | "runsTree" | "editor">,
    Pick<ModelServices, "redactor"> {
  readonly panels: TrainingPanels;
}

export function workspaceRoots(): readonly NamedRoot[] {
  return (vscode.workspace.workspaceFolders ?? []).map(({ name, uri }) => ({ name, path: uri.fsPath }));
}

/** Each finding once, as the view lists it. */
export function shownFindings(diagnostics: readonly Diagnostic[]): readonly ShownFinding[] {
  const seen = new Set<string>();
  return diagnostics.flatMap(({ code, severity, message, next }) => {
    if (seen.has(message)) return [];
    seen.add(message);
    return [{ code, severity, message, ...(next !== undefined && { next }) }];
  });
}
