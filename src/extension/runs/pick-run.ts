import * as vscode from "vscode";
import { noRun } from "../unmet.ts";
import { describeCounts, type FoundRun, type Runs } from "./find-runs.ts";

export interface RunPick extends vscode.QuickPickItem {
  /** The run's `episodes.jsonl`. */
  readonly file: vscode.Uri;
}

/** A run as a row of a list to choose from. */
export function runPick({ title, counts, file }: FoundRun): RunPick {
  const detail = vscode.workspace.asRelativePath(file);
  return { label: `$(history) ${title}`, description: describeCounts(counts), detail, file };
}

/** The run that a person chooses; `purpose`, such as `to export`, tells them what it is for. Unmet without any run. */
export async function pickRun(
  runs: Pick<Runs, "list">,
  { title, purpose }: { readonly title: string; readonly purpose: string },
): Promise<vscode.Uri | undefined> {
  const found = await runs.list();
  if (found.length === 0) throw noRun(purpose);
  const options = { title, placeHolder: `Run ${purpose}`, matchOnDescription: true, matchOnDetail: true };
  return (await vscode.window.showQuickPick(found.map(runPick), options))?.file;
}
