import * as vscode from "vscode";
import { COMMANDS } from "../contributions.ts";
import { parentOf, readSkillFolder } from "../workspace/skill-folders.ts";

const PF_CLASS = /^export default class\b/m;

/** The line of a PF's class, and the folder of its skill; undefined where the document is no PF of a skill. */
export async function pfClassRange(
  document: vscode.TextDocument,
): Promise<{ readonly folder: vscode.Uri; readonly range: vscode.Range } | undefined> {
  const match = PF_CLASS.exec(document.getText());
  const folder = match === null ? undefined : await readSkillFolder(parentOf(document.uri));
  if (match === null || folder === undefined) return undefined;
  const { line } = document.positionAt(match.index);
  return { folder: folder.uri, range: new vscode.Range(line, 0, line, 0) };
}

/** "Backtest" above the class of a PF. */
export function registerBacktestLens(): vscode.Disposable {
  return vscode.languages.registerCodeLensProvider(
    { scheme: "file", pattern: "**/pf.ts" },
    {
      async provideCodeLenses(document) {
        const found = await pfClassRange(document);
        if (found === undefined) return [];
        const command = {
          command: COMMANDS.backtestSkill.id,
          title: "$(beaker) Backtest on recorded episodes",
          tooltip: "Find the recorded steps on which this Program Function would act",
          arguments: [found.folder],
        };
        return [new vscode.CodeLens(found.range, command)];
      },
    },
  );
}
