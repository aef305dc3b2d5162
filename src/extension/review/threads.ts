import * as vscode from "vscode";
import { REVIEWED_FILES, type Review } from "../../model/review.ts";
import type { NodeFiles } from "../../platform/files.ts";
import {
  feedbackThreads,
  placeNow,
  type FeedbackThread,
  type LineChange,
  type LinePlace,
} from "../../review/feedback-threads.ts";
import { changedSince } from "../../review/review-store.ts";
import { fingerprintOf, readTexts, type ReviewedTexts } from "../../review/review-subject.ts";
import { CONTEXT_KEYS, REVIEW_COMMENTS } from "../contributions.ts";
import type { LibrarySource } from "../workspace/library.ts";
import { parentOf } from "../workspace/skill-folders.ts";
import { bodyOf, changeOf, draw, rangeOf, track, unix, type ShownFeedback } from "./thread-view.ts";

/** The threads of one skill. */
interface ShownReview {
  readonly folder: vscode.Uri;
  readonly review: Review;
  readonly shown: ShownFeedback[];
  /** Each file as it was last looked at. */
  texts: ReviewedTexts;
}

/** The threads of reviews in the files of skills. */
export interface ReviewThreads extends vscode.Disposable {
  /** Shows the threads of a review, in the place of those of an earlier one. Those that a person dismissed stay away. */
  show(folder: vscode.Uri, review: Review): Promise<void>;
  /** The one whose thread or comment a menu was called on; without one that at the cursor, one with an edit first. */
  find(argument: unknown): ShownFeedback | undefined;
  /** The text of its file as a person sees it, and where its lines are in it now. */
  look(shown: ShownFeedback): Promise<{ readonly text: string; readonly place: LinePlace | undefined }>;
  dismiss(shown: ShownFeedback): void;
  /** Closes the threads of its file: an open one pushes the lines of a diff apart. */
  collapse(shown: ShownFeedback): void;
}

const keyOf = ({ when }: Review, { title, text, file, first }: FeedbackThread): string =>
  JSON.stringify([when, title, text, file, first]);

class OpenThreads implements ReviewThreads {
  private readonly reviews = new Map<string, ShownReview>();
  private readonly dismissed = new Set<string>();
  private controller: vscode.CommentController | undefined;
  private readonly files: NodeFiles;
  private readonly held: vscode.Disposable;

  constructor(files: NodeFiles, library: Pick<LibrarySource, "onDidChange">) {
    this.files = files;
    this.held = vscode.Disposable.from(
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0)
          this.trackFile(document.uri, document.getText(), contentChanges.map(changeOf));
      }),
      library.onDidChange(() => {
        // A folder that cannot be read now is looked at again after the next change.
        for (const { folder } of this.reviews.values()) void this.lookAgain(folder).catch(() => undefined);
      }),
    );
  }

  async show(folder: vscode.Uri, review: Review): Promise<void> {
    if (this.reviews.get(folder.path)?.review.when === review.when) return this.lookAgain(folder);
    const texts = await readTexts(this.files, folder.fsPath);
    const changed = changedSince(review, await fingerprintOf(texts));
    this.close(folder.path);
    const now = Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, unix(text)]));
    const shown = feedbackThreads(review, texts, changed)
      .filter((feedback) => !this.dismissed.has(keyOf(review, feedback)))
      .map((feedback) => {
        // In a file that has changed, the same lines may be in their place by chance.
        const candidates = changed.includes(feedback.file) ? [] : [feedback];
        const place = placeNow(texts[feedback.file] ?? "", feedback.original, candidates);
        return this.open(review, vscode.Uri.joinPath(folder, feedback.file), feedback, place);
      });
    this.reviews.set(folder.path, { folder, review, shown, texts: now });
    this.tellKey();
  }

  find(argument: unknown): ShownFeedback | undefined {
    if (argument === undefined) return this.atCursor();
    return this.all().find(
      ({ thread }) => thread === argument || thread.comments.some((comment) => comment === argument),
    );
  }

  async look({ uri, feedback, place }: ShownFeedback) {
    const text = (await vscode.workspace.openTextDocument(uri)).getText();
    return { text, place: placeNow(text, feedback.original, place === undefined ? [] : [place]) };
  }

  dismiss(shown: ShownFeedback): void {
    shown.thread.dispose();
    for (const found of this.reviews.values()) {
      const at = found.shown.indexOf(shown);
      if (at < 0) continue;
      found.shown.splice(at, 1);
      this.dismissed.add(keyOf(found.review, shown.feedback));
    }
    this.tellKey();
  }

  collapse({ uri }: ShownFeedback): void {
    const { Collapsed, Expanded } = vscode.CommentThreadCollapsibleState;
    for (const { thread, uri: at } of this.all()) {
      if (at.toString() !== uri.toString()) continue;
      // A person may have opened it, which VS Code does not tell: only a change of the state is passed on.
      thread.collapsibleState = Expanded;
      thread.collapsibleState = Collapsed;
    }
  }

  dispose(): void {
    this.held.dispose();
    this.controller?.dispose();
  }

  private all(): readonly ShownFeedback[] {
    return [...this.reviews.values()].flatMap(({ shown }) => shown);
  }

  private tellKey(): void {
    void vscode.commands.executeCommand("setContext", CONTEXT_KEYS.hasFeedback, this.all().length > 0);
  }

  private open(
    review: Review,
    uri: vscode.Uri,
    feedback: FeedbackThread,
    place: LinePlace | undefined,
  ): ShownFeedback {
    this.controller ??= vscode.comments.createCommentController(REVIEW_COMMENTS, "HASP: Teacher Review");
    const last = place ?? { first: feedback.first, last: feedback.last };
    const comment: vscode.Comment = {
      author: { name: review.teacher.id },
      body: bodyOf(feedback),
      mode: vscode.CommentMode.Preview,
      timestamp: new Date(review.when),
    };
    const thread = this.controller.createCommentThread(uri, rangeOf(last), [comment]);
    thread.canReply = false;
    thread.collapsibleState = vscode.CommentThreadCollapsibleState.Collapsed;
    const shown = { feedback, uri, thread, place, last };
    draw(shown);
    return shown;
  }

  private close(path: string): void {
    for (const { thread } of this.reviews.get(path)?.shown ?? []) thread.dispose();
    this.reviews.delete(path);
  }

  private trackFile(uri: vscode.Uri, text: string, changes: readonly LineChange[] | undefined): void {
    const found = this.reviews.get(parentOf(uri).path);
    const file = REVIEWED_FILES.find((name) => uri.path.endsWith(`/${name}`));
    if (found === undefined || file === undefined || uri.scheme !== found.folder.scheme) return;
    found.texts = { ...found.texts, [file]: unix(text) };
    for (const shown of found.shown) if (shown.feedback.file === file) track(shown, text, changes);
  }

  /** Files may have been changed by another program, or be gone. */
  private async lookAgain(folder: vscode.Uri): Promise<void> {
    const texts = await readTexts(this.files, folder.fsPath);
    const found = this.reviews.get(folder.path);
    if (found === undefined) return;
    for (const file of REVIEWED_FILES) {
      const text = texts[file];
      if (text === undefined)
        found.shown.filter(({ feedback }) => feedback.file === file).forEach((shown) => this.dismiss(shown));
      else if (unix(text) !== found.texts[file])
        this.trackFile(vscode.Uri.joinPath(folder, file), text, undefined);
    }
  }

  private atCursor(): ShownFeedback | undefined {
    const editor = vscode.window.activeTextEditor;
    if (editor === undefined) return undefined;
    const line = editor.selection.active.line + 1;
    const here = this.all().filter(
      ({ uri, last: { first, last } }) =>
        uri.toString() === editor.document.uri.toString() && first <= line && line <= last,
    );
    return here.find(({ feedback }) => feedback.edit !== undefined) ?? here[0];
  }
}

export function openReviewThreads(
  files: NodeFiles,
  library: Pick<LibrarySource, "onDidChange">,
): ReviewThreads {
  return new OpenThreads(files, library);
}
