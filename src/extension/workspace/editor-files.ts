import * as vscode from "vscode";
import type { NodeFiles } from "../../platform/files.ts";
import { nameOf } from "./skill-folders.ts";

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
  /** A document has neither a byte order mark nor a file's own encoding, and hosts read the file. */
  async function bytesOf(path: string, maxBytes: number): Promise<{ readonly bytes?: Uint8Array }> {
    if (nameOf(vscode.Uri.file(path)) !== "SKILL.md") return {};
    const saved = await files.readText(path, maxBytes).catch(() => undefined);
    return saved?.kind === "text" && saved.bytes !== undefined ? { bytes: saved.bytes } : {};
  }
  return {
    ...files,
    async readText(path, maxBytes) {
      const open = vscode.workspace.textDocuments.find(
        ({ uri }) => uri.scheme === "file" && uri.fsPath === path,
      );
      if (open === undefined) return files.readText(path, maxBytes);
      return { kind: "text", text: open.getText(), ...(await bytesOf(path, maxBytes)) };
    },
  };
}
