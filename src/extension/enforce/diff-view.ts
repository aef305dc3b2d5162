import * as vscode from "vscode";
import type { PlannedChange } from "../../platform/hook-install.ts";

const SCHEME = "hasp-enforce";

/** Shows a change of a configuration file side by side, before it is made. */
export interface DiffView extends vscode.Disposable {
  show(change: PlannedChange): Promise<void>;
  /** Closes the tabs that show a change. */
  close(): Promise<void>;
}

export function openDiffView(): DiffView {
  let shown: PlannedChange | undefined;
  const registered = vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
    provideTextDocumentContent: ({ authority }) =>
      (authority === "before" ? shown?.before : shown?.after) ?? "",
  });
  let count = 0;
  return {
    async show(change) {
      shown = change;
      count += 1;
      // Another query makes another document: the editor keeps the text of one that it has seen.
      const side = (authority: string): vscode.Uri =>
        vscode.Uri.file(change.file).with({ scheme: SCHEME, authority, query: String(count) });
      const title = `${vscode.workspace.asRelativePath(change.file)}: what HASP would write`;
      await vscode.commands.executeCommand("vscode.diff", side("before"), side("after"), title, {
        preview: true,
      });
    },
    async close() {
      const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
      const ours = tabs.filter(
        ({ input }) => input instanceof vscode.TabInputTextDiff && input.modified.scheme === SCHEME,
      );
      await vscode.window.tabGroups.close(ours);
    },
    dispose: () => registered.dispose(),
  };
}
