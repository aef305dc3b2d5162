import * as vscode from "vscode";

/** Folders of experiments that this workspace's window follows; after a reload it follows them again. */
const KEY = "hasp.experiments.followed";

function kept(memory: vscode.Memento): readonly string[] {
  const found: unknown = memory.get(KEY);
  return Array.isArray(found) ? found.filter((one) => typeof one === "string") : [];
}

/** Whether some experiment was followed when the window closed. */
export const isFollowed = (memory: vscode.Memento): boolean => kept(memory).length > 0;

export const followedFolders = (memory: vscode.Memento): readonly vscode.Uri[] =>
  kept(memory).map((one) => vscode.Uri.parse(one, true));

export async function keepFollowed(memory: vscode.Memento, folder: vscode.Uri): Promise<void> {
  await memory.update(KEY, [...new Set([...kept(memory), folder.toString()])]);
}

export async function dropFollowed(memory: vscode.Memento, folder: vscode.Uri): Promise<void> {
  await memory.update(
    KEY,
    kept(memory).filter((one) => one !== folder.toString()),
  );
}
