import { basename, join } from "node:path";
import * as vscode from "vscode";
import { progressOf } from "../../app/progress.ts";
import { type RunOrder, runQuestionsOf, type RunEvent, type RunResult } from "../../app/run/questions.ts";
import type { RunServices } from "../../app/run/parts.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Episode } from "../../model/episode.ts";
import { asOnlyWriter } from "../../platform/run-lock.ts";
import { debounce } from "../debounce.ts";
import { COMMANDS, CONTEXT_KEYS } from "../contributions.ts";
import { Unmet } from "../failure.ts";
import { inNotification } from "../notification.ts";
import { CONFIGURE } from "../models/chosen-model.ts";
import { EPISODES } from "../runs/find-runs.ts";
import type { EditorServices } from "../services.ts";
import { usable } from "../usable.ts";
import { describeRun, failuresOf } from "./describe-run.ts";

/** A run that ended: its `episodes.jsonl`, and how it went. */
export interface RunOutcome extends RunResult {
  readonly file: vscode.Uri;
  readonly diagnostics: readonly Diagnostic[];
}

/** Executes an order. Fails before anything is sent where a part of it cannot be used. */
export type ExecuteRun = (order: RunOrder, services: RunServices) => Promise<RunOutcome>;

type Shown = Pick<EditorServices, "log" | "runs" | "editor" | "status">;

/** A view that shows the run reads it anew at most this often. Milliseconds. */
const SHOWN_EVERY = 150;

/** Shows growth while it goes on, not only in a pause: the first poke starts the wait, and later ones do not prolong it. */
function growing(show: () => void): { poke(): void; dispose(): void } {
  let waiting = false;
  const shown = debounce(SHOWN_EVERY, () => {
    waiting = false;
    show();
  });
  return {
    poke() {
      if (waiting) return;
      waiting = true;
      shown.poke();
    },
    dispose: shown.dispose,
  };
}

function logFailure({ log }: Shown, { questionId, stopReason, extra }: Episode): void {
  const failure = extra?.["failure"];
  if (failure === undefined) return;
  const words = typeof failure === "string" ? failure : JSON.stringify(failure);
  log.warn(`${questionId} ended by ${stopReason}: ${words}`);
}

/** Shows a run as it goes on: in its notification, the status bar and its own view. */
function inProgress(shown: Shown, order: RunOrder, services: RunServices): Thenable<RunOutcome> {
  const { log, runs, editor, status } = shown;
  const file = vscode.Uri.file(join(order.folder, EPISODES));
  const growth = growing(() => runs.forget(file));
  return inNotification(`Running ${basename(order.questions.path)}`, async (stop, report) => {
    const on = (event: RunEvent): void => {
      if (event.kind === "trouble") log.warn(event.message);
      if (event.kind === "begin") {
        runs.forget(file);
        report(progressOf(0, event.total, "questions"));
        void editor.open(file);
      }
      if (event.kind === "episode") logFailure(shown, event.episode);
      if (event.kind !== "progress") return;
      report(event);
      status.showRunning("Run questions", event.done / event.total);
      growth.poke();
    };
    try {
      return await asOnlyWriter(order.folder, async ({ lost }) => {
        const signal = AbortSignal.any([stop, lost]);
        const ran = await runQuestionsOf(order, services, { signal, on });
        return { ...usable(ran, CONFIGURE), file, diagnostics: ran.diagnostics };
      });
    } finally {
      growth.dispose();
      runs.forget(file);
    }
  });
}

function say({ editor }: Shown, result: RunOutcome): void {
  const { summary, file } = result;
  const failures = failuresOf(summary);
  const text = `${describeRun(result)}${failures === "" ? "" : ` Failures: ${failures}; the log says why.`}`;
  const command = (id: string, ...given: unknown[]) => vscode.commands.executeCommand(id, ...given);
  const resume = { title: COMMANDS.resumeRun.title, run: () => command(COMMANDS.resumeRun.id, file) };
  const show = { title: COMMANDS.openRun.title, run: () => editor.open(file) };
  const toLog = { title: "Open log", run: () => command(COMMANDS.openLog.id) };
  const buttons = [...(summary.left > 0 ? [resume] : []), show, ...(failures === "" ? [] : [toLog])];
  const isFine = failures === "" && (summary.left === 0 || summary.endedBy === "cancelled");
  const ask = isFine ? vscode.window.showInformationMessage : vscode.window.showWarningMessage;
  void ask(text, ...buttons).then((chosen) => chosen?.run());
}

/** Executes runs of this window, each folder's one at a time: two would ask its questions twice. */
export function runExecutor(shown: Shown): ExecuteRun {
  const { log, status } = shown;
  const underWay = new Set<string>();
  const showRunning = (): Thenable<unknown> =>
    vscode.commands.executeCommand("setContext", CONTEXT_KEYS.questionsRunning, underWay.size > 0);
  return async (order, services) => {
    const { folder } = order;
    if (underWay.has(folder))
      throw new Unmet(`${basename(folder)} is running already.`, "Wait for it, or cancel it first.");
    underWay.add(folder);
    void showRunning();
    status.showRunning("Run questions", undefined);
    try {
      const result = await inProgress(shown, order, services);
      for (const { file, message } of result.diagnostics) log.warn(`${file ?? ""} ${message}`);
      log.info(`${folder}: ${describeRun(result)}`);
      say(shown, result);
      return result;
    } finally {
      underWay.delete(folder);
      void showRunning();
      status.showIdle();
    }
  };
}
