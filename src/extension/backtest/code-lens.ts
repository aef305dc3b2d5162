import * as vscode from "vscode";
import { firedParts, OUTCOMES } from "../../model/outcomes.ts";
import { COMMANDS } from "../contributions.ts";
import { eventsUri } from "../language/events-uri.ts";
import type { Counted, Fires } from "../language/fires.ts";
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

/** Nothing where there is nothing to count on. While the first count runs, its place is kept: what stands beside it does not jump. */
function firesLens(range: vscode.Range, found: Counted | undefined): vscode.CodeLens[] {
  if (found === "no runs") return [];
  if (found === undefined)
    return [new vscode.CodeLens(range, { title: "$(pulse) counting fires", command: "" })];
  if (found === "template")
    return [new vscode.CodeLens(range, { title: "$(pulse) fires nowhere: still the template", command: "" })];
  const steps = OUTCOMES.reduce((sum, outcome) => sum + found.counts[outcome].steps, 0);
  const command = {
    command: "vscode.open",
    title: `$(pulse) fires in ${firedParts(found).join(" · ")}`,
    tooltip: `Episodes of this workspace's runs in which today's code fires, on ${steps} steps in all. List the recorded steps`,
    arguments: [eventsUri(found.skillId)],
  };
  return [new vscode.CodeLens(range, command)];
}

/** Above the class of a PF: how often it fires, "Backtest" and "Debug". */
export function registerBacktestLens(fires: Fires): vscode.Disposable {
  return vscode.languages.registerCodeLensProvider(
    { scheme: "file", pattern: "**/pf.ts" },
    {
      onDidChangeCodeLenses: fires.onDidChange,
      async provideCodeLenses(document) {
        const found = await pfClassRange(document);
        if (found === undefined) return [];
        const { folder, range } = found;
        const backtest = {
          command: COMMANDS.backtestSkill.id,
          title: "$(beaker) Backtest",
          tooltip: "Find the recorded steps on which this Program Function would act",
          arguments: [folder],
        };
        const debug = {
          command: COMMANDS.debugPf.id,
          title: "$(debug-alt) Debug",
          tooltip: "Debug this Program Function on the step that the replay shows",
        };
        return [
          ...firesLens(range, fires.of(folder)),
          new vscode.CodeLens(range, backtest),
          new vscode.CodeLens(range, debug),
        ];
      },
    },
  );
}
