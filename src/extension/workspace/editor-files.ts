import * as vscode from "vscode";
import type { NodeFiles } from "../../platform/files.ts";

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
