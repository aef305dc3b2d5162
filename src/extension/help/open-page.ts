import * as vscode from "vscode";

/** A preview of Markdown, whose tab is a webview of VS Code's built-in extension. */
function isPreview(tab: vscode.Tab | undefined): boolean {
  return tab?.input instanceof vscode.TabInputWebview && tab.input.viewType.includes("markdown.preview");
}

/**
 * Shows a shipped page rendered, in the column beside the active one; a preview that is open there shows the new page. `file` is
 * relative to the root of the extension, `anchor` is the slug of a heading.
 */
export async function openPage(extension: vscode.Uri, file: string, anchor?: string): Promise<void> {
  const page = vscode.Uri.joinPath(extension, ...file.split("/"));
  // Beside a preview would be one column more.
  const { activeTabGroup } = vscode.window.tabGroups;
  if (isPreview(activeTabGroup.activeTab) && activeTabGroup.viewColumn !== vscode.ViewColumn.One)
    await vscode.commands.executeCommand("workbench.action.focusPreviousGroup");
  await vscode.commands.executeCommand(
    "markdown.showPreviewToSide",
    anchor === undefined ? page : page.with({ fragment: anchor }),
  );
}
