import * as vscode from "vscode";

/** Calls back with each file of the pattern that is made, written or deleted. */
export function watchFiles(
  pattern: vscode.GlobPattern,
  onFile: (file: vscode.Uri) => void,
): vscode.Disposable {
  const watcher = vscode.workspace.createFileSystemWatcher(pattern);
  const { onDidCreate, onDidChange, onDidDelete } = watcher;
  return vscode.Disposable.from(watcher, onDidCreate(onFile), onDidChange(onFile), onDidDelete(onFile));
}
