import * as vscode from "vscode";
import { Failure } from "../failure.ts";

/** The workspace folder a command works in: the only one, or the one a person picks; undefined when they pick none. */
export async function pickRoot(placeHolder: string): Promise<vscode.WorkspaceFolder | undefined> {
  const roots = vscode.workspace.workspaceFolders ?? [];
  const open = { label: "Open folder", command: "vscode.openFolder" };
  if (roots.length === 0) throw new Failure("No folder is open.", "Open the folder you work in.", open);
  return roots.length === 1 ? roots[0] : vscode.window.showWorkspaceFolderPick({ placeHolder });
}
