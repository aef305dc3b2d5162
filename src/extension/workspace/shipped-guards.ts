import * as vscode from "vscode";
import type { Guards } from "../../app/load-commands.ts";
import { CODING_AGENT } from "../../model/domain-names.ts";
import type { EditorServices } from "../services.ts";

/** The shipped skills that guard coding agents, as the folder that checks of skills read. */
export const shippedGuards = ({ files, builtIn }: Pick<EditorServices, "files" | "builtIn">): Guards => ({
  files,
  folder: vscode.Uri.joinPath(builtIn, CODING_AGENT).fsPath,
});
