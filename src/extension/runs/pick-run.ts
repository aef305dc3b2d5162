import * as vscode from "vscode";
import { choose } from "../choose.ts";
import type { Choice } from "../steps.ts";
import { noRun } from "../unmet.ts";
import { describeCounts, type FoundRun, type Runs } from "./find-runs.ts";

/** A run as a row of a list to choose from; its value is the run's `episodes.jsonl`. */
export function runChoice({ title, counts, file }: FoundRun): Choice<vscode.Uri> {
  const detail = vscode.workspace.asRelativePath(file);
  return { label: `$(history) ${title}`, description: describeCounts(counts), detail, value: file };
}

/** The run that a person chooses; `purpose`, such as `to export`, tells them what it is for. Unmet without any run. */
export async function pickRun(
  runs: Pick<Runs, "list">,
  { title, purpose }: { readonly title: string; readonly purpose: string },
): Promise<vscode.Uri | undefined> {
  const found = await runs.list();
  if (found.length === 0) throw noRun(purpose);
  const options = { matchOnDescription: true, matchOnDetail: true };
  return choose(title, `Run ${purpose}`, found.map(runChoice), options);
}
