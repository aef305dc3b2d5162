import { join } from "node:path";
import * as vscode from "vscode";
import { branchFrom, type BranchOrder, toolsLike } from "../../app/run/branch.ts";
import { dollars } from "../../llm/budget.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Episode } from "../../model/episode.ts";
import { DEFAULT_SAMPLING } from "../../model/sampling.ts";
import { asOnlyWriter } from "../../platform/run-lock.ts";
import { registerCommand } from "../commands.ts";
import { COMMANDS } from "../contributions.ts";
import { nameOfStep, recordedStep, type RecordedStep } from "../from-step/recorded-step.ts";
import { CONFIGURE, dollarLimit } from "../models/chosen-model.ts";
import { inNotification } from "../notification.ts";
import { freeRunFolder, modelsOf, type RunBundles, runServices } from "../questions/order.ts";
import { nameIn, namedFile } from "../questions/places.ts";
import { askForMeans, type RunMeans } from "../questions/plan.ts";
import { controlFor, domainFor, readRunConfig, type RunConfig } from "../questions/run-config.ts";
import { allowedTools, toolsIn } from "../questions/tools.ts";
import { EPISODES } from "../runs/find-runs.ts";
import { noFolder } from "../unmet.ts";
import { usable } from "../usable.ts";
import { requireTrust } from "../workspace/trust.ts";

/** A branch that ended: its `episodes.jsonl`, and its episode. */
export interface BranchOutcome {
  readonly file: vscode.Uri;
  readonly episode: Episode;
  /** Lines of the corpus that were left out, skills that do not load, conflicts of the settings. */
  readonly diagnostics: readonly Diagnostic[];
}

const TITLE = `HASP: ${COMMANDS.branchFromHere.title}`;

/** The means that code names beside the step; asked for where there is no policy. */
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

const words = ({ outcome, stopReason, length, cost }: Episode): string => {
  const money =
    cost === undefined || cost.cost === 0
      ? ""
      : ` Cost ${cost.cost === undefined ? "unknown" : dollars(cost.cost)}.`;
  return `${outcome} after ${length} ${length === 1 ? "step" : "steps"}, ended by ${stopReason}.${money}`;
};

function freeFolder(
  { files }: RunBundles["editorServices"],
  root: vscode.Uri,
  { episode, t }: RecordedStep,
): Promise<string> {
  const id = episode.id.replaceAll(/[^\w.-]+/g, "-").slice(0, 60);
  return freeRunFolder(files, root, `branch-${id}-${t + 1}`);
}

/** The order of a branch; undefined when the person leaves. */
async function orderFor(
  { editorServices, modelServices }: RunBundles,
  root: vscode.Uri,
  step: RecordedStep,
  argument: unknown,
): Promise<BranchOrder | undefined> {
  const { files, runs } = editorServices;
  const { episode, t } = step;
  const config = await readRunConfig(files, root);
  const domain = domainFor(episode.facts.domain);
  const asking = { files, runs, config, domain, title: TITLE };
  const { searchReturnsText } = episode.facts;
  const means = meansIn(argument, config) ?? (await askForMeans(asking, root, searchReturnsText));
  if (means === undefined) return undefined;
  const control = controlFor(config, means.setting, domain);
  const tools = await allowedTools(toolsLike(toolsIn(config.value), episode), TITLE, modelServices.keys);
  if (tools === undefined) return undefined;
  return {
    ...modelsOf(root, means),
    domain,
    choice: control.value,
    remarks: [...config.diagnostics, ...control.diagnostics],
    sampling: DEFAULT_SAMPLING,
    tools,
    keepsRetriever: false,
    corpus: means.corpus === undefined ? undefined : namedFile(root, means.corpus),
    episode,
    from: { run: nameIn(root, step.run.folder), episode: episode.id, t },
    folder: await freeFolder(editorServices, root, step),
    maxDollars: dollarLimit(),
  };
}

function inProgress(
  bundles: RunBundles,
  root: vscode.Uri,
  step: RecordedStep,
  order: BranchOrder,
): Thenable<BranchOutcome> {
  const { log, runs, status } = bundles.editorServices;
  const file = vscode.Uri.file(join(order.folder, EPISODES));
  status.showRunning("Branch", undefined);
  return inNotification(`Branching from ${nameOfStep(step)}`, async (stop) => {
    try {
      return await asOnlyWriter(order.folder, async ({ lost }) => {
        const made = await branchFrom(order, runServices(bundles, root), {
          signal: AbortSignal.any([stop, lost]),
          on: (event) => (event.kind === "begin" ? runs.forget(file) : log.warn(event.message)),
        });
        return { file, episode: usable(made, CONFIGURE), diagnostics: made.diagnostics };
      });
    } finally {
      runs.forget(file);
      status.showIdle();
    }
  });
}

function say({ editor }: RunBundles["editorServices"], step: RecordedStep, made: Episode): void {
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

/** `HASP: Branch from Here`: goes on from the step that is shown, into a run of its own that is linked to the recorded one. */
export function registerBranchFromHere(bundles: RunBundles): vscode.Disposable {
  const { editorServices } = bundles;
  const { log, editor } = editorServices;
  return registerCommand(log, COMMANDS.branchFromHere, async (argument?: unknown) => {
    requireTrust("Running an episode with its skills");
    const step = await recordedStep(editorServices, argument);
    const root = rootOf(step);
    const order = await orderFor(bundles, root, step, argument);
    if (order === undefined) return undefined;
    const result = await inProgress(bundles, root, step, order);
    const { episode, file } = result;
    for (const { file: where, message } of result.diagnostics) log.warn(`${where ?? ""} ${message}`);
    log.info(`${order.folder}: ${words(episode)}`);
    const failure = episode.extra?.["failure"];
    if (failure !== undefined) log.warn(JSON.stringify(failure));
    await editor.open(file, { index: 0, t: Math.min(step.t, Math.max(0, episode.length - 1)) });
    say(editorServices, step, episode);
    return result;
  });
}
