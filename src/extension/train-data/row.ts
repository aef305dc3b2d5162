import * as vscode from "vscode";
import { openPlace, openRow, type OpenedRow, type RowName } from "../../app/train-data/open-row.ts";
import type { Checked } from "../../model/diagnostic.ts";
import type { RowPlace } from "../../model/train-data.ts";
import type { OpenedRunFolder } from "../../trace/run-folder.ts";
import { fieldsOf } from "../commands.ts";
import { COMMANDS } from "../contributions.ts";
import { Unmet } from "../failure.ts";
import { EPISODES } from "../runs/find-runs.ts";
import { wayTo } from "../unmet.ts";
import { usable } from "../usable.ts";
import { type Desk, workspaceRoots } from "./desk.ts";
import { pathInWorkspace } from "./names.ts";

/** The folder of a run that a card or a row names. */
export function runPath(name: string, home: string | undefined): string {
  const path = pathInWorkspace(workspaceRoots(), name, home);
  if (path !== undefined) return path;
  throw new Unmet(
    `The run ${name} is in no folder of this workspace.`,
    "Add the folder that holds it to the workspace.",
  );
}

/** The run that a row names; rows of `home` may name it relative to the workspace folder of that file. */
async function runNamed(
  { files, runs }: Desk,
  name: string,
  home: string | undefined,
): Promise<Checked<OpenedRunFolder>> {
  const file = vscode.Uri.joinPath(vscode.Uri.file(runPath(name, home)), EPISODES);
  if ((await files.stat(file.fsPath)) === undefined) return { value: undefined, diagnostics: [] };
  return { value: await runs.read(file), diagnostics: [] };
}

async function reveal({ editor }: Desk, { folder, index, step }: OpenedRow): Promise<void> {
  const file = vscode.Uri.joinPath(vscode.Uri.file(folder.folder), EPISODES);
  await editor.open(file, { index, t: step - 1 });
}

/** Opens the step that a sample of a card names; the card is of `file`. */
export async function openSample(desk: Desk, place: RowPlace, at: RowName): Promise<void> {
  const open = (run: string) => runNamed(desk, run, at.file);
  await reveal(desk, usable(await openPlace(desk.files, place, at, open)));
}

/** The row of the argument, else the line of the cursor in front. */
function rowIn(argument: unknown): RowName {
  const { file, line } = fieldsOf(argument);
  if (file instanceof vscode.Uri && typeof line === "number") return { file: file.fsPath, line };
  const shown = vscode.window.activeTextEditor;
  if (shown === undefined || !shown.document.uri.path.endsWith(".jsonl"))
    throw new Unmet(
      "No row of training data is in front.",
      "Open a .jsonl file of training data and put the cursor into a line, or open the card of the file.",
      wayTo(COMMANDS.showDataCard),
    );
  return { file: shown.document.uri.fsPath, line: shown.selection.active.line + 1 };
}

/** `HASP: Open Step of Row`. */
export async function openStepOfRow(desk: Desk, argument?: unknown): Promise<void> {
  const name = rowIn(argument);
  const open = (run: string) => runNamed(desk, run, name.file);
  await reveal(desk, usable(await openRow(desk.files, name, open)));
}
