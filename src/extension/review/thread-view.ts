import * as vscode from "vscode";
import type { ReviewedFile } from "../../model/review.ts";
import {
  placeNow,
  shifted,
  type FeedbackThread,
  type LineChange,
  type LinePlace,
} from "../../review/feedback-threads.ts";
import { FEEDBACK_KINDS } from "../contributions.ts";
import { markdownText } from "./markdown-text.ts";

/** A piece of a review beside the lines of which it speaks. */
export interface ShownFeedback {
  readonly feedback: FeedbackThread;
  readonly uri: vscode.Uri;
  readonly thread: vscode.CommentThread;
  /** Its lines as they are now; undefined: they are no longer there, and the feedback is stale. */
  place: LinePlace | undefined;
  /** The last place that was known. */
  last: LinePlace;
}

const LANGUAGES: Readonly<Record<ReviewedFile, string>> = {
  "SKILL.md": "markdown",
  "pf.ts": "typescript",
  "cases.yaml": "yaml",
};

export const unix = (text: string): string => text.replaceAll("\r\n", "\n");
export const rangeOf = ({ first, last }: LinePlace): vscode.Range =>
  new vscode.Range(first - 1, 0, last - 1, 0);

/** The teacher's words as text, never as Markdown; new lines of an edit as code. */
export function bodyOf({ text, file, edit }: FeedbackThread): vscode.MarkdownString {
  const body = new vscode.MarkdownString(markdownText(text === "" ? "Replace these lines." : text));
  if (edit === undefined) return body;
  if (edit.replacement === "") return body.appendMarkdown("\n\nThese lines go.");
  return body.appendMarkdown("\n\n").appendCodeblock(edit.replacement, LANGUAGES[file]);
}

function kindOf({ feedback, place }: ShownFeedback): string {
  if (place === undefined) return FEEDBACK_KINDS.stale;
  return feedback.edit === undefined ? FEEDBACK_KINDS.note : FEEDBACK_KINDS.edit;
}

/** Brings the thread in line with its place. */
export function draw(shown: ShownFeedback): void {
  const { thread, feedback, place, last } = shown;
  const kind = kindOf(shown);
  thread.range = rangeOf(place ?? last);
  thread.label =
    place === undefined ? `stale: ${feedback.title}; these lines have changed since` : feedback.title;
  if (thread.contextValue === kind) return;
  thread.contextValue = kind;
  thread.comments = thread.comments.map((comment) => ({ ...comment, contextValue: kind }));
}

export const changeOf = ({ range, text }: vscode.TextDocumentContentChangeEvent): LineChange => ({
  firstLine: range.start.line,
  lastLine: range.end.line,
  endsAtStart: range.end.character === 0,
  text,
});

/** Finds the lines again, after changes of a text that was open, or in a text about whose changes nothing is known. */
export function track(shown: ShownFeedback, text: string, changes: readonly LineChange[] | undefined): void {
  const { feedback, last } = shown;
  const candidates = changes === undefined ? [] : [shifted(last, changes), last];
  shown.place = placeNow(text, feedback.original, candidates);
  shown.last =
    shown.place ?? (candidates[0] !== undefined && candidates[0].first >= 1 ? candidates[0] : last);
  draw(shown);
}
