import { join } from "node:path";
import * as vscode from "vscode";
import type { Progress } from "../../app/progress.ts";
import type { Checked, Diagnostic } from "../../model/diagnostic.ts";
import type { Episode } from "../../model/episode.ts";
import { asOnlyWriter } from "../../platform/run-lock.ts";
import { CONFIGURE } from "../models/chosen-model.ts";
import { inNotification } from "../notification.ts";
import { EPISODES } from "../runs/find-runs.ts";
import type { EditorServices } from "../services.ts";
import { usable } from "../usable.ts";

/** A run folder that a use case wrote. */
export interface Written {
  /** Its `episodes.jsonl`. */
  readonly file: vscode.Uri;
  /** Lines of the corpus that were left out, skills that do not load, conflicts of the settings. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Limits and listeners of a use case that writes a run. */
export interface Writing {
  readonly file: vscode.Uri;
  /** Aborts on a cancel, and when another process takes the folder over. */
  readonly signal: AbortSignal;
  readonly report: (event: Progress) => void;
  /** Shows a message until the next report. */
  readonly remark: (message: string) => void;
}

/** Runs a use case that writes a run folder: under a notification, as the only writer of the folder. */
export function writeRun<T>(
  { log, runs }: Pick<EditorServices, "log" | "runs">,
  { title, folder }: { readonly title: string; readonly folder: string },
  work: (writing: Writing) => Promise<Checked<T>>,
): Thenable<Written & { readonly value: T }> {
  const file = vscode.Uri.file(join(folder, EPISODES));
  return inNotification(title, async (stop, report, remark) => {
    try {
      return await asOnlyWriter(folder, async ({ lost }) => {
        const made = await work({ file, signal: AbortSignal.any([stop, lost]), report, remark });
        const value = usable(made, CONFIGURE);
        for (const { file: at, message } of made.diagnostics) log.warn(`${at ?? ""} ${message}`);
        return { file, value, diagnostics: made.diagnostics };
      });
    } finally {
      runs.forget(file);
    }
  });
}

/** A line of the log for an episode that ended by a failure of a model or a tool. */
export function logFailure(log: vscode.LogOutputChannel, { questionId, stopReason, extra }: Episode): void {
  const failure = extra?.["failure"];
  if (failure === undefined) return;
  const words = typeof failure === "string" ? failure : JSON.stringify(failure);
  log.warn(`${questionId} ended by ${stopReason}: ${words}`);
}
