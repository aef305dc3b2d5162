import * as vscode from "vscode";
import { COMMANDS, CONTEXT_KEYS, VIEWS } from "../contributions.ts";
import { createTree, type Row, row, type Tree } from "../tree.ts";
import { describeCounts, type FoundRun, type Runs } from "./find-runs.ts";

/** Problems of a run that its tooltip names. */
const MAX_PROBLEMS = 3;

function runTooltip({ title, run, file, index, diagnostics }: FoundRun): string {
  const lines = [title, `${index.entries.length} episodes`];
  if (run !== undefined) lines.push(`from ${run.source}, ${new Date(run.createdAt).toLocaleString()}`);
  for (const diagnostic of diagnostics.slice(0, MAX_PROBLEMS)) lines.push(diagnostic.message);
  return [...lines, file.fsPath].join("\n");
}

function runRow(found: FoundRun): Row {
  return row(found.title, {
    description: describeCounts(found.counts),
    tooltip: runTooltip(found),
    icon: new vscode.ThemeIcon(found.diagnostics.length > 0 ? "warning" : "history"),
    contextValue: "hasp.run",
    subject: found.file,
    command: { command: COMMANDS.openRun.id, title: "Open run", arguments: [found.file] },
  });
}

/** The runs of the workspace with their outcomes; a click opens one. */
export function registerRunsTree(runs: Runs): vscode.Disposable {
  const tree: Tree = createTree(
    VIEWS.runs.id,
    async () => (await runs.list()).map(runRow),
    CONTEXT_KEYS.noRuns,
  );
  return vscode.Disposable.from(
    tree,
    runs.onDidChange(() => tree.refresh()),
  );
}
