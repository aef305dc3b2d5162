import * as vscode from "vscode";
import { COMMANDS, CONTEXT_KEYS, VIEWS } from "../contributions.ts";
import { createTree, type Row, row, type Tree } from "../tree.ts";
import { parentOf } from "../workspace/skill-folders.ts";
import type { DeadHookRows } from "./dead-hooks.ts";
import { briefCounts, describeCounts, type FoundRun, type Runs } from "./find-runs.ts";
import { rowNames } from "./row-names.ts";

/** Problems of a run that its tooltip names. */
const MAX_PROBLEMS = 3;

function runTooltip({ title, counts, run, file, index, diagnostics }: FoundRun): string {
  const lines = [title, `${index.entries.length} episodes: ${describeCounts(counts)}`];
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

/** The counts come first: they decide, and a narrow view cuts off the end of the row. */
async function runRow(found: FoundRun, name: string): Promise<Row> {
  const live = await countLive(found);
  const counts = briefCounts(found.counts);
  return row(live === 0 ? counts : `${live} live · ${counts}`, {
    description: name,
    tooltip: runTooltip(found),
    icon: new vscode.ThemeIcon(found.diagnostics.length > 0 ? "warning" : "history"),
    contextValue: found.hasImportReport ? "hasp.run.imported" : "hasp.run",
    subject: found.file,
    command: { command: COMMANDS.openRun.id, title: "Open run", arguments: [found.file] },
  });
}

function runRows(found: readonly FoundRun[]): Promise<readonly Row[]> {
  const names = rowNames(found.map(({ title }) => title));
  return Promise.all(found.map((run, i) => runRow(run, names[i] ?? run.title)));
}

export interface RunsTree extends vscode.Disposable {
  /** The `episodes.jsonl` of the run whose row is selected. */
  readonly selected: () => vscode.Uri | undefined;
}

/** The runs of the workspace with their outcomes, after what agents did without asking; a click opens one. */
export function registerRunsTree(runs: Runs, deadHooks: DeadHookRows): RunsTree {
  const rows = async (): Promise<readonly Row[]> => [
    ...deadHooks.rows(),
    ...(await runRows(await runs.list())),
  ];
  const tree: Tree = createTree(VIEWS.runs.id, rows, CONTEXT_KEYS.noRuns);
  const held = vscode.Disposable.from(
    tree,
    deadHooks.onDidChange(() => void tree.refresh()),
    // A host writes its log elsewhere: nothing tells of it while the view is hidden.
    tree.view.onDidChangeVisibility(({ visible }) => void (visible && deadHooks.rows())),
    runs.onDidChange(() => void tree.refresh()),
    runs.onDidChangeLive(() => void tree.refresh()),
  );
  return { selected: () => tree.view.selection[0]?.subject, dispose: () => held.dispose() };
}
