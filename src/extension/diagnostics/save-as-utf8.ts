import * as vscode from "vscode";
import { skillMdText } from "../../skill/skill-md-bytes.ts";
import { fieldsOf, registerCommand } from "../commands.ts";
import { COMMANDS } from "../contributions.ts";
import type { Services } from "../services.ts";
import { nameOf } from "../workspace/skill-folders.ts";

/** No SKILL.md that was checked is longer. In bytes. */
const MAX_BYTES = 10_000_000;

/** The quick fix of what is odd about the bytes of a SKILL.md: no edit of a document changes them. */
export function registerSaveAsUtf8({ editorServices }: Pick<Services, "editorServices">): vscode.Disposable {
  const { files, log } = editorServices;
  async function saveAsUtf8(argument: unknown): Promise<void> {
    const { uri } = fieldsOf(argument);
    if (!(uri instanceof vscode.Uri) || nameOf(uri) !== "SKILL.md") return;
    const open = vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri.toString());
    if (open?.isDirty === true && !(await open.save())) return;
    const found = await files.readText(uri.fsPath, MAX_BYTES);
    if (found.kind !== "text") return;
    await files.writeText(uri.fsPath, skillMdText(found));
    // An open document would go on in its encoding, and take the file for changed by somebody else.
    if (open !== undefined) await vscode.workspace.openTextDocument(uri, { encoding: "utf8" });
  }
  return registerCommand(log, COMMANDS.saveAsUtf8, saveAsUtf8);
}
