import * as vscode from "vscode";
import { parentOf, readSkillFolder } from "../workspace/skill-folders.ts";

const PF_CLASS = /^export default class\b/m;

/**
 * Lenses above the class of each PF of a skill: one for each command that `commandsOf` gives for the folder of the skill. They are asked
 * for again after `onDidChange`.
 */
export function registerPfLenses(
  onDidChange: (listener: () => void) => vscode.Disposable,
  commandsOf: (folder: vscode.Uri) => Promise<readonly vscode.Command[]>,
): vscode.Disposable {
  const provider: vscode.CodeLensProvider = {
    onDidChangeCodeLenses: (listener) => onDidChange(() => listener()),
    async provideCodeLenses(document) {
      const match = PF_CLASS.exec(document.getText());
      const folder = match === null ? undefined : await readSkillFolder(parentOf(document.uri));
      if (match === null || folder === undefined) return [];
      const { line } = document.positionAt(match.index);
      const range = new vscode.Range(line, 0, line, 0);
      return (await commandsOf(folder.uri)).map((command) => new vscode.CodeLens(range, command));
    },
  };
  return vscode.languages.registerCodeLensProvider({ scheme: "file", pattern: "**/pf.ts" }, provider);
}
