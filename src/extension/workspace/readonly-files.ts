import * as vscode from "vscode";
import type { LocatedSkill } from "./library.ts";

/** Files of skills as read-only documents. */
const SCHEME = "hasp-skill";

/** Skills that an evolution keeps: what its author proposed, and what was taken out of the library. */
const KEPT_SKILL =
  /\/(?:\.hasp\/evolutions\/[^/]+\/epoch_\d+\/proposals|generated\/\.retired)\/.*\/(?:SKILL\.md|pf\.ts|cases\.yaml)$/;

/**
 * The URI that shows a file of a skill. A built-in one opens read-only, and VS Code's own TypeScript leaves it alone:
 * in the extension's folder it would find no types for it.
 */
export function shownFile(skill: LocatedSkill, file: vscode.Uri): vscode.Uri {
  return skill.isBuiltIn ? file.with({ scheme: SCHEME }) : file;
}

/** The same of a file that a run folder or an evolution keeps: an edit would change the record. */
export function keptFile(path: string): vscode.Uri {
  return vscode.Uri.file(path).with({ scheme: SCHEME });
}

/** Serves the files below `builtIn` and those that run folders and evolutions keep, and no others. */
export function registerReadonlyFiles(builtIn: vscode.Uri): vscode.Disposable {
  return vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
    async provideTextDocumentContent(uri) {
      const { isKeptText } = await import("../../trace/library-store.ts");
      const file = uri.with({ scheme: builtIn.scheme });
      const isSkill =
        file.path.startsWith(`${builtIn.path}/`) || isKeptText(file.path) || KEPT_SKILL.test(file.path);
      if (!isSkill || file.path.includes("/../")) throw vscode.FileSystemError.NoPermissions(uri);
      return new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
    },
  });
}
