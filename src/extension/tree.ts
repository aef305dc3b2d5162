import * as vscode from "vscode";
import { coalesce } from "./coalesce.ts";

/** One row of a tree: how it looks, and what stands below it. */
export interface Row {
  readonly item: vscode.TreeItem;
  /** The argument of menu commands on the row. */
  readonly subject?: vscode.Uri;
  readonly children?: () => Promise<readonly Row[]> | readonly Row[];
}

type Look = Pick<vscode.TreeItem, "description" | "tooltip" | "contextValue" | "command" | "resourceUri">;

interface RowOptions extends Look, Omit<Row, "item"> {
  readonly icon?: vscode.ThemeIcon;
  readonly expanded?: boolean;
}

export function row(label: string, { icon, expanded, subject, children, ...look }: RowOptions): Row {
  const { None, Expanded, Collapsed } = vscode.TreeItemCollapsibleState;
  const open = expanded === true ? Expanded : Collapsed;
  const item = new vscode.TreeItem(label, children === undefined ? None : open);
  Object.assign(item, look, icon !== undefined && { iconPath: icon });
  return { item, ...(subject !== undefined && { subject }), ...(children !== undefined && { children }) };
}

export interface Tree extends vscode.Disposable {
  readonly view: vscode.TreeView<Row>;
  /** Settles once VS Code was told. Never rejects: rows that cannot be made leave the old ones. */
  refresh(): Promise<void>;
}

/**
 * A tree view over rows made on demand. `roots` is asked anew at each refresh; whether it gave none stands in `emptyKey`
 * afterwards, for the welcome text. `canSelectMany`: a menu command may be called on several rows.
 */
export function createTree(
  id: string,
  roots: () => Promise<readonly Row[]>,
  emptyKey?: string,
  canSelectMany = false,
): Tree {
  const changed = new vscode.EventEmitter<undefined>();
  let shown: Promise<readonly Row[]> | undefined;
  async function rootRows(): Promise<readonly Row[]> {
    const rows = await roots();
    if (emptyKey !== undefined)
      await vscode.commands.executeCommand("setContext", emptyKey, rows.length === 0);
    return rows;
  }
  const provider: vscode.TreeDataProvider<Row> = {
    onDidChangeTreeData: changed.event,
    getTreeItem: (element) => element.item,
    // Only rows at the root are ever revealed.
    getParent: () => undefined,
    getChildren: async (element) => [
      ...(element === undefined ? await (shown ??= rootRows()) : ((await element.children?.()) ?? [])),
    ],
  };
  const view = vscode.window.createTreeView(id, { treeDataProvider: provider, canSelectMany });
  /** Rows are made before VS Code hears of it: from then until it has them it knows none, and a menu that is open would lose its row. */
  const refresh = coalesce(async () => {
    const next = view.visible && shown !== undefined ? await rootRows().catch(() => shown) : undefined;
    shown = next === undefined ? undefined : Promise.resolve(next);
    changed.fire(undefined);
  });
  return { view, refresh, dispose: () => vscode.Disposable.from(view, changed).dispose() };
}

/** The rows or files that a menu command was called on together: VS Code gives the selection after the one under the pointer. */
export function subjectsOf(argument: unknown, selected: unknown): readonly vscode.Uri[] {
  const all: readonly unknown[] =
    Array.isArray(selected) && selected.includes(argument) ? selected : [argument];
  return all.flatMap((one) => subjectOf(one) ?? []);
}

/** The file or folder a menu command was called on: a row of a tree, a resource, or nothing. */
export function subjectOf(argument: unknown): vscode.Uri | undefined {
  if (argument instanceof vscode.Uri) return argument;
  if (typeof argument === "object" && argument !== null && "subject" in argument) {
    return argument.subject instanceof vscode.Uri ? argument.subject : undefined;
  }
  return undefined;
}
