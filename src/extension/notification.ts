import * as vscode from "vscode";
import type { Progress } from "../app/progress.ts";

/**
 * Runs a use case under a notification that shows its progress and cancels it; a cancelled one ends with a CancellationError.
 * A remark is shown until the next progress.
 */
export function inNotification<T>(
  title: string,
  work: (signal: AbortSignal, on: (event: Progress) => void, remark: (message: string) => void) => Promise<T>,
): Thenable<T> {
  const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
  return vscode.window.withProgress(options, (progress, token) => {
    const stop = new AbortController();
    token.onCancellationRequested(() => stop.abort(new vscode.CancellationError()));
    let shown = 0;
    const on = ({ done, total, words }: Progress): void => {
      const percent = Math.floor((100 * done) / Math.max(1, total));
      if (percent === shown && done > 0) return;
      progress.report({ message: words, increment: percent - shown });
      shown = percent;
    };
    return work(stop.signal, on, (message) => progress.report({ message }));
  });
}

/** A button that runs a command. */
export interface WayOut {
  readonly label: string;
  readonly command: string;
  readonly arguments?: readonly unknown[];
}

/** A button that does work of its own. */
export interface Button {
  readonly label: string;
  readonly press: () => unknown;
}

type Show = (text: string, ...labels: readonly string[]) => Thenable<string | undefined>;

/** Shows a message, and presses the button that a person chooses. */
export async function offer(show: Show, text: string, buttons: readonly (WayOut | Button)[]): Promise<void> {
  const label = await show(text, ...buttons.map((button) => button.label));
  const chosen = buttons.find((button) => button.label === label);
  if (chosen === undefined) return;
  if ("press" in chosen) await chosen.press();
  else await vscode.commands.executeCommand(chosen.command, ...(chosen.arguments ?? []));
}

/** Shows an information; does not wait for the answer. */
export function inform(text: string, ...buttons: readonly (WayOut | Button)[]): void {
  void offer(vscode.window.showInformationMessage, text, buttons);
}

/** Shows a warning; does not wait for the answer. */
export function warn(text: string, ...buttons: readonly (WayOut | Button)[]): void {
  void offer(vscode.window.showWarningMessage, text, buttons);
}
