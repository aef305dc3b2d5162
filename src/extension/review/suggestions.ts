import * as vscode from "vscode";
import type { ReviewEdit } from "../../model/review.ts";
import { withEdit, type LinePlace } from "../../review/feedback-threads.ts";
import { registerCommand } from "../commands.ts";
import { COMMANDS, SUGGESTION_SCHEME } from "../contributions.ts";
import { Unmet } from "../failure.ts";
import { wayTo } from "../unmet.ts";
import { parentOf } from "../workspace/skill-folders.ts";
import type { ShownFeedback } from "./thread-view.ts";
import type { ReviewThreads } from "./threads.ts";

/** The place of a suggestion in a file, 1-based. */
export interface SuggestedPlace extends LinePlace {
  readonly file: string;
}

/** A suggestion that is shown as a diff. */
interface Proposed {
  readonly shown: ShownFeedback;
  readonly edit: ReviewEdit;
  readonly text: string;
}

function stale({ uri, feedback }: ShownFeedback): Unmet {
  const message = `This suggestion is stale: the lines of ${feedback.file} that it replaces have changed since the review.`;
  const next = "Change the file by hand, undo the change, or review the skill again.";
  return new Unmet(message, next, wayTo(COMMANDS.teacherReview, parentOf(uri)));
}

/** Whole lines; where there is nothing in their place, the end of the last one goes with them. */
function changeOf(
  document: vscode.TextDocument,
  { first, last }: LinePlace,
  replacement: string,
): vscode.TextEdit {
  const start = new vscode.Position(first - 1, 0);
  if (replacement === "")
    return vscode.TextEdit.delete(
      document.validateRange(new vscode.Range(start, new vscode.Position(last, 0))),
    );
  return vscode.TextEdit.replace(new vscode.Range(start, document.lineAt(last - 1).range.end), replacement);
}

async function closeTabs(right: vscode.Uri): Promise<void> {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const ours = tabs.filter(
    ({ input }) => input instanceof vscode.TabInputTextDiff && input.modified.toString() === right.toString(),
  );
  await vscode.window.tabGroups.close(ours);
}

/** The suggestion in the diff that a menu names, else in that in front. */
function shownDiff(argument: unknown): vscode.Uri | undefined {
  const given = argument instanceof vscode.Uri ? argument : undefined;
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  const inFront = input instanceof vscode.TabInputTextDiff ? input.modified : undefined;
  return [given, inFront].find((uri) => uri?.scheme === SUGGESTION_SCHEME);
}

const linesWords = ({ first, last }: LinePlace): string =>
  first === last ? `line ${first}` : `lines ${first}–${last}`;

const startOf = ({ first }: LinePlace): vscode.Range => new vscode.Range(first - 1, 0, first - 1, 0);

/** The diffs of suggestions that are neither accepted nor closed. */
function openSuggestionDiffs() {
  const proposed = new Map<string, Proposed>();
  let count = 0;
  const held = vscode.Disposable.from(
    vscode.workspace.registerTextDocumentContentProvider(SUGGESTION_SCHEME, {
      provideTextDocumentContent: (uri) => proposed.get(uri.toString())?.text ?? "",
    }),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => void proposed.delete(uri.toString())),
  );
  return {
    /** Left the file as it is, right with the suggestion. */
    async show(suggestion: Proposed, place: LinePlace): Promise<void> {
      const { shown, edit } = suggestion;
      count += 1;
      // Another query makes another document: the editor keeps the text of one that it has seen.
      const right = shown.uri.with({ scheme: SUGGESTION_SCHEME, query: String(count) });
      proposed.set(right.toString(), suggestion);
      const title = `${edit.file}: ${linesWords(place)} as suggested`;
      const options = { preview: true, selection: startOf(place) };
      await vscode.commands.executeCommand("vscode.diff", shown.uri, right, title, options);
    },
    of: (right: vscode.Uri): Proposed | undefined => proposed.get(right.toString()),
    dispose: () => void held.dispose(),
  };
}

type Diffs = ReturnType<typeof openSuggestionDiffs>;

/** Shows what a suggestion would change; changes nothing. */
async function apply(threads: ReviewThreads, diffs: Diffs, argument: unknown): Promise<SuggestedPlace> {
  const shown = threads.find(argument);
  const edit = shown?.feedback.edit;
  if (shown === undefined || edit === undefined)
    throw new Unmet("There is no suggestion here.", "Put the cursor on a line with a teacher's suggestion.");
  const { text, place } = await threads.look(shown);
  if (place === undefined) throw stale(shown);
  threads.collapse(shown);
  await diffs.show({ shown, edit, text: withEdit(text, place, edit.replacement) }, place);
  return { file: edit.file, ...place };
}

/** Changes the file in the editor and leaves it unsaved, so that it can be undone. */
async function accept(threads: ReviewThreads, diffs: Diffs, argument: unknown): Promise<SuggestedPlace> {
  const right = shownDiff(argument);
  const found = right && diffs.of(right);
  if (right === undefined || found === undefined)
    throw new Unmet("No suggestion is shown.", "Choose Apply Suggestion in the thread of one.");
  const { shown, edit } = found;
  // The file may have changed while the diff was open.
  const { place } = await threads.look(shown);
  if (place === undefined) throw stale(shown);
  const document = await vscode.workspace.openTextDocument(shown.uri);
  const change = new vscode.WorkspaceEdit();
  change.set(shown.uri, [changeOf(document, place, edit.replacement)]);
  if (!(await vscode.workspace.applyEdit(change)))
    throw new Unmet(`${edit.file} could not be changed.`, "See whether it is read-only.");
  threads.dismiss(shown);
  await closeTabs(right);
  await vscode.window.showTextDocument(shown.uri, { selection: startOf(place) });
  return { file: edit.file, ...place };
}

/** `HASP: Apply Suggestion`, which shows a diff, `HASP: Accept Suggestion`, which makes the change, and the end of a thread. */
export function registerSuggestions(log: vscode.LogOutputChannel, threads: ReviewThreads): vscode.Disposable {
  const diffs = openSuggestionDiffs();
  async function dismiss(argument?: unknown): Promise<boolean> {
    const shown = threads.find(argument);
    if (shown !== undefined) threads.dismiss(shown);
    return shown !== undefined;
  }
  return vscode.Disposable.from(
    diffs,
    registerCommand(log, COMMANDS.applySuggestion, (argument?: unknown) => apply(threads, diffs, argument)),
    registerCommand(log, COMMANDS.acceptSuggestion, (argument?: unknown) => accept(threads, diffs, argument)),
    registerCommand(log, COMMANDS.dismissFeedback, dismiss),
  );
}
