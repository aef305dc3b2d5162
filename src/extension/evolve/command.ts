import * as vscode from "vscode";
import { estimateEvolution } from "../../evolve/estimate.ts";
import { factsOf } from "../../model/facts.ts";
import type { NodeFiles } from "../../platform/files.ts";
import { choose } from "../choose.ts";
import { fieldsOf, registerCommand } from "../commands.ts";
import { COMMANDS, type CommandContribution } from "../contributions.ts";
import { requireServed } from "../experiments/served-policy.ts";
import { Unmet } from "../failure.ts";
import { requireOwn } from "../own-order.ts";
import type { RunBundles } from "../questions/order.ts";
import { domainFor, readRunConfig } from "../questions/run-config.ts";
import { allowedTools, toolsIn } from "../questions/tools.ts";
import { subjectOf } from "../tree.ts";
import { wayTo } from "../unmet.ts";
import { usable } from "../usable.ts";
import { pickRoot } from "../workspace/roots.ts";
import { requireTrust } from "../workspace/trust.ts";
import { compareCandidate, openCandidate, override } from "./candidates.ts";
import { showPage } from "./documents.ts";
import type { Evolutions, FoundEvolution } from "./evolutions.ts";
import { type EvolutionOutcome, evolutionExecutor, type ExecuteEvolution } from "./execute.ts";
import { evolveOrder, folderNamed, generatedOf, type OrderParts } from "./order.ts";
import { askForEvolution, type EvolvePlan } from "./plan.ts";
import { keepChoices, resumePlan, rootOf } from "./resume.ts";
import { evolveServices } from "./services.ts";
import { evolutionWords, stateOf } from "./words.ts";

const EVOLVE_TITLE = `HASP: ${COMMANDS.evolveLibrary.title}`;
const RESUME_TITLE = `HASP: ${COMMANDS.resumeEvolution.title}`;
const RUNS_PFS = "An evolution runs the Program Functions that models write, which";

/** The plan of a call by code, without the wizard. */
function planIn(argument: unknown): EvolvePlan | undefined {
  const isPlan = ["root", "source", "author", "name"].every((key) => key in fieldsOf(argument));
  return isPlan ? (argument as EvolvePlan) : undefined;
}

/** Services of an estimate: nothing is run. */
const idle = {
  signal: new AbortController().signal,
  stop: new AbortController().signal,
  on: () => undefined,
};

async function wizard(
  bundles: RunBundles,
  root: vscode.Uri,
  argument: unknown,
): Promise<EvolvePlan | undefined> {
  const { files, runs, evolutions, runsTree } = bundles.editorServices;
  const config = await readRunConfig(files, root);
  const found = (await runs.list()).filter(
    ({ index, file }) => index.entries.length > 0 && file.path.startsWith(`${root.path}/`),
  );
  const subject = subjectOf(argument) ?? runsTree.selected();
  const taken = new Set((await evolutions.list()).map(({ name }) => name.toLowerCase()));
  const services = {
    questions: { files, runs, config, title: EVOLVE_TITLE },
    title: EVOLVE_TITLE,
    taken,
    found,
    async estimate(plan: EvolvePlan) {
      const order = await evolveOrder(bundles, plan, { config });
      return usable(await estimateEvolution(order, evolveServices(bundles, root, order, idle)));
    },
  };
  const ticked = found.filter(({ file }) => file.path === subject?.path).map(({ file }) => file);
  return askForEvolution(
    services,
    root,
    ticked.length === 0 ? found.slice(0, 1).map(({ file }) => file) : ticked,
  );
}

/** Carries a plan out, with a yes to searches that leave this machine. */
async function carryOut(
  bundles: RunBundles,
  execute: ExecuteEvolution,
  plan: EvolvePlan,
  { title, parts }: { readonly title: string; readonly parts?: OrderParts },
): Promise<EvolutionOutcome | undefined> {
  const { files, memory } = bundles.editorServices;
  const { root, source, name } = plan;
  const config = await readRunConfig(files, root);
  const isLive = source.kind === "live";
  for (const spec of [plan.author, ...(isLive ? [source.rollouts.policy] : [])])
    requireServed(bundles.modelServices.served, spec);
  const tools = isLive
    ? await allowedTools(
        toolsIn(config.value, domainFor(source.rollouts.domain ?? config.value.domain)),
        title,
        bundles.modelServices.keys,
      )
    : undefined;
  if (isLive && tools === undefined) return undefined;
  const order = await evolveOrder(bundles, plan, { config, tools, parts });
  await keepChoices(memory, vscode.Uri.joinPath(root, folderNamed(name)), plan);
  return execute(root, order);
}

async function start(bundles: RunBundles, execute: ExecuteEvolution, argument: unknown) {
  requireTrust(RUNS_PFS);
  const given = planIn(argument);
  const root = given?.root ?? (await pickRoot("Folder whose library is to evolve"))?.uri;
  if (root === undefined) return undefined;
  const plan = given ?? (await wizard(bundles, root, argument));
  return plan === undefined ? undefined : carryOut(bundles, execute, plan, { title: EVOLVE_TITLE });
}

/** The evolution of a row or an address; else the only one that fits, or the one that a person chooses. */
async function chosen(
  evolutions: Evolutions,
  argument: unknown,
  {
    command,
    fits,
    none,
  }: {
    readonly command: CommandContribution;
    readonly fits: (found: FoundEvolution) => boolean;
    readonly none: string;
  },
): Promise<FoundEvolution | undefined> {
  const subject = subjectOf(argument);
  if (subject !== undefined) return evolutions.read(subject);
  const found = (await evolutions.list()).filter(fits);
  if (found.length === 0) throw new Unmet(none, "Evolve a library first.", wayTo(COMMANDS.evolveLibrary));
  if (found.length === 1) return found[0];
  const rows = found.map((one) => ({
    label: one.name,
    description:
      one.report.value === undefined ? "cannot be read" : evolutionWords(one.report.value, one.work),
    value: one,
  }));
  return choose(`HASP: ${command.title}`, "Evolution", rows);
}

const isUnfinished = ({ report, work }: FoundEvolution): boolean =>
  report.value !== undefined && stateOf(report.value, work) === "unfinished";
const isRunning = ({ work }: FoundEvolution): boolean => work !== undefined;

/** Asks about an evolution that this user has not begun. */
async function allowed(files: NodeFiles, folder: vscode.Uri, name: string): Promise<boolean> {
  const { evolutionSchema, readArtifactText } = await import("../../evolve/artifacts.ts");
  const { evolutionPaths } = await import("../../evolve/evolution-paths.ts");
  const { state } = evolutionPaths(folder.fsPath);
  const { artifact, text } = usable(await readArtifactText(files, state, evolutionSchema));
  const facts = factsOf(artifact);
  return requireOwn(COMMANDS.resumeEvolution.title, { name: `evolution ${name}`, file: state, text, facts });
}

async function resume(bundles: RunBundles, execute: ExecuteEvolution, argument: unknown) {
  requireTrust(RUNS_PFS);
  const { files, runs, evolutions, memory } = bundles.editorServices;
  const found = await chosen(evolutions, argument, {
    command: COMMANDS.resumeEvolution,
    fits: isUnfinished,
    none: "No evolution of this workspace is unfinished.",
  });
  if (found === undefined) return undefined;
  const { folder, name, work } = found;
  const root = rootOf(folder);
  const report = usable(found.report);
  const state = stateOf(report, work);
  if (state !== "unfinished")
    throw new Unmet(
      `${name} is ${state === "done" ? "complete" : "running already"}.`,
      "Its results are in the view Evolutions.",
      wayTo(COMMANDS.showEvolutionReport, folder),
    );
  const { order } = report;
  if (!(await allowed(files, folder, name))) return undefined;
  if (order.generated !== generatedOf(order.domain))
    throw new Unmet(
      `${name} writes its skills to ${order.generated}.`,
      "Resume it with `hasp evolve --generated`.",
    );
  const questions = { files, runs, config: await readRunConfig(files, root), title: RESUME_TITLE };
  const plan = await resumePlan({ questions, memory, title: RESUME_TITLE }, { root, folder, name }, order);
  if (plan === undefined) return undefined;
  const { caps, seed, pinned } = order;
  return carryOut(bundles, execute, plan, { title: RESUME_TITLE, parts: { caps, seed, pinned } });
}

/** Ends a running evolution, after its phase or at once. */
async function end(evolutions: Evolutions, how: "stop" | "cancel", argument: unknown): Promise<boolean> {
  const command = how === "stop" ? COMMANDS.stopEvolution : COMMANDS.cancelEvolution;
  const none = "No evolution runs in this window.";
  const found = await chosen(evolutions, argument, { command, fits: isRunning, none });
  const running = found && evolutions.running(found.folder);
  if (found !== undefined && running === undefined)
    throw new Unmet(`${found.name} does not run in this window.`, "End it where it was started.");
  running?.[how]();
  return running !== undefined;
}

async function report(evolutions: Evolutions, argument: unknown): Promise<vscode.Uri | undefined> {
  const found = await chosen(evolutions, argument, {
    command: COMMANDS.showEvolutionReport,
    fits: () => true,
    none: "This workspace has no evolution.",
  });
  return found && showPage(found.folder);
}

/** `HASP: Evolve Library` and the commands of the view of evolutions. */
export function registerEvolve(bundles: RunBundles): vscode.Disposable {
  const { log, evolutions } = bundles.editorServices;
  const execute = evolutionExecutor(bundles);
  const on = (
    command: CommandContribution,
    run: (argument?: unknown) => Promise<unknown>,
  ): vscode.Disposable => registerCommand(log, command, run);
  return vscode.Disposable.from(
    on(COMMANDS.evolveLibrary, (argument) => start(bundles, execute, argument)),
    on(COMMANDS.resumeEvolution, (argument) => resume(bundles, execute, argument)),
    on(COMMANDS.stopEvolution, (argument) => end(evolutions, "stop", argument)),
    on(COMMANDS.cancelEvolution, (argument) => end(evolutions, "cancel", argument)),
    on(COMMANDS.showEvolutionReport, (argument) => report(evolutions, argument)),
    on(COMMANDS.openCandidate, (argument) => openCandidate(bundles, argument)),
    on(COMMANDS.acceptCandidate, (argument) => override(bundles, true, argument)),
    on(COMMANDS.rejectCandidate, (argument) => override(bundles, false, argument)),
    on(COMMANDS.showCandidateReviews, async (argument) => {
      const subject = subjectOf(argument);
      return subject && showPage(subject);
    }),
    on(COMMANDS.compareCandidate, (argument) => compareCandidate(bundles, argument)),
  );
}
