import { basename, extname } from "node:path";
import * as vscode from "vscode";
import { webSearch } from "../../domains/web-search/web-search.ts";
import { DEFAULT_SAMPLING } from "../../harness/model-policy.ts";
import type { RunSummary } from "../../harness/run-questions.ts";
import { dollars } from "../../llm/budget.ts";
import type { Episode } from "../../model/episode.ts";
import { asOnlyWriter } from "../../platform/run-lock.ts";
import { calm } from "../calm.ts";
import { registerCommand } from "../commands.ts";
import { COMMANDS, CONTEXT_KEYS } from "../contributions.ts";
import { Unmet } from "../failure.ts";
import type { RunEditor } from "../replay/editor.ts";
import { describeCounts, EPISODES, type FoundRun, type Runs } from "../runs/find-runs.ts";
import type { Status } from "../status.ts";
import { subjectOf } from "../tree.ts";
import { wayTo } from "../unmet.ts";
import { pickRoot } from "../workspace/roots.ts";
import { nameOf, parentOf } from "../workspace/skill-folders.ts";
import { requireTrust } from "../workspace/trust.ts";
import { executeRun, type RunOrder, type RunResult, type RunServices } from "./execute.ts";
import { askForPlan, episodesFile, type RunPlan } from "./plan.ts";
import { progressOf, resumePicks } from "./left.ts";
import { planOf, resumeSettings } from "./resume.ts";
import { controlFor, readRunConfig } from "./run-config.ts";

interface Services extends RunServices {
  readonly log: vscode.LogOutputChannel;
  readonly runs: Runs;
  readonly editor: RunEditor;
  readonly status: Status;
}

/** What the command takes from code, without the questions; the setting that of `hasp.yaml` where none is said. */
export type RunArguments = Omit<RunPlan, "setting"> & Partial<Pick<RunPlan, "setting">>;

/** What the command came to: the run's `episodes.jsonl`, and how it went. */
export interface RunOutcome extends RunResult {
  readonly file: vscode.Uri;
}

/** A view that shows the run reads it anew at most this often. Milliseconds. */
const SHOWN_EVERY = 150;

function isPlan(argument: unknown): argument is RunArguments {
  if (typeof argument !== "object" || argument === null) return false;
  return ["root", "questions", "policy"].every((key) => key in argument);
}

function stamp(now: string): string {
  return now.replace(/\.\d+Z$/, "").replaceAll(/[^\d]+/g, "-");
}

function costOf({ dollars: cost, costUnknown }: RunSummary): string {
  if (costUnknown) return " Cost unknown.";
  return cost === undefined ? "" : ` Cost ${dollars(cost)}.`;
}

function describe({ summary, skipped }: RunResult): string {
  const { finished, outcomes, left, endedBy } = summary;
  const money = costOf(summary);
  const before = skipped > 0 ? ` ${skipped} had their episode already.` : "";
  const done = `${finished} ${finished === 1 ? "episode" : "episodes"}: ${describeCounts(outcomes)}.${before}${money}`;
  if (left === 0) return done;
  const why = endedBy === "cancelled" ? "Cancelled." : `The run ended early, by ${endedBy ?? "a failure"}.`;
  return `${why} ${done} ${left} ${left === 1 ? "question is" : "questions are"} left: Resume Run goes on with them.`;
}

/** What went wrong outside of the agent, by stop reason. */
function troubles({ stopReasons }: RunSummary): string {
  const failed = Object.entries(stopReasons).filter(([reason]) =>
    /^(model_|environment_error|budget)/.test(reason),
  );
  return failed.map(([reason, count]) => `${reason} ${count}`).join(", ");
}

/** `HASP: Run Questions` and `HASP: Resume Run`. */
export function registerRunQuestions(services: Services): vscode.Disposable {
  const { log, files, clock, runs, editor, status, models } = services;
  const underWay = new Set<string>();

  async function freeFolder(plan: RunPlan): Promise<vscode.Uri> {
    const name = basename(plan.questions.fsPath, extname(plan.questions.fsPath)).replaceAll(/[^\w.-]+/g, "-");
    const base = `${name}-${stamp(clock.now())}`;
    for (let count = 1; ; count++) {
      const folder = vscode.Uri.joinPath(plan.root, ".hasp", "runs", count === 1 ? base : `${base}-${count}`);
      if (!(await files.exists(folder.fsPath))) return folder;
    }
  }

  function inProgress(order: RunOrder): Thenable<RunResult> {
    const file = episodesFile(order.folder);
    const options = {
      location: vscode.ProgressLocation.Notification,
      title: `Running ${nameOf(order.questions)}`,
      cancellable: true,
    };
    return vscode.window.withProgress(options, async (progress, token) => {
      const stop = new AbortController();
      token.onCancellationRequested(() => stop.abort(new vscode.CancellationError()));
      const shown = growing(() => runs.forget(file));
      let total = 0;
      let done = 0;
      const onBegin = (count: number): void => {
        total = count;
        runs.forget(file);
        progress.report({ message: `0 of ${count} questions` });
        void editor.open(file);
      };
      const onEpisode = (episode: Episode): void => {
        done += 1;
        progress.report({ message: `${done} of ${total} questions`, increment: 100 / total });
        status.showRunning("Run questions", done / total);
        logTrouble(episode);
        shown.poke();
      };
      try {
        const events = { onBegin, onEpisode };
        return await asOnlyWriter(order.folder.fsPath, ({ lost }) =>
          executeRun(services, order, { ...events, signal: AbortSignal.any([stop.signal, lost]) }),
        );
      } finally {
        shown.dispose();
        runs.forget(file);
      }
    });
  }

  function logTrouble({ questionId, stopReason, extra }: Episode): void {
    const failure = extra?.["failure"];
    if (failure === undefined) return;
    log.warn(
      `${questionId} ended by ${stopReason}: ${typeof failure === "string" ? failure : JSON.stringify(failure)}`,
    );
  }

  function say(order: RunOrder, result: RunResult): void {
    const file = episodesFile(order.folder);
    const trouble = troubles(result.summary);
    const text = `${describe(result)}${trouble === "" ? "" : ` Failures: ${trouble}; the log says why.`}`;
    const resume = {
      title: COMMANDS.resumeRun.title,
      run: () => vscode.commands.executeCommand(COMMANDS.resumeRun.id, file),
    };
    const show = { title: COMMANDS.openRun.title, run: () => editor.open(file) };
    const toLog = { title: "Open log", run: () => vscode.commands.executeCommand(COMMANDS.openLog.id) };
    const buttons = [...(result.summary.left > 0 ? [resume] : []), show, ...(trouble === "" ? [] : [toLog])];
    const isFine = trouble === "" && (result.summary.left === 0 || result.summary.endedBy === "cancelled");
    const ask = isFine ? vscode.window.showInformationMessage : vscode.window.showWarningMessage;
    void ask(text, ...buttons).then((chosen) => chosen?.run());
  }

  /** Two that write one run would ask its questions twice. */
  async function run(order: RunOrder): Promise<RunOutcome> {
    const { path } = order.folder;
    if (underWay.has(path))
      throw new Unmet(`${nameOf(order.folder)} is running already.`, "Wait for it, or cancel it first.");
    const showRunning = (): Thenable<unknown> =>
      vscode.commands.executeCommand("setContext", CONTEXT_KEYS.questionsRunning, underWay.size > 0);
    underWay.add(path);
    void showRunning();
    status.showRunning("Run questions", undefined);
    try {
      const result = await inProgress(order);
      for (const { file, message } of result.diagnostics) log.warn(`${file ?? ""} ${message}`);
      log.info(`${order.folder.fsPath}: ${describe(result)}`);
      say(order, result);
      return { ...result, file: episodesFile(order.folder) };
    } finally {
      underWay.delete(path);
      void showRunning();
      status.showIdle();
    }
  }

  async function start(argument?: unknown): Promise<RunOutcome | undefined> {
    requireTrust("Running questions with its skills");
    const given = isPlan(argument) ? argument : undefined;
    const questions = subjectOf(argument);
    const root = given?.root ?? (await pickRoot("Folder that is to hold the run"))?.uri;
    if (root === undefined) return undefined;
    const config = await readRunConfig(files, root);
    const asking = { files, runs, config, domain: webSearch };
    const chosen = given ?? (await askForPlan(asking, root, questions));
    if (chosen === undefined) return undefined;
    const plan = { ...chosen, setting: chosen.setting ?? config.setting };
    const control = controlFor(config, plan.setting, webSearch);
    return run({
      ...plan,
      ...control.value,
      retriever: config.retriever,
      remarks: [...config.diagnostics, ...control.diagnostics],
      domain: webSearch,
      sampling: DEFAULT_SAMPLING,
      folder: await freeFolder(plan),
      resume: false,
    });
  }

  async function askRun(): Promise<FoundRun | undefined> {
    const asked = (await runs.list()).filter((found) => resumeSettings(found) !== undefined);
    const progress = await Promise.all(asked.map((found) => progressOf(files, found)));
    const next = "A run of questions that was cancelled can go on later.";
    if (progress.every(({ left }) => left === 0))
      throw new Unmet("No run of this workspace is unfinished.", next, wayTo(COMMANDS.runQuestions));
    const options = { title: "HASP: Resume Run", placeHolder: "Run to go on with" };
    return (await vscode.window.showQuickPick(resumePicks(progress), options))?.asked?.run;
  }

  async function resume(argument?: unknown): Promise<RunOutcome | undefined> {
    requireTrust("Running questions with its skills");
    const subject = subjectOf(argument);
    // `hasp run` may have changed the run.json since it was read.
    if (subject !== undefined) runs.forget(subject);
    const found = subject === undefined ? await askRun() : await runs.read(subject);
    if (found === undefined) return undefined;
    const folder = parentOf(found.file);
    const root = vscode.workspace.getWorkspaceFolder(folder)?.uri;
    if (root === undefined || nameOf(found.file) !== EPISODES) {
      throw new Unmet(`${found.title} is not in this workspace.`, "Open the folder that holds it.");
    }
    if ((await progressOf(files, found)).left === 0)
      throw new Unmet(
        `${found.title} is complete.`,
        "Every question has its episode.",
        wayTo(COMMANDS.openRun, found.file),
      );
    const plan = await planOf(models, root, found);
    return run({ ...plan, remarks: [], domain: webSearch, folder, resume: true });
  }

  return vscode.Disposable.from(
    registerCommand(log, COMMANDS.runQuestions, start),
    registerCommand(log, COMMANDS.resumeRun, resume),
  );
}

/** Shows growth while it goes on, not only in a pause: the first poke starts the wait, and later ones do not prolong it. */
function growing(show: () => void): { poke(): void; dispose(): void } {
  let waiting = false;
  const shown = calm(SHOWN_EVERY, () => {
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
