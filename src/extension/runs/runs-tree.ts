import * as vscode from "vscode";
import { COMMANDS, CONTEXT_KEYS, VIEWS } from "../contributions.ts";
import { createTree, type Row, row, type Tree } from "../tree.ts";
import { parentOf } from "../workspace/skill-folders.ts";
import { describeCounts, type FoundRun, type Runs } from "./find-runs.ts";

/** Problems of a run that its tooltip names. */
const MAX_PROBLEMS = 3;

function runTooltip({ title, run, file, index, diagnostics }: FoundRun): string {
  const lines = [title, `${index.entries.length} episodes`];
  if (run !== undefined) lines.push(`from ${run.source}, ${new Date(run.createdAt).toLocaleString()}`);
  for (const diagnostic of diagnostics.slice(0, MAX_PROBLEMS)) lines.push(diagnostic.message);
  return [...lines, file.fsPath].join("\n");
}

/** Episodes that are under way: those of a run, and sessions of coding agents. */
async function countLive({ file }: FoundRun): Promise<number> {
  try {
    const names = await vscode.workspace.fs.readDirectory(vscode.Uri.joinPath(parentOf(file), "live"));
    return names.filter(([name]) => name.endsWith(".jsonl")).length;
  } catch {
    return 0;
  }
}

async function runRow(found: FoundRun): Promise<Row> {
  const live = await countLive(found);
  const counts = describeCounts(found.counts);
  return row(found.title, {
    description: live === 0 ? counts : `${live} live · ${counts}`,
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
    async () => Promise.all((await runs.list()).map(runRow)),
    CONTEXT_KEYS.noRuns,
  );
  return vscode.Disposable.from(
    tree,
    runs.onDidChange(() => void tree.refresh()),
    runs.onDidChangeLive(() => void tree.refresh()),
  );
}
