import { basename, join } from "node:path";
import * as vscode from "vscode";
import { counted } from "../../model/counted.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { asOnlyWriter } from "../../platform/run-lock.ts";
import { watchForStop } from "../../platform/stop-request.ts";
import { experimentPaths } from "../../training/paths.ts";
import type { ExperimentEnd, ExperimentEvent, ExperimentOrder, StageEvent } from "../../training/order.ts";
import { COMMANDS, CONTEXT_KEYS } from "../contributions.ts";
import { Failure, Unmet } from "../failure.ts";
import { logFindings } from "../log-findings.ts";
import { inform } from "../notification.ts";
import type { RunBundles } from "../questions/order.ts";
import { wayTo } from "../unmet.ts";
import { usable } from "../usable.ts";
import { nameOf } from "../workspace/skill-folders.ts";
import { dropFollowed, keepFollowed } from "./followed.ts";
import { uriIn } from "./rows.ts";
import { experimentServices } from "./services.ts";
import { gainWords, metricsWords, plainLine, stageTitle, type Work, workWords } from "./words.ts";

/** An experiment, or a sitting of it, that ended. */
export interface ExperimentOutcome extends Omit<ExperimentEnd, "folder"> {
  readonly folder: vscode.Uri;
  readonly diagnostics: readonly Diagnostic[];
}

/** Runs the jobs of an order, or the rest of them. Follows the one that runs already. */
export type ExecuteExperiment = (root: vscode.Uri, order: ExperimentOrder) => Promise<ExperimentOutcome>;

/** Milliseconds between two texts of the notification, and between two looks of the view. */
const TOLD_EVERY = 250;
/** Longest line of a job's log in the notification. */
const LONGEST_LINE = 80;

type Shown = Pick<RunBundles["editorServices"], "log" | "experiments" | "status" | "runs">;

interface Controls {
  readonly stop: () => void;
  readonly detach: () => void;
}

/** Keeps how far an experiment is, and shows it in the view, the notification and the status bar. */
class Follower {
  private work: Work = {};
  private shownAt = 0;
  private at: Pick<StageEvent, "index" | "total" | "stage"> | undefined;
  private readonly shown: Shown;
  private readonly folder: vscode.Uri;
  private readonly tell: (words: string) => void;
  private readonly controls: Controls;

  constructor(shown: Shown, folder: vscode.Uri, tell: (words: string) => void, controls: Controls) {
    this.shown = shown;
    this.folder = folder;
    this.tell = tell;
    this.controls = controls;
  }

  show(change: Work): void {
    const isNews = change.title !== undefined || change.isStopping !== undefined;
    this.work = { ...this.work, ...change };
    const now = Date.now();
    if (!isNews && now - this.shownAt < TOLD_EVERY) return;
    this.shownAt = now;
    this.shown.experiments.setRunning(this.folder, {
      work: this.work,
      stop: () => {
        this.controls.stop();
        this.show({ isStopping: true });
      },
      detach: this.controls.detach,
    });
    const { index = 0, total = 1 } = this.at ?? {};
    this.shown.status.showRunning("Experiment", index / total);
    this.tell(workWords(this.work));
  }

  hear(event: ExperimentEvent): void {
    switch (event.kind) {
      case "trouble":
        return this.shown.log.warn(plainLine(event.message));
      case "stage":
        return this.hearStage(event);
      case "job":
        return this.hearJob(event.event);
    }
  }

  private hearStage(event: StageEvent): void {
    const { log, experiments } = this.shown;
    const title = stageTitle(event);
    if (event.status === "begun") {
      this.at = event;
      this.show({ title, progress: undefined, metrics: undefined });
    } else if (event.status === "done")
      log.info(`${nameOf(this.folder)} ${title}: ${plainLine(event.words ?? "done")}`);
    experiments.forget(this.folder);
  }

  private hearJob(event: Extract<ExperimentEvent, { kind: "job" }>["event"]): void {
    if (event.kind === "status") return this.shown.experiments.forget(this.folder);
    if (event.kind === "metrics")
      return this.show({ progress: metricsWords(event.metrics), metrics: event.metrics });
    if (event.kind === "trouble") return this.shown.log.warn(plainLine(event.message));
    // Metrics stand for a training.
    const line = plainLine(event.line).slice(0, LONGEST_LINE);
    if (this.at?.stage !== "train" && line !== "") this.show({ progress: line });
  }
}

/** An end in a sentence or two. */
function describe({ endedBy, evaluations }: Pick<ExperimentEnd, "endedBy" | "evaluations">): string {
  if (endedBy === "stopped") return "Stopped at a clean boundary. Resume Experiment does the rest.";
  if (endedBy === "detached") return "Detached: its running job continues by itself.";
  const gain = gainWords(evaluations);
  return `All jobs are done.${gain === "" ? "" : ` ${gain}.`}`;
}

function say(root: vscode.Uri, { folder, ...end }: ExperimentOutcome): void {
  const report = wayTo(COMMANDS.showExperimentReport, folder);
  const text = `${nameOf(folder)}: ${describe(end)}`;
  if (end.endedBy !== undefined) return inform(text, wayTo(COMMANDS.resumeExperiment, folder), report);
  const adapter = end.adapter === undefined ? [] : [wayTo(COMMANDS.useAdapter, uriIn(root, end.adapter))];
  inform(text, ...adapter, report);
}

/** A failure of a job ends the sitting, not the experiment. */
async function asFailure(error: unknown, { experiments }: Shown, folder: vscode.Uri): Promise<unknown> {
  if (!(error instanceof Failure) || error instanceof Unmet) return error;
  experiments.forget(folder);
  const { report } = await experiments.read(folder);
  const failed = report.value?.stages.find(({ record }) => record.status === "failed");
  if (failed === undefined) return error;
  const log = wayTo(COMMANDS.openJobLog, uriIn(vscode.Uri.joinPath(folder, "../../.."), failed.folder));
  return new Failure(
    error.message,
    `${error.next} What is done stays.`,
    log,
    wayTo(COMMANDS.resumeExperiment, folder),
  );
}

/** Executes experiments of this window. `closing` aborts as the window closes: what runs continues by itself. */
export function experimentExecutor(bundles: RunBundles, closing: AbortSignal): ExecuteExperiment {
  const { log, experiments, status, memory } = bundles.editorServices;
  const underWay = new Set<string>();
  const showRunning = (): Thenable<unknown> =>
    vscode.commands.executeCommand("setContext", CONTEXT_KEYS.experimentRunning, underWay.size > 0);

  async function work(
    root: vscode.Uri,
    order: ExperimentOrder,
    folder: vscode.Uri,
  ): Promise<ExperimentOutcome> {
    const options = {
      location: vscode.ProgressLocation.Notification,
      title: `Experiment ${nameOf(folder)}`,
      cancellable: true,
    };
    return vscode.window.withProgress(options, async (progress, token) => {
      const [stopped, detached] = [new AbortController(), new AbortController()];
      const controls = { stop: () => stopped.abort(), detach: () => detached.abort() };
      const tell = (message: string): void => progress.report({ message });
      const follower = new Follower(bundles.editorServices, folder, tell, controls);
      token.onCancellationRequested(() => experiments.running(folder)?.stop());
      follower.show({ title: "starts" });
      const { runExperiment } = await import("../../training/run-experiment.ts");
      return asOnlyWriter(join(root.fsPath, order.folder), async ({ lost }) => {
        // `hasp experiment --stop` asks for it by a file.
        const asked = watchForStop(experimentPaths(folder.fsPath).stop);
        const services = await experimentServices(bundles, root, order, {
          signal: AbortSignal.any([detached.signal, closing, lost]),
          stop: AbortSignal.any([stopped.signal, asked.signal]),
          on: (event) => follower.hear(event),
        });
        const result = await runExperiment(order, services).finally(() => asked.close());
        logFindings(log, result.diagnostics);
        return { ...usable(result), folder, diagnostics: result.diagnostics };
      });
    });
  }

  return async (root, order) => {
    const folder = vscode.Uri.joinPath(root, order.folder);
    const key = folder.toString();
    if (underWay.has(key))
      throw new Unmet(`${basename(order.folder)} is running already.`, "Wait for it, or stop it first.");
    underWay.add(key);
    void showRunning();
    await keepFollowed(memory, folder);
    try {
      const outcome = await work(root, order, folder);
      log.info(`${folder.fsPath}: ${describe(outcome)} ${counted(outcome.evaluations.length, "evaluation")}`);
      if (!closing.aborted) say(root, outcome);
      return outcome;
    } catch (error) {
      throw await asFailure(error, bundles.editorServices, folder);
    } finally {
      underWay.delete(key);
      // A window that is closing follows it again as it opens.
      if (!closing.aborted) await dropFollowed(memory, folder);
      experiments.setRunning(folder, undefined);
      experiments.forget(folder);
      void showRunning();
      status.showIdle();
    }
  };
}
