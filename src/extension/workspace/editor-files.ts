import * as vscode from "vscode";
import type { NodeFiles } from "../../platform/files.ts";

/** The text of a file; undefined where it is absent, too long or unreadable, which its own check reports. */
export async function shownText(
  files: Pick<NodeFiles, "readText">,
  file: vscode.Uri,
  maxBytes: number,
): Promise<string | undefined> {
  const found = await files.readText(file.fsPath, maxBytes).catch(() => undefined);
  return found?.kind === "text" ? found.text : undefined;
}

/** The files as a person sees them: text of open documents, saved or not, before what is on disk. */
export function editorFiles(files: NodeFiles): NodeFiles {
  return {
    ...files,
    async readText(path, maxBytes) {
      const open = vscode.workspace.textDocuments.find(
        ({ uri }) => uri.scheme === "file" && uri.fsPath === path,
      );
      return open === undefined ? files.readText(path, maxBytes) : { kind: "text", text: open.getText() };
    },
  };
}
