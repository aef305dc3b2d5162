import * as vscode from "vscode";
import { COMMANDS } from "../contributions.ts";
import { parentOf, readSkillFolder } from "../workspace/skill-folders.ts";

const PF_CLASS = /^export default class\b/m;

/** "Backtest" above the class of a PF. */
export function registerBacktestLens(): vscode.Disposable {
  return vscode.languages.registerCodeLensProvider(
    { scheme: "file", pattern: "**/pf.ts" },
    {
      async provideCodeLenses(document) {
        const match = PF_CLASS.exec(document.getText());
        const folder = match === null ? undefined : await readSkillFolder(parentOf(document.uri));
        if (match === null || folder === undefined) return [];
        const line = document.positionAt(match.index).line;
        const range = new vscode.Range(line, 0, line, 0);
        const command = {
          command: COMMANDS.backtestSkill.id,
          title: "$(beaker) Backtest on recorded episodes",
          tooltip: "Find the recorded steps on which this Program Function would act",
          arguments: [folder.uri],
        };
        return [new vscode.CodeLens(range, command)];
      },
    },
  );
}
