import * as vscode from "vscode";
import { templatePlaces } from "../../skill/template-text.ts";

/** The text as a snippet whose tab stops are the marked texts, in their order; undefined where none is marked. */
function snippetOf(text: string): vscode.SnippetString | undefined {
  const places = templatePlaces(text);
  if (places.length === 0) return undefined;
  const snippet = new vscode.SnippetString();
  let done = 0;
  for (const { start, end } of places) {
    snippet.appendText(text.slice(done, start)).appendPlaceholder(text.slice(start, end));
    done = end;
  }
  return snippet.appendText(text.slice(done));
}

/** Opens a file of a new skill with a tab stop at each text of the template, the first one selected; the text stays as it is, saved. */
export async function openWithTabStops(file: vscode.Uri, viewColumn: vscode.ViewColumn): Promise<void> {
  const editor = await vscode.window.showTextDocument(file, { viewColumn, preview: false });
  const { document } = editor;
  const snippet = snippetOf(document.getText());
  if (snippet === undefined) return;
  const whole = document.validateRange(new vscode.Range(0, 0, document.lineCount, 0));
  await editor.insertSnippet(snippet, whole, {
    undoStopBefore: false,
    undoStopAfter: false,
    keepWhitespace: true,
  });
  await document.save();
}
