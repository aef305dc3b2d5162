import * as vscode from "vscode";
import { calm } from "../calm.ts";
import type { LibrarySource } from "../workspace/library.ts";
import { nameOf, parentOf } from "../workspace/skill-folders.ts";
import { renderReview } from "./render.ts";
import type { Reviews } from "./reviews.ts";

const SCHEME = "hasp-review";
/** A page that is rewritten with every word cannot be read. Milliseconds. */
const SHOWN_EVERY = 120;

/** Read-only pages with the reviews of skills, one a skill. */
export interface ReviewPages extends vscode.Disposable {
  /** Opens the page beside what is being edited; the keyboard stays where it is. */
  show(folder: vscode.Uri): Promise<void>;
  /** What the page shows while a review is under way. */
  write(folder: vscode.Uri, text: string): void;
  /** The review is over: the page shows the latest one again. */
  finish(folder: vscode.Uri): void;
}

function pageOf(folder: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(folder, `Review of ${nameOf(folder)}.md`).with({ scheme: SCHEME });
}

function folderOf(page: vscode.Uri): vscode.Uri {
  return parentOf(page).with({ scheme: "file" });
}

export function registerReviewPages(reviews: Reviews, library: LibrarySource): ReviewPages {
  const changed = new vscode.EventEmitter<vscode.Uri>();
  const running = new Map<string, string>();
  const touched = new Map<string, vscode.Uri>();
  const quiet = calm(SHOWN_EVERY, () => {
    for (const page of touched.values()) changed.fire(page);
    touched.clear();
  });
  const touch = (folder: vscode.Uri): void => {
    if (touched.size === 0) quiet.poke();
    touched.set(folder.path, pageOf(folder));
  };
  const touchOpen = (): void => {
    const open = vscode.workspace.textDocuments.filter(({ uri }) => uri.scheme === SCHEME);
    for (const { uri } of open) touch(folderOf(uri));
  };
  const provider: vscode.TextDocumentContentProvider = {
    onDidChange: changed.event,
    async provideTextDocumentContent(page) {
      const folder = folderOf(page);
      const now = running.get(folder.path);
      if (now !== undefined) return now;
      const latest = await reviews.latest(folder);
      return latest === undefined
        ? `# Review of ${nameOf(folder)}\n\nThis skill has no review yet. Run "HASP: Teacher Review".\n`
        : renderReview(latest);
    },
  };
  const held = vscode.Disposable.from(
    changed,
    quiet,
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, provider),
    reviews.onDidChange(touch),
    library.onDidChange(touchOpen),
  );
  return {
    async show(folder) {
      const page = pageOf(folder);
      touch(folder);
      const shown = vscode.window.visibleTextEditors.find(
        ({ document }) => document.uri.toString() === page.toString(),
      );
      if (shown !== undefined) return;
      const options = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true, preview: true };
      await vscode.window.showTextDocument(page, options);
    },
    write(folder, text) {
      running.set(folder.path, text);
      touch(folder);
    },
    finish(folder) {
      running.delete(folder.path);
      touch(folder);
    },
    dispose: () => held.dispose(),
  };
}
