import * as vscode from "vscode";
import { noFolder } from "../unmet.ts";

/** The workspace folder a command works in: the only one, or the one a person picks; undefined when they pick none. */
export async function pickRoot(placeHolder: string): Promise<vscode.WorkspaceFolder | undefined> {
  const roots = vscode.workspace.workspaceFolders ?? [];
  if (roots.length === 0) throw noFolder("you work in");
  return roots.length === 1 ? roots[0] : vscode.window.showWorkspaceFolderPick({ placeHolder });
}

/** The first workspace folder; `purpose`: such as `that is to hold the skill`. */
export function firstRoot(purpose: string): vscode.WorkspaceFolder {
  const [first] = vscode.workspace.workspaceFolders ?? [];
  if (first === undefined) throw noFolder(purpose);
  return first;
}
