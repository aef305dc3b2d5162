import { requireServed } from "../experiments/served-policy.ts";
import * as vscode from "vscode";
import { branchFrom, type BranchOrder, toolsLike } from "../../app/run/branch.ts";
import { dollars } from "../../llm/budget.ts";
import { counted } from "../../model/counted.ts";
import type { Episode } from "../../model/episode.ts";
import { defaultSampling } from "../../model/sampling.ts";
import { fieldsOf, registerCommand } from "../commands.ts";
import { COMMANDS } from "../contributions.ts";
import { OPEN_LOG } from "../failure.ts";
import { nameOfStep, recordedStep, type RecordedStep } from "../from-step/recorded-step.ts";
import { dollarLimit } from "../models/chosen-model.ts";
import { inform, warn } from "../notification.ts";
import { modelsOf, type RunBundles, runServices } from "../questions/order.ts";
import { nameIn, namedFile } from "../questions/places.ts";
import { askForMeans, type RunMeans } from "../questions/plan.ts";
import { controlFor, domainFor, readRunConfig, type RunConfig } from "../questions/run-config.ts";
import { allowedTools, toolsIn } from "../questions/tools.ts";
import { logFailure, type Written, writeRun } from "../questions/write-run.ts";
import { asFileName, newRunFolder } from "../runs/new-run-folder.ts";
import { firstRoot } from "../workspace/roots.ts";
import { requireTrust } from "../workspace/trust.ts";

/** A branch that ended, and its episode. */
export interface BranchOutcome extends Written {
  readonly episode: Episode;
}

const TITLE = `HASP: ${COMMANDS.branchFromHere.title}`;

/** The means that code names beside the step; asked for where there is no policy. */
function meansIn(argument: unknown, { setting }: RunConfig): RunMeans | undefined {
  const { policy, corpus, teacher } = fieldsOf(argument);
  if (typeof policy !== "string") return undefined;
  return {
    policy,
    corpus: corpus instanceof vscode.Uri ? corpus : undefined,
    teacher: typeof teacher === "string" ? teacher : undefined,
    setting,
  };
}

const words = ({ outcome, stopReason, length, cost }: Episode): string => {
  const money =
    cost === undefined || cost.cost === 0
      ? ""
      : ` Cost ${cost.cost === undefined ? "unknown" : dollars(cost.cost)}.`;
  return `${outcome} after ${counted(length, "step")}, ended by ${stopReason}.${money}`;
};

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
  requireServed(modelServices.served, means.policy);
  const tools = await allowedTools(
    toolsLike(toolsIn(config.value, domain), episode),
    TITLE,
    modelServices.keys,
  );
  if (tools === undefined) return undefined;
  return {
    ...modelsOf(root, means),
    ...control,
    sampling: defaultSampling(domain),
    tools,
    keepsRetriever: false,
    corpus: means.corpus === undefined ? undefined : namedFile(root, means.corpus),
    episode,
    from: { run: nameIn(root, step.run.folder), episode: episode.id, t },
    folder: await newRunFolder(files, root, `branch-${asFileName(episode.id).slice(0, 60)}-${t + 1}`),
    maxDollars: dollarLimit(),
  };
}

async function inProgress(
  bundles: RunBundles,
  root: vscode.Uri,
  step: RecordedStep,
  order: BranchOrder,
): Promise<BranchOutcome> {
  const { log, runs, status } = bundles.editorServices;
  const title = `Branching from ${nameOfStep(step)}`;
  status.showRunning("Branch", undefined);
  try {
    const { value, ...written } = await writeRun(
      bundles.editorServices,
      { title, folder: order.folder },
      ({ file, signal }) =>
        branchFrom(order, runServices(bundles, root), {
          signal,
          on: (event) => (event.kind === "begin" ? runs.forget(file) : log.warn(event.message)),
        }),
    );
    return { ...written, episode: value };
  } finally {
    status.showIdle();
  }
}

function say({ editor }: RunBundles["editorServices"], step: RecordedStep, made: Episode): void {
  const before = `The record: ${words(step.episode)}`;
  const record = {
    label: "Open the record",
    press: () => editor.open(step.run.file, { index: step.index, t: step.t }),
  };
  const text = `The branch: ${words(made)} ${before}`;
  if (/^(?:model_|environment_error$|budget$)/.test(made.stopReason)) warn(text, record, OPEN_LOG);
  else inform(text, record);
}

/** `HASP: Branch from Here`: goes on from the step that is shown, into a run of its own that is linked to the recorded one. */
export function registerBranchFromHere(bundles: RunBundles): vscode.Disposable {
  const { editorServices } = bundles;
  const { log, editor } = editorServices;
  return registerCommand(log, COMMANDS.branchFromHere, async (argument?: unknown) => {
    requireTrust("Running an episode with its skills");
    const step = await recordedStep(editorServices, argument);
    const own = vscode.workspace.getWorkspaceFolder(step.run.file);
    const root = (own ?? firstRoot("that is to hold the branch")).uri;
    const order = await orderFor(bundles, root, step, argument);
    if (order === undefined) return undefined;
    const result = await inProgress(bundles, root, step, order);
    const { episode, file } = result;
    log.info(`${order.folder}: ${words(episode)}`);
    logFailure(log, episode);
    await editor.open(file, { index: 0, t: Math.min(step.t, Math.max(0, episode.length - 1)) });
    say(editorServices, step, episode);
    return result;
  });
}
