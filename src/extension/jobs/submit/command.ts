import * as vscode from "vscode";
import { resourcesSchema } from "../../../model/job.ts";
import { fieldsOf } from "../../commands.ts";
import { COMMANDS, VIEWS } from "../../contributions.ts";
import { Unmet } from "../../failure.ts";
import { logFindings } from "../../log-findings.ts";
import { plainLine } from "../../experiments/words.ts";
import { requireTrainer } from "../../experiments/trainer.ts";
import { wizardServices } from "../../experiments/wizard-services.ts";
import { inform } from "../../notification.ts";
import type { RunBundles } from "../../questions/order.ts";
import { commandTitle } from "../../../training/command-job.ts";
import { subjectOf } from "../../tree.ts";
import { wayTo } from "../../unmet.ts";
import { usable } from "../../usable.ts";
import { pickRoot } from "../../workspace/roots.ts";
import { nameOf, parentOf } from "../../workspace/skill-folders.ts";
import { requireTrust } from "../../workspace/trust.ts";
import { sendJob } from "../actions.ts";
import { addTarget } from "../add-target.ts";
import { knownTargets, requireAllowed, tellUnreadable } from "../targets.ts";
import { placeWord } from "../words.ts";
import { forgetJobs, freeId, type PreparedJobs, prepareJobs, writeJobs } from "./order.ts";
import type { SubmitDraft, SubmitPlan } from "./plan.ts";
import { askForJob, type SubmitServices } from "./wizard.ts";

const TITLE = `HASP: ${COMMANDS.submitTrainingJob.title}`;
const TRUST = "A job runs Program Functions and sends files of this workspace, which";

/** Jobs that were submitted, by their folders. */
export interface Submitted {
  readonly folders: readonly vscode.Uri[];
}

const wordsOf = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === "string");

/** The plan of a call by code, without the wizard: `{ args, target?, title?, resources?, shards?, serve? }`; `target` by its name. */
async function given(
  { editorServices: { files } }: RunBundles,
  root: vscode.Uri,
  argument: unknown,
): Promise<SubmitPlan | undefined> {
  const { args, target, title, resources = {}, shards, serve } = fieldsOf(argument);
  if (!wordsOf(args)) return undefined;
  const { targets } = await knownTargets(files);
  const known = targets.find(({ name }) => name === target);
  if (target !== undefined && known === undefined)
    throw new Unmet(
      `There is no target ${JSON.stringify(target)}.`,
      "Add it first.",
      wayTo(COMMANDS.addTarget),
    );
  if (known !== undefined && !(await requireAllowed(known, TITLE))) return undefined;
  return {
    root,
    args,
    title: typeof title === "string" ? title : commandTitle(args),
    target: known,
    resources: resourcesSchema.parse(resources),
    ...(typeof shards === "number" && { shards }),
    ...(serve !== undefined && { serve: serve as NonNullable<SubmitPlan["serve"]> }),
  };
}

/** The name that a job's id begins with. */
const stemOf = ({ args }: SubmitPlan): string => (args[0] === "experiment" ? args[1] : args[0]) ?? "job";

async function wizard(
  bundles: RunBundles,
  root: vscode.Uri,
  argument: unknown,
  prepare: SubmitServices["prepare"],
): Promise<SubmitPlan | undefined> {
  const { files, log, runs, runsTree } = bundles.editorServices;
  const services = await wizardServices(bundles, root, TITLE);
  const { targets, diagnostics } = await knownTargets(files);
  tellUnreadable(log, diagnostics);
  const subject = subjectOf(argument) ?? runsTree.selected();
  const ticked = services.found.filter(({ file }) => file.path === subject?.path).map(({ file }) => file);
  const begun: SubmitDraft = { root, rollouts: { root }, pool: ticked.map((file) => file.toString()) };
  const names = (await runs.list()).map(({ file }) => nameOf(parentOf(file)).toLowerCase());
  return askForJob(
    {
      ...services,
      targets,
      runs: new Set(names),
      prepare,
      addTarget: async () => {
        const added = await addTarget(bundles, undefined);
        return added && { name: added.name, target: added.target, from: "settings" };
      },
    },
    begun,
  );
}

/** Writes the jobs, and sends them one after the other; those that are not sent stay, to be submitted again. */
async function send(
  bundles: RunBundles,
  plan: SubmitPlan,
  { specs }: PreparedJobs,
): Promise<readonly vscode.Uri[]> {
  const { jobs } = bundles.editorServices;
  const made = await writeJobs(bundles, plan, specs);
  const place = placeWord(plan.target);
  for (const { folder } of made) jobs.forget(folder);
  void vscode.commands.executeCommand(`${VIEWS.jobs.id}.focus`, { preserveFocus: true });
  for (const job of made) await sendJob(bundles, job, place);
  const folders = made.map(({ folder }) => folder);
  const [first] = folders;
  inform(
    `${plainLine(plan.title)} is submitted to ${place}. The view Jobs follows it, also after a restart.`,
    ...(first === undefined ? [] : [wayTo(COMMANDS.cancelJob, first)]),
  );
  return folders;
}

/** `HASP: Submit Training Job`. */
export async function submitTrainingJob(
  bundles: RunBundles,
  argument: unknown,
): Promise<Submitted | undefined> {
  const { clock, log } = bundles.editorServices;
  requireTrust(TRUST);
  const root = (await pickRoot("Folder that holds the work of the job"))?.uri;
  if (root === undefined) return undefined;
  // One id for each look at the jobs: a person may go back and change the work.
  const tried = new Map<SubmitPlan, string>();
  const ids: string[] = [];
  const prepare = async (plan: SubmitPlan) => {
    const id = freeId(stemOf(plan), clock.now());
    tried.set(plan, id);
    ids.push(id);
    return prepareJobs(bundles, plan, id);
  };
  let kept: string | undefined;
  try {
    const plan = (await given(bundles, root, argument)) ?? (await wizard(bundles, root, argument, prepare));
    if (plan === undefined) return undefined;
    if (plan.target === undefined && (plan.args[0] !== "run" || plan.serve !== undefined)) requireTrainer();
    const prepared = await prepare(plan);
    logFindings(log, prepared.diagnostics);
    const jobs = usable(prepared);
    kept = tried.get(plan);
    return { folders: await send(bundles, plan, jobs) };
  } finally {
    for (const id of ids) if (id !== kept) await forgetJobs(root, id);
  }
}
