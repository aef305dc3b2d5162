import * as vscode from "vscode";
import { registerCommand } from "../commands.ts";
import { COMMANDS } from "../contributions.ts";
import { Failure } from "../failure.ts";
import type { Place, RunEditor } from "../replay/editor.ts";
import { subjectOf } from "../tree.ts";
import { nameOf } from "../workspace/skill-folders.ts";
import { describeCounts, EPISODES, type Runs } from "./find-runs.ts";

interface RunPick extends vscode.QuickPickItem {
  /** Undefined: import instead. */
  readonly file: vscode.Uri | undefined;
}

const IMPORT: RunPick = {
  label: `${COMMANDS.importEpisodes.icon} Import episodes …`,
  detail: "Make a run of trajectories that another program wrote.",
  file: undefined,
};

async function runPicks(runs: Runs): Promise<RunPick[]> {
  const found = (await runs.list()).map(({ title, counts, file }) => ({
    label: `$(history) ${title}`,
    description: describeCounts(counts),
    detail: vscode.workspace.asRelativePath(file),
    file,
  }));
  const gap = { label: "", kind: vscode.QuickPickItemKind.Separator, file: undefined };
  return found.length === 0 ? [IMPORT] : [...found, gap, IMPORT];
}

/** The `episodes.jsonl` of a run folder, or the file itself. */
async function episodesAt(uri: vscode.Uri): Promise<vscode.Uri> {
  if (nameOf(uri) === EPISODES) return uri;
  const file = vscode.Uri.joinPath(uri, EPISODES);
  try {
    await vscode.workspace.fs.stat(file);
    return file;
  } catch {
    const next = "Choose a folder below .hasp/runs that holds one, or import episodes.";
    throw new Failure(`${uri.fsPath} holds no ${EPISODES}.`, next);
  }
}

interface Services {
  readonly log: vscode.LogOutputChannel;
  readonly runs: Runs;
  readonly editor: RunEditor;
}

/** `HASP: Open Run`, and the command with which results lead to a step. */
export function registerOpenRun({ log, runs, editor }: Services): vscode.Disposable {
  async function openRun(argument?: unknown): Promise<void> {
    const subject = subjectOf(argument);
    if (subject !== undefined) return editor.open(await episodesAt(subject));
    const options = { title: "HASP: Open Run", placeHolder: "Run to open", matchOnDetail: true };
    const chosen = await vscode.window.showQuickPick(runPicks(runs), options);
    if (chosen === undefined) return;
    if (chosen.file === undefined) await vscode.commands.executeCommand(COMMANDS.importEpisodes.id);
    else await editor.open(chosen.file);
  }
  return vscode.Disposable.from(
    registerCommand(log, COMMANDS.openRun, openRun),
    registerCommand(log, COMMANDS.revealStep, (file: vscode.Uri, place: Place) => editor.open(file, place)),
  );
}
