import * as vscode from "vscode";
import type { NodeFiles } from "../../platform/files.ts";
import { asOnlyWriter } from "../../platform/run-lock.ts";
import { renameRun, titleProblem } from "../../trace/rename-run.ts";
import { registerCommand } from "../commands.ts";
import { COMMANDS } from "../contributions.ts";
import { Failure } from "../failure.ts";
import type { RunEditor } from "../replay/editor.ts";
import { subjectOf } from "../tree.ts";
import { parentOf } from "../workspace/skill-folders.ts";
import { requireTrust } from "../workspace/trust.ts";
import { describeCounts, type Runs } from "./find-runs.ts";

interface Services {
  readonly log: vscode.LogOutputChannel;
  readonly files: NodeFiles;
  readonly runs: Runs;
  readonly editor: Pick<RunEditor, "shown">;
  /** The run whose row is selected; F2 gives no argument. */
  readonly selected: () => vscode.Uri | undefined;
}

/** Tests and other extensions give the name; a person types it. */
interface RenameArguments {
  /** The `episodes.jsonl`. */
  readonly run?: vscode.Uri;
  readonly title?: string;
}

async function pickRun(runs: Runs): Promise<vscode.Uri | undefined> {
  const picks = (await runs.list()).map(({ title, counts, file }) => ({
    label: title,
    description: describeCounts(counts),
    file,
  }));
  const options = { title: "HASP: Rename Run", placeHolder: "Run to rename" };
  return (await vscode.window.showQuickPick(picks, options))?.file;
}

function askTitle(value: string): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    title: "HASP: Rename Run",
    prompt: "Name of the run in the Runs view and in its tab",
    value,
    validateInput: titleProblem,
  });
}

/** `HASP: Rename Run`: writes the title into `run.json`. Renaming again takes it back. */
export function registerRenameRun({ log, files, runs, editor, selected }: Services): vscode.Disposable {
  async function write(file: vscode.Uri, title: string): Promise<void> {
    const folder = parentOf(file).fsPath;
    const isRenamed = await asOnlyWriter(folder, () => renameRun(files, folder, title));
    if (!isRenamed)
      throw new Failure(
        `${folder} holds no run.json that can be read, and the name of a run is in it.`,
        "The run is shown by the name of its folder: rename the folder.",
      );
    runs.forget(file);
  }

  async function rename(argument?: RenameArguments): Promise<void> {
    requireTrust("Renaming a run");
    const given = subjectOf(argument) ?? argument?.run ?? selected() ?? editor.shown()?.file;
    const file = given ?? (await pickRun(runs));
    if (file === undefined) return;
    const title = argument?.title ?? (await askTitle((await runs.read(file)).title));
    if (title === undefined) return;
    const problem = titleProblem(title);
    if (problem !== undefined)
      throw new Failure(`The run was not renamed: ${problem}`, "Choose another name.");
    await write(file, title);
  }

  return registerCommand(log, COMMANDS.renameRun, rename);
}
