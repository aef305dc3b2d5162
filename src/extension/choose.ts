import * as vscode from "vscode";
import type { Choice } from "./steps.ts";

/** A row that gives a value, or a line between rows. */
export type Row<T> = Choice<T> | (vscode.QuickPickItem & { readonly value?: never });

/** A line between groups of rows, with the name of the group below it. */
export const group = (label: string): Row<never> => ({ label, kind: vscode.QuickPickItemKind.Separator });

/** Asks one question by a list. The value of the row that the person chooses; undefined when they leave. */
export async function choose<T>(
  title: string,
  placeHolder: string,
  rows: readonly Row<T>[] | Promise<readonly Row<T>[]>,
  options: Pick<vscode.QuickPickOptions, "ignoreFocusOut" | "matchOnDescription" | "matchOnDetail"> = {},
): Promise<T | undefined> {
  return (await vscode.window.showQuickPick(rows, { title, placeHolder, ...options }))?.value;
}
