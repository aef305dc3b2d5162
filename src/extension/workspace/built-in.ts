import * as vscode from "vscode";
import type { LocatedSkill } from "./library.ts";

/** Files of the skills that came with the extension, as documents that nobody can change. */
const SCHEME = "hasp-skill";

/**
 * The URI that shows a file of a skill. A built-in one opens read-only, and VS Code's own TypeScript leaves it alone:
 * in the extension's folder it would find no types for it.
 */
export function shownFile(skill: LocatedSkill, file: vscode.Uri): vscode.Uri {
  return skill.isBuiltIn ? file.with({ scheme: SCHEME }) : file;
}

/** Serves the files below `root` and no others. */
export function registerBuiltInFiles(root: vscode.Uri): vscode.Disposable {
  return vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
    async provideTextDocumentContent(uri) {
      const file = uri.with({ scheme: root.scheme });
      const isInside = file.path.startsWith(`${root.path}/`) && !file.path.includes("/../");
      if (!isInside) throw vscode.FileSystemError.NoPermissions(uri);
      return new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
    },
  });
}
