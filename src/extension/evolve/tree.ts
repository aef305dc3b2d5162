import * as vscode from "vscode";
import { CONTEXT_KEYS, VIEWS } from "../contributions.ts";
import type { EditorServices } from "../services.ts";
import { createTree, type Row } from "../tree.ts";
import { registerPages } from "./documents.ts";

/** The view of evolutions: epochs, phases, failures, candidates; and the pages about them, which may be open as the window is. */
export function registerEvolutionsTree({
  editorServices: { evolutions },
}: {
  readonly editorServices: Pick<EditorServices, "evolutions">;
}): vscode.Disposable {
  // The words of the rows come with the schemas of evolutions, which most windows never need.
  const rows = async (): Promise<readonly Row[]> => (await import("./rows.ts")).evolutionRows(evolutions);
  const tree = createTree(VIEWS.evolutions.id, rows, CONTEXT_KEYS.noEvolutions);
  // The rows change all the time, so none is revealed; the newest evolution is open at the top.
  const show = (): Thenable<unknown> =>
    vscode.commands.executeCommand(`${VIEWS.evolutions.id}.focus`, { preserveFocus: true });
  return vscode.Disposable.from(
    tree,
    evolutions.onDidBegin(() => void show()),
    registerPages(evolutions),
    evolutions.onDidChange(() => void tree.refresh()),
  );
}
