import { basename, extname } from "node:path";
import * as vscode from "vscode";
import type { RunOrder } from "../../app/run/questions.ts";
import { resumeOrder } from "../../app/run/resume.ts";
import type { ToolOrder } from "../../domains/environment.ts";
import { defaultSampling } from "../../model/sampling.ts";
import { choose } from "../choose.ts";
import { fieldsOf, registerCommand } from "../commands.ts";
import { COMMANDS } from "../contributions.ts";
import { requireServed } from "../experiments/served-policy.ts";
import { Unmet } from "../failure.ts";
import { EPISODES, type FoundRun } from "../runs/find-runs.ts";
import { asFileName, newRunFolder } from "../runs/new-run-folder.ts";
import { subjectOf } from "../tree.ts";
import { wayTo } from "../unmet.ts";
import { pickRoot } from "../workspace/roots.ts";
import { nameOf, parentOf } from "../workspace/skill-folders.ts";
import { requireTrust } from "../workspace/trust.ts";
import { type ExecuteRun, runExecutor, type RunOutcome } from "./execute.ts";
import { runOrderIn, type RunBundles, runServices } from "./order.ts";
import { askForPlan, type RunPlan } from "./plan.ts";
import { progressOf, resumeChoices, resumePlan } from "./resume.ts";
import { controlFor, domainFor, readRunConfig } from "./run-config.ts";
import { allowedTools, toolsIn } from "./tools.ts";

export type { RunOutcome } from "./execute.ts";

/** A run that code asks for, without the wizard; setting and domain are those of `hasp.yaml` where none is named. */
export type RunArguments = Omit<RunPlan, "setting" | "domain"> &
  Partial<Pick<RunPlan, "setting" | "domain">> & {
    /** Tools that the caller answers for; else those of `hasp.yaml`, with a yes to a remote one. */
    readonly tools?: ToolOrder;
  };

const RUN_TITLE = `HASP: ${COMMANDS.runQuestions.title}`;
const RESUME_TITLE = `HASP: ${COMMANDS.resumeRun.title}`;

function isPlan(argument: unknown): argument is RunArguments {
  return ["root", "questions", "policy"].every((key) => key in fieldsOf(argument));
}

/** A folder named after the questions and the time. */
function folderFor(
  { files, clock }: RunBundles["editorServices"],
  { root, questions: { fsPath } }: Pick<RunPlan, "root" | "questions">,
): Promise<string> {
  const time = clock.now().slice(0, "2026-01-31T23:59:59".length).replaceAll(/\D/g, "-");
  return newRunFolder(files, root, asFileName(`${basename(fsPath, extname(fsPath))}-${time}`));
}

async function start(bundles: RunBundles, execute: ExecuteRun, argument: unknown) {
  requireTrust("Running questions with its skills");
  const { files, runs } = bundles.editorServices;
  const given = isPlan(argument) ? argument : undefined;
  const root = given?.root ?? (await pickRoot("Folder that is to hold the run"))?.uri;
  if (root === undefined) return undefined;
  const config = await readRunConfig(files, root);
  const plan =
    given ?? (await askForPlan({ files, runs, config, title: RUN_TITLE }, root, subjectOf(argument)));
  if (plan === undefined) return undefined;
  requireServed(bundles.modelServices.served, plan.policy);
  const domain = domainFor(plan.domain ?? config.value.domain);
  const control = controlFor(config, plan.setting ?? config.setting, domain);
  const { keys } = bundles.modelServices;
  const tools = given?.tools ?? (await allowedTools(toolsIn(config.value, domain), RUN_TITLE, keys));
  if (tools === undefined) return undefined;
  const order: RunOrder = {
    ...runOrderIn(root, plan),
    ...control,
    tools,
    sampling: defaultSampling(domain),
    samples: 1,
    folder: await folderFor(bundles.editorServices, plan),
    resume: false,
  };
  return execute(order, runServices(bundles, root));
}

async function askRun({ runs, files }: RunBundles["editorServices"]): Promise<FoundRun | undefined> {
  const asked = (await runs.list()).filter(({ run }) => resumeOrder(run) !== undefined);
  const progress = await Promise.all(asked.map((found) => progressOf(files, found)));
  const next = "A run of questions that was cancelled can go on later.";
  if (progress.every(({ left }) => left === 0))
    throw new Unmet("No run of this workspace is unfinished.", next, wayTo(COMMANDS.runQuestions));
  return choose(RESUME_TITLE, "Run to go on with", resumeChoices(progress));
}

async function resume(bundles: RunBundles, execute: ExecuteRun, argument: unknown) {
  requireTrust("Running questions with its skills");
  const { runs, files } = bundles.editorServices;
  const subject = subjectOf(argument);
  // `hasp run` may have changed the run.json since it was read.
  if (subject !== undefined) runs.forget(subject);
  const found = subject === undefined ? await askRun(bundles.editorServices) : await runs.read(subject);
  if (found === undefined) return undefined;
  const folder = parentOf(found.file);
  const root = vscode.workspace.getWorkspaceFolder(folder)?.uri;
  if (root === undefined || nameOf(found.file) !== EPISODES)
    throw new Unmet(`${found.title} is not in this workspace.`, "Open the folder that holds it.");
  if ((await progressOf(files, found)).left === 0)
    throw new Unmet(
      `${found.title} is complete.`,
      "Every question has its episode.",
      wayTo(COMMANDS.openRun, found.file),
    );
  const { modelServices } = bundles;
  const plan = await resumePlan(modelServices.models, root, found);
  requireServed(modelServices.served, plan.policy);
  const tools = await allowedTools(plan.tools, RESUME_TITLE, modelServices.keys);
  if (tools === undefined) return undefined;
  const domain = domainFor(found.run?.domain);
  const order = { ...plan, ...runOrderIn(root, plan), tools, domain, remarks: [], folder: folder.fsPath };
  return execute({ ...order, resume: true }, runServices(bundles, root));
}

/** `HASP: Run Questions` and `HASP: Resume Run`. */
export function registerRunQuestions(bundles: RunBundles): vscode.Disposable {
  const { log } = bundles.editorServices;
  const execute = runExecutor(bundles.editorServices);
  const run = (argument?: unknown): Promise<RunOutcome | undefined> => start(bundles, execute, argument);
  const goOn = (argument?: unknown): Promise<RunOutcome | undefined> => resume(bundles, execute, argument);
  return vscode.Disposable.from(
    registerCommand(log, COMMANDS.runQuestions, run),
    registerCommand(log, COMMANDS.resumeRun, goOn),
  );
}
