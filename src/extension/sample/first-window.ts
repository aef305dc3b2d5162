import * as vscode from "vscode";
import { COMMANDS } from "../contributions.ts";

/** Whether the walkthrough was opened by itself. */
const SHOWN = "hasp.walkthroughShown";

/** No editor is open, or VS Code's own welcome page alone. */
export function showsNoEditor(): boolean {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  // The welcome page has an input that the API does not describe; every editor of a file has one.
  return tabs.every(({ input }) => input === undefined);
}

/** A window without a folder and without an editor. */
function isEmptyWindow(): boolean {
  const { workspaceFolders, workspaceFile } = vscode.workspace;
  return workspaceFolders === undefined && workspaceFile === undefined && showsNoEditor();
}

/** Opens the walkthrough once for each person, in an empty window: it takes nobody away from their work. */
export async function showWalkthroughOnce({
  globalState,
  extensionMode,
}: Pick<vscode.ExtensionContext, "globalState" | "extensionMode">): Promise<void> {
  const isTest = extensionMode === vscode.ExtensionMode.Test;
  if (isTest || globalState.get<boolean>(SHOWN) === true || !isEmptyWindow()) return;
  await globalState.update(SHOWN, true);
  await vscode.commands.executeCommand(COMMANDS.openWalkthrough.id);
}
