import * as vscode from "vscode";

/** Rows of skills that do not act. A scheme of its own, so that no decoration of the skill's files comes with it. */
const SCHEME = "hasp-idle";

export function idleUri(skill: vscode.Uri): vscode.Uri {
  return vscode.Uri.from({ scheme: SCHEME, path: skill.path });
}

/** Greys the labels of those rows. */
export function registerIdleDecoration(): vscode.Disposable {
  return vscode.window.registerFileDecorationProvider({
    provideFileDecoration: (uri) =>
      uri.scheme === SCHEME
        ? { color: new vscode.ThemeColor("disabledForeground"), propagate: false }
        : undefined,
  });
}
