import * as vscode from "vscode";

/** One row of a tree: how it looks, and what stands below it. */
export interface Row {
  readonly item: vscode.TreeItem;
  /** What menu commands on the row get as their argument. */
  readonly subject?: vscode.Uri;
  readonly children?: () => Promise<readonly Row[]> | readonly Row[];
}

export interface RowOptions {
  readonly description?: string;
  readonly tooltip?: string | vscode.MarkdownString;
  readonly icon?: vscode.ThemeIcon;
  readonly contextValue?: string;
  readonly command?: vscode.Command;
  readonly subject?: vscode.Uri;
  readonly expanded?: boolean;
  readonly children?: Row["children"];
}

function foldOf(options: RowOptions): vscode.TreeItemCollapsibleState {
  if (options.children === undefined) return vscode.TreeItemCollapsibleState.None;
  return options.expanded === true
    ? vscode.TreeItemCollapsibleState.Expanded
    : vscode.TreeItemCollapsibleState.Collapsed;
}

export function row(label: string, options: RowOptions = {}): Row {
  const { description, tooltip, icon, contextValue, command, subject, children } = options;
  const item = new vscode.TreeItem(label, foldOf(options));
  if (description !== undefined) item.description = description;
  if (tooltip !== undefined) item.tooltip = tooltip;
  if (icon !== undefined) item.iconPath = icon;
  if (contextValue !== undefined) item.contextValue = contextValue;
  if (command !== undefined) item.command = command;
  return { item, ...(subject !== undefined && { subject }), ...(children !== undefined && { children }) };
}

export interface Tree extends vscode.Disposable {
  readonly view: vscode.TreeView<Row>;
  /** Settles once VS Code was told. Never rejects: rows that cannot be made leave the old ones. */
  refresh(): Promise<void>;
}

/**
 * A tree view over rows made on demand. `roots` is asked anew at each refresh; whether it gave none stands in `emptyKey`
 * afterwards, for the welcome text.
 */
export function createTree(id: string, roots: () => Promise<readonly Row[]>, emptyKey?: string): Tree {
  const changed = new vscode.EventEmitter<undefined>();
  let shown: Promise<readonly Row[]> | undefined;
  let isStale = false;
  let renewing: Promise<void> | undefined;
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
  const view = vscode.window.createTreeView(id, { treeDataProvider: provider });
  /** Rows are made before VS Code hears of it: from then until it has them it knows none, and a menu that is open would lose its row. */
  async function renew(): Promise<void> {
    do {
      isStale = false;
      const next = view.visible && shown !== undefined ? await rootRows().catch(() => shown) : undefined;
      shown = next === undefined ? undefined : Promise.resolve(next);
      changed.fire(undefined);
    } while (isStale);
  }
  /** Many events at once ask for one more pass, not for one each. */
  function refresh(): Promise<void> {
    isStale = true;
    return (renewing ??= renew().finally(() => (renewing = undefined)));
  }
  return { view, refresh, dispose: () => vscode.Disposable.from(view, changed).dispose() };
}

/** The file or folder a menu command was called on: a row of a tree, a resource, or nothing. */
export function subjectOf(argument: unknown): vscode.Uri | undefined {
  if (argument instanceof vscode.Uri) return argument;
  if (typeof argument === "object" && argument !== null && "subject" in argument) {
    return argument.subject instanceof vscode.Uri ? argument.subject : undefined;
  }
  return undefined;
}
