import * as vscode from "vscode";
import type { Guards } from "../../app/load-commands.ts";
import type { EditorServices } from "../services.ts";

/** The shipped skills, as checks of skills read them. */
export const shippedGuards = ({ files, builtIn }: Pick<EditorServices, "files" | "builtIn">): Guards => ({
  files,
  folderOf: (domain) => vscode.Uri.joinPath(builtIn, domain).fsPath,
});
