import * as vscode from "vscode";
import { asOnlyWriter } from "../../platform/run-lock.ts";
import { renameRun, titleProblem } from "../../trace/rename-run.ts";
import { registerCommand } from "../commands.ts";
import { COMMANDS } from "../contributions.ts";
import { Failure } from "../failure.ts";
import { subjectOf } from "../tree.ts";
import { parentOf } from "../workspace/skill-folders.ts";
import { requireTrust } from "../workspace/trust.ts";
import { pickRun } from "./pick-run.ts";
import type { Services } from "../services.ts";

/** Tests and other extensions give the name; a person types it. */
interface RenameArguments {
  /** The `episodes.jsonl`. */
  readonly run?: vscode.Uri;
  readonly title?: string;
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
export function registerRenameRun({ editorServices }: Pick<Services, "editorServices">): vscode.Disposable {
  const { log, files, runs, editor, runsTree } = editorServices;
  const { selected } = runsTree;
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
    const file = given ?? (await pickRun(runs, { title: "HASP: Rename Run", purpose: "to rename" }));
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
