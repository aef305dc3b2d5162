import * as vscode from "vscode";
import { factsOf } from "../../model/facts.ts";
import { filesBelow } from "../../platform/files-below.ts";
import { isHeldAnywhere } from "../../platform/process-lock.ts";
import { requestStop } from "../../platform/stop-request.ts";
import { runPaths } from "../../trace/run-paths.ts";
import { experimentPaths } from "../../training/paths.ts";
import { choose } from "../choose.ts";
import { fieldsOf, registerCommand } from "../commands.ts";
import { COMMANDS, type CommandContribution } from "../contributions.ts";
import { Unmet } from "../failure.ts";
import { requireOwn } from "../own-order.ts";
import type { RunBundles } from "../questions/order.ts";
import { domainFor, readRunConfig } from "../questions/run-config.ts";
import { allowedTools, toolsIn } from "../questions/tools.ts";
import { subjectOf } from "../tree.ts";
import { wayTo } from "../unmet.ts";
import { usable } from "../usable.ts";
import { pickRoot } from "../workspace/roots.ts";
import { nameOf } from "../workspace/skill-folders.ts";
import { requireTrust } from "../workspace/trust.ts";
import { showReport } from "./documents.ts";
import { type ExecuteExperiment, experimentExecutor, type ExperimentOutcome } from "./execute.ts";
import { type Experiments, type FoundExperiment, rootOf } from "./experiments.ts";
import { dropFollowed, followedFolders } from "./followed.ts";
import { experimentOrder } from "./order.ts";
import type { ExperimentPlan } from "./plan.ts";
import { uriIn } from "./rows.ts";
import { localBackendIn } from "./services.ts";
import { registerServing } from "./serving-commands.ts";
import { requireTrainer } from "./trainer.ts";
import { wizardServices } from "./wizard-services.ts";
import { askForExperiment } from "./wizard.ts";
import { experimentWords, isAlive, stateOf } from "./words.ts";

const RUNS_PFS = "An experiment runs Program Functions and trains in this workspace, which";
const TITLE = `HASP: ${COMMANDS.runExperiment.title}`;

/** The plan of a call by code, without the wizard. */
function planIn(argument: unknown): ExperimentPlan | undefined {
  const isPlan = ["root", "name", "config", "questions"].every((key) => key in fieldsOf(argument));
  return isPlan ? (argument as ExperimentPlan) : undefined;
}

async function wizard(
  bundles: RunBundles,
  root: vscode.Uri,
  argument: unknown,
): Promise<ExperimentPlan | undefined> {
  const services = await wizardServices(bundles, root, TITLE);
  const subject = subjectOf(argument) ?? bundles.editorServices.runsTree.selected();
  const ticked = services.found.filter(({ file }) => file.path === subject?.path).map(({ file }) => file);
  return askForExperiment(services, root, ticked);
}

async function start(bundles: RunBundles, execute: ExecuteExperiment, argument: unknown) {
  requireTrust(RUNS_PFS);
  const given = planIn(argument);
  const root = given?.root ?? (await pickRoot("Folder that is to hold the experiment"))?.uri;
  if (root === undefined) return undefined;
  requireTrainer();
  const plan = given ?? (await wizard(bundles, root, argument));
  if (plan === undefined) return undefined;
  const config = await readRunConfig(bundles.editorServices.files, root);
  const domain = domainFor(plan.domain);
  // A configuration may name a service on the network: searches leave this machine only after a yes.
  const tools = { ...toolsIn(config.value, domain), retriever: plan.config.rollout.retriever };
  const isSearching = domain.needsPassages !== undefined;
  if (isSearching && (await allowedTools(tools, TITLE, bundles.modelServices.keys)) === undefined)
    return undefined;
  return execute(root, await experimentOrder(bundles.editorServices.files, plan, config));
}

/** The experiment of a row or an address; else the only one that fits, or the one that a person chooses. */
async function chosen(
  experiments: Experiments,
  argument: unknown,
  {
    command,
    fits,
    none,
  }: {
    readonly command: CommandContribution;
    readonly fits: (found: FoundExperiment) => boolean;
    readonly none: string;
  },
): Promise<FoundExperiment | undefined> {
  const subject = subjectOf(argument);
  if (subject !== undefined) return experiments.read(subject);
  const found = (await experiments.list()).filter(fits);
  if (found.length === 0) throw new Unmet(none, "Run one first.", wayTo(COMMANDS.runExperiment));
  if (found.length === 1) return found[0];
  const rows = found.map((one) => ({
    label: one.name,
    description:
      one.report.value === undefined ? "cannot be read" : experimentWords(one.report.value, one.work),
    value: one,
  }));
  return choose(`HASP: ${command.title}`, "Experiment", rows);
}

const stateIn = ({ report: { value }, work }: FoundExperiment) =>
  value === undefined ? undefined : stateOf(value, work);

/** Does the rest of an experiment, or follows the job of it that runs. */
async function resumeIn(
  bundles: RunBundles,
  execute: ExecuteExperiment,
  folder: vscode.Uri,
): Promise<ExperimentOutcome | undefined> {
  const root = rootOf(folder);
  const { checkPlaces, readStateText, orderOf } = await import("../../training/state.ts");
  const name = `.hasp/experiments/${nameOf(folder)}`;
  const files = filesBelow(root.fsPath, bundles.editorServices.files);
  const { experiment, text } = usable(await readStateText(files, name));
  usable(await checkPlaces(files, experiment, name));
  const file = experimentPaths(folder.fsPath).state;
  const order = { name: `experiment ${nameOf(folder)}`, file, text, facts: factsOf(experiment) };
  if (!(await requireOwn(COMMANDS.resumeExperiment.title, order))) return undefined;
  return execute(root, orderOf(experiment, name));
}

async function resume(bundles: RunBundles, execute: ExecuteExperiment, argument: unknown) {
  requireTrust(RUNS_PFS);
  const { experiments } = bundles.editorServices;
  const found = await chosen(experiments, argument, {
    command: COMMANDS.resumeExperiment,
    fits: (one) => ["unfinished", "detached"].includes(stateIn(one) ?? ""),
    none: "No experiment of this workspace is unfinished.",
  });
  if (found === undefined) return undefined;
  const { folder, name, report, work } = found;
  const state = stateOf(usable(report), work);
  if (state === "done" || state === "running")
    throw new Unmet(
      `${name} is ${state === "done" ? "complete" : "running already"}.`,
      "Its results are in the view Experiments.",
      wayTo(COMMANDS.showExperimentReport, folder),
    );
  requireTrainer();
  return resumeIn(bundles, execute, folder);
}

/** Follows again what this window followed before it was reloaded. */
async function attach(bundles: RunBundles, execute: ExecuteExperiment): Promise<readonly vscode.Uri[]> {
  const { memory, log, experiments } = bundles.editorServices;
  if (!vscode.workspace.isTrusted) return [];
  const folders = followedFolders(memory);
  await Promise.all(
    folders.map(async (folder) => {
      if (experiments.running(folder) !== undefined) return;
      const { report } = await experiments.read(folder);
      // It is gone, or came to its end with the window.
      if (report.value === undefined || stateOf(report.value, undefined) === "done") {
        await dropFollowed(memory, folder);
        return;
      }
      log.info(`Following ${folder.fsPath} again`);
      await resumeIn(bundles, execute, folder);
    }),
  );
  return folders;
}

/** Asks a job that nobody follows to end at a clean boundary. */
async function stopDetached(bundles: RunBundles, { folder, report }: FoundExperiment): Promise<boolean> {
  const running = report.value?.stages.find(({ record }) => isAlive(record));
  if (running === undefined) return false;
  const root = rootOf(folder);
  const paths = experimentPaths(folder.fsPath);
  // Another program follows it, such as `hasp experiment`: it is asked, and starts no further job.
  if (isHeldAnywhere(runPaths(folder.fsPath).lock)) requestStop(paths.stop);
  else {
    const { checked } = await import("../../app/refusal.ts");
    const backend = await localBackendIn(bundles, root, []);
    // A cancelled job has no value of its own.
    usable(await checked(async () => ({ ended: await backend.cancel(uriIn(root, running.folder).fsPath) })));
  }
  bundles.editorServices.experiments.forget(folder);
  return true;
}

/** Ends an experiment at a clean boundary, or lets it go on by itself. */
async function end(bundles: RunBundles, how: "stop" | "detach", argument: unknown): Promise<boolean> {
  const { experiments } = bundles.editorServices;
  const found = await chosen(experiments, argument, {
    command: how === "stop" ? COMMANDS.stopExperiment : COMMANDS.detachExperiment,
    fits: (one) => one.work !== undefined || (how === "stop" && stateIn(one) === "detached"),
    none: "No experiment runs.",
  });
  if (found === undefined) return false;
  const running = experiments.running(found.folder);
  if (running === undefined) {
    if (how === "stop" && (await stopDetached(bundles, found))) return true;
    throw new Unmet(`${found.name} does not run in this window.`, "End it where it was started.");
  }
  running[how]();
  return true;
}

async function report(experiments: Experiments, argument: unknown): Promise<vscode.Uri | undefined> {
  const found = await chosen(experiments, argument, {
    command: COMMANDS.showExperimentReport,
    fits: () => true,
    none: "This workspace has no experiment.",
  });
  return found && showReport(found.folder);
}

async function reveal(argument: unknown): Promise<boolean> {
  const folder = subjectOf(argument);
  if (folder === undefined) return false;
  const isInside = vscode.workspace.getWorkspaceFolder(folder) !== undefined;
  await vscode.commands.executeCommand(isInside ? "revealInExplorer" : "revealFileInOS", folder);
  return true;
}

/** `HASP: Run Experiment` and the commands of the view of experiments. */
export function registerExperiments(bundles: RunBundles): vscode.Disposable {
  const { log, experiments } = bundles.editorServices;
  const closing = new AbortController();
  const execute = experimentExecutor(bundles, closing.signal);
  const on = (
    command: CommandContribution,
    run: (argument?: unknown) => Promise<unknown>,
  ): vscode.Disposable => registerCommand(log, command, run);
  return vscode.Disposable.from(
    new vscode.Disposable(() => closing.abort()),
    on(COMMANDS.runExperiment, (argument) => start(bundles, execute, argument)),
    on(COMMANDS.resumeExperiment, (argument) =>
      fieldsOf(argument)["attach"] === true ? attach(bundles, execute) : resume(bundles, execute, argument),
    ),
    on(COMMANDS.stopExperiment, (argument) => end(bundles, "stop", argument)),
    on(COMMANDS.detachExperiment, (argument) => end(bundles, "detach", argument)),
    on(COMMANDS.showExperimentReport, (argument) => report(experiments, argument)),
    on(COMMANDS.revealExperiment, reveal),
    registerServing(bundles),
  );
}
