import { join } from "node:path";
import type * as vscode from "vscode";
import type { NodeFiles } from "../../platform/files.ts";

/** A text as part of the name of a file: letters, digits, `.`, `_` and `-`. */
export const asFileName = (text: string): string => text.replaceAll(/[^\w.-]+/g, "-");

/** A folder for a new run below a workspace folder: of this name, or with the first number that is free. */
export async function newRunFolder(files: NodeFiles, root: vscode.Uri, name: string): Promise<string> {
  for (let n = 1; ; n++) {
    const folder = join(root.fsPath, ".hasp", "runs", n === 1 ? name : `${name}-${n}`);
    if (!(await files.exists(folder))) return folder;
  }
}
