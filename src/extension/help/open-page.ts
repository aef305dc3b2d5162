import * as vscode from "vscode";

/** How long a page may take to appear before the focus stays where it went. Milliseconds. */
const APPEARS = 3000;

/** A preview of Markdown, whose tab is a webview of VS Code's built-in extension. */
function isPreview(tab: vscode.Tab | undefined): boolean {
  return tab?.input instanceof vscode.TabInputWebview && tab.input.viewType.includes("markdown.preview");
}

/** Resolves once a preview is the active tab, or after a while without one. */
function previewIsActive(): Promise<boolean> {
  const isActive = (): boolean => isPreview(vscode.window.tabGroups.activeTabGroup.activeTab);
  if (isActive()) return Promise.resolve(true);
  return new Promise((resolve) => {
    const finish = (found: boolean): void => {
      clearTimeout(timer);
      listening.dispose();
      resolve(found);
    };
    const look = (): void => {
      if (isActive()) finish(true);
    };
    const timer = setTimeout(() => finish(false), APPEARS);
    const { tabGroups } = vscode.window;
    const listening = vscode.Disposable.from(
      tabGroups.onDidChangeTabs(look),
      tabGroups.onDidChangeTabGroups(look),
    );
  });
}

/**
 * Shows a shipped page rendered, in the column beside the active one; a preview that is open there shows the new page. The
 * active column keeps the focus. `file` is relative to the root of the extension, `anchor` is the slug of a heading.
 */
export async function openPage(extension: vscode.Uri, file: string, anchor?: string): Promise<void> {
  const page = vscode.Uri.joinPath(extension, ...file.split("/"));
  const { tabGroups } = vscode.window;
  const before = tabGroups.activeTabGroup.viewColumn;
  // A preview that is active shows the new page itself: beside it would be one column more.
  const isShown = isPreview(tabGroups.activeTabGroup.activeTab);
  await vscode.commands.executeCommand(
    isShown ? "markdown.showPreview" : "markdown.showPreviewToSide",
    anchor === undefined ? page : page.with({ fragment: anchor }),
  );
  if ((await previewIsActive()) && tabGroups.activeTabGroup.viewColumn !== before)
    await vscode.commands.executeCommand("workbench.action.focusPreviousGroup");
}
