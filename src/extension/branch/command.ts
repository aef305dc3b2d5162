import * as vscode from "vscode";
import { dollars } from "../../llm/budget.ts";
import type { Episode } from "../../model/episode.ts";
import { asOnlyWriter } from "../../platform/run-lock.ts";
import { registerCommand } from "../commands.ts";
import { COMMANDS } from "../contributions.ts";
import {
  nameOfStep,
  recordedStep,
  type RecordedStep,
  type StepServices,
} from "../from-step/recorded-step.ts";
import type { RunServices } from "../questions/execute.ts";
import { nameIn } from "../questions/inputs.ts";
import { askForMeans, episodesFile, type RunMeans } from "../questions/plan.ts";
import { controlFor, type LocalRetriever, readRunConfig, type RunConfig } from "../questions/run-config.ts";
import type { Status } from "../status.ts";
import { nameOf } from "../workspace/skill-folders.ts";
import { requireTrust } from "../workspace/trust.ts";
import { noFolder } from "../unmet.ts";
import { type BranchOrder, type BranchResult, executeBranch } from "./execute.ts";

interface Services extends RunServices, StepServices {
  readonly log: vscode.LogOutputChannel;
  readonly status: Status;
}

/** What the command came to: the branch's `episodes.jsonl`, and its episode. */
export interface BranchOutcome extends BranchResult {
  readonly file: vscode.Uri;
}

const TITLE = `HASP: ${COMMANDS.branchFromHere.title}`;

/** What the argument says besides the step, for callers in code; asked for where there is no policy. */
function meansIn(argument: unknown, config: RunConfig): RunMeans | undefined {
  if (typeof argument !== "object" || argument === null) return undefined;
  const { policy, corpus, teacher } = argument as Record<string, unknown>;
  if (typeof policy !== "string") return undefined;
  return {
    policy,
    corpus: corpus instanceof vscode.Uri ? corpus : undefined,
    teacher: typeof teacher === "string" ? teacher : undefined,
    setting: config.setting,
  };
}

function rootOf({ run }: RecordedStep): vscode.Uri {
  const folder = vscode.workspace.getWorkspaceFolder(run.file) ?? vscode.workspace.workspaceFolders?.[0];
  if (folder !== undefined) return folder.uri;
  throw noFolder("that is to hold the branch");
}

/** Searches go on as they did: where they brought text in the record they bring text here. */
function retrieverFor({ retriever }: RunConfig, { episode }: RecordedStep): LocalRetriever {
  return { ...retriever, kind: episode.facts.searchReturnsText ? "teacher-snippet" : "corpus" };
}

const words = ({ outcome, stopReason, length, cost }: Episode): string => {
  const money =
    cost === undefined || cost.cost === 0
      ? ""
      : ` Cost ${cost.cost === undefined ? "unknown" : dollars(cost.cost)}.`;
  return `${outcome} after ${length} ${length === 1 ? "step" : "steps"}, ended by ${stopReason}.${money}`;
};

/** `HASP: Branch from Here`: goes on from the step that is shown, into a run of its own that is linked to the recorded one. */
export function registerBranchFromHere(services: Services): vscode.Disposable {
  const { log, files, runs, editor, status } = services;

  async function freeFolder(root: vscode.Uri, { episode, t }: RecordedStep): Promise<vscode.Uri> {
    const id = episode.id.replaceAll(/[^\w.-]+/g, "-").slice(0, 60);
    for (let n = 1; ; n++) {
      const name = `branch-${id}-${t + 1}${n === 1 ? "" : `-${n}`}`;
      const folder = vscode.Uri.joinPath(root, ".hasp", "runs", name);
      if (!(await files.exists(folder.fsPath))) return folder;
    }
  }

  function inProgress(order: BranchOrder): Thenable<BranchResult> {
    const file = episodesFile(order.folder);
    const title = `Branching from ${nameOfStep(order.step)}`;
    const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
    return vscode.window.withProgress(options, async (_progress, token) => {
      const stop = new AbortController();
      token.onCancellationRequested(() => stop.abort(new vscode.CancellationError()));
      status.showRunning("Branch", undefined);
      try {
        const onBegin = (): void => runs.forget(file);
        const events = { signal: stop.signal, onBegin };
        return await asOnlyWriter(order.folder.fsPath, () => executeBranch(services, order, events));
      } finally {
        runs.forget(file);
        status.showIdle();
      }
    });
  }

  function say({ step }: BranchOrder, made: Episode): void {
    const before = `The record: ${words(step.episode)}`;
    const compare = {
      title: "Open the record",
      run: () => editor.open(step.run.file, { index: step.index, t: step.t }),
    };
    const toLog = { title: "Open log", run: () => vscode.commands.executeCommand(COMMANDS.openLog.id) };
    const failed = /^(?:model_|environment_error$|budget$)/.test(made.stopReason);
    const ask = failed ? vscode.window.showWarningMessage : vscode.window.showInformationMessage;
    const buttons = failed ? [compare, toLog] : [compare];
    void ask(`The branch: ${words(made)} ${before}`, ...buttons).then((chosen) => chosen?.run());
  }

  async function orderFor(step: RecordedStep, argument: unknown): Promise<BranchOrder | undefined> {
    const root = rootOf(step);
    const config = await readRunConfig(files, root);
    const asking = { files, runs, config, domain: step.domain, title: TITLE };
    const { searchReturnsText } = step.episode.facts;
    const means = meansIn(argument, config) ?? (await askForMeans(asking, root, searchReturnsText));
    if (means === undefined) return undefined;
    const { value, diagnostics } = controlFor(config, means.setting, step.domain);
    for (const { message } of [...config.diagnostics, ...diagnostics]) log.warn(message);
    const from = { run: nameIn(root, step.run.folder), episode: step.episode.id, t: step.t };
    const folder = await freeFolder(root, step);
    return { ...means, ...value, root, folder, step, from, retriever: retrieverFor(config, step) };
  }

  async function branch(argument?: unknown): Promise<BranchOutcome | undefined> {
    requireTrust("Running an episode with its skills");
    const step = await recordedStep(services, argument);
    const order = await orderFor(step, argument);
    if (order === undefined) return undefined;
    const result = await inProgress(order);
    const file = episodesFile(order.folder);
    for (const { file: where, message } of result.diagnostics) log.warn(`${where ?? ""} ${message}`);
    log.info(`${nameOf(order.folder)}: ${words(result.episode)}`);
    const failure = result.episode.extra?.["failure"];
    if (failure !== undefined) log.warn(JSON.stringify(failure));
    await editor.open(file, { index: 0, t: Math.min(step.t, Math.max(0, result.episode.length - 1)) });
    say(order, result.episode);
    return { ...result, file };
  }

  return registerCommand(log, COMMANDS.branchFromHere, branch);
}
