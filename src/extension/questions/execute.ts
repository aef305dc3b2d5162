import { basename } from "node:path";
import * as vscode from "vscode";
import { progressOf } from "../../app/progress.ts";
import { type RunOrder, runQuestionsOf, type RunEvent, type RunResult } from "../../app/run/questions.ts";
import type { RunServices } from "../../app/run/parts.ts";
import { type Debounced, debounce } from "../debounce.ts";
import { COMMANDS, CONTEXT_KEYS } from "../contributions.ts";
import { asText, OPEN_LOG, Unmet } from "../failure.ts";
import { inform, warn } from "../notification.ts";
import type { EditorServices } from "../services.ts";
import { wayTo } from "../unmet.ts";
import { describeRun, failuresOf } from "./describe-run.ts";
import { logFailure, type Written, writeRun } from "./write-run.ts";

/** A run that ended, and how it went. */
export type RunOutcome = RunResult & Written;

/** Executes an order. Fails before anything is sent where a part of it cannot be used. */
export type ExecuteRun = (order: RunOrder, services: RunServices) => Promise<RunOutcome>;

type Shown = Pick<EditorServices, "log" | "runs" | "editor" | "status">;

/** A view that shows the run reads it anew at most this often. Milliseconds. */
const SHOWN_EVERY = 150;

/** Shows growth while it goes on, not only in a pause: the first poke starts the wait, and later ones do not prolong it. */
function growing(show: () => void): Debounced {
  let waiting = false;
  const shown = debounce(SHOWN_EVERY, () => {
    waiting = false;
    show();
  });
  return {
    poke() {
      if (!waiting) shown.poke();
      waiting = true;
    },
    dispose: shown.dispose,
  };
}

/** Shows a run as it goes on: in its notification, the status bar and its own view. */
async function inProgress(shown: Shown, order: RunOrder, services: RunServices): Promise<RunOutcome> {
  const { log, runs, editor, status } = shown;
  const title = `Running ${basename(order.questions.path)}`;
  const written = await writeRun(shown, { title, folder: order.folder }, async (writing) => {
    const { file, signal, report, remark } = writing;
    const growth = growing(() => runs.forget(file));
    const on = (event: RunEvent): void => {
      if (event.kind === "trouble") log.warn(event.message);
      if (event.kind === "begin") {
        runs.forget(file);
        report(progressOf(0, event.total, "questions"));
        void editor.open(file);
      }
      if (event.kind === "episode") logFailure(log, event.episode);
      if (event.kind !== "progress") return;
      report(event);
      status.showRunning("Run questions", event.done / event.total);
      growth.poke();
    };
    const onLoading = (message: string): void => {
      log.info(message);
      remark(asText(message));
    };
    const models = { ...services.models, onLoading };
    return runQuestionsOf(order, { ...services, models }, { signal, on }).finally(growth.dispose);
  });
  const { value, ...rest } = written;
  return { ...value, ...rest };
}

function say({ editor }: Shown, result: RunOutcome): void {
  const { summary, file } = result;
  const failures = failuresOf(summary);
  const text = `${describeRun(result)}${failures === "" ? "" : ` Failures: ${failures}; the log says why.`}`;
  const resume = wayTo(COMMANDS.resumeRun, file);
  const show = { label: COMMANDS.openRun.title, press: () => editor.open(file) };
  const buttons = [...(summary.left > 0 ? [resume] : []), show, ...(failures === "" ? [] : [OPEN_LOG])];
  const isFine = failures === "" && (summary.left === 0 || summary.endedBy === "cancelled");
  const tell = isFine ? inform : warn;
  tell(text, ...buttons);
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
