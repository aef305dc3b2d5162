import * as vscode from "vscode";
import type { Progress } from "../app/progress.ts";

/** Runs a use case under a notification that shows its progress and cancels it; a cancelled one ends with a CancellationError. */
export function inNotification<T>(
  title: string,
  work: (signal: AbortSignal, on: (event: Progress) => void) => Promise<T>,
): Thenable<T> {
  const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
  return vscode.window.withProgress(options, (progress, token) => {
    const stop = new AbortController();
    token.onCancellationRequested(() => stop.abort(new vscode.CancellationError()));
    let shown = 0;
    return work(stop.signal, ({ done, total, words }) => {
      const percent = Math.floor((100 * done) / Math.max(1, total));
      if (percent === shown && done > 0) return;
      progress.report({ message: words, increment: percent - shown });
      shown = percent;
    });
  });
}
