import * as vscode from "vscode";

export interface YesQuestion {
  /** Of the command that asks. */
  readonly title: string;
  readonly question: string;
  /** The verb that agrees, on the first row. */
  readonly yes: string;
  /** Consequences of the yes, below it. */
  readonly detail?: string;
  /** Whether Enter alone leaves everything as it is: where code of strangers would run. */
  readonly isCautious?: boolean;
  /** Rows below the two answers: what the question is about. */
  readonly about?: readonly vscode.QuickPickItem[];
}

/** Asks before a write, in a list that stays open while the person looks elsewhere. False: nothing is to change. */
export async function askYes({
  title,
  question,
  yes,
  detail,
  isCautious = false,
  about = [],
}: YesQuestion): Promise<boolean> {
  const agree: vscode.QuickPickItem = { label: yes, ...(detail !== undefined && { detail }) };
  const separator = { label: "", kind: vscode.QuickPickItemKind.Separator };
  const leave = { label: "Leave everything as it is" };
  const items = [
    ...(isCautious ? [leave, agree] : [agree, leave]),
    ...(about.length === 0 ? [] : [separator, ...about]),
  ];
  const options = { title, placeHolder: question, ignoreFocusOut: true };
  return (await vscode.window.showQuickPick(items, options))?.label === yes;
}
