import * as vscode from "vscode";
import type { FailureCluster } from "../../model/failure.ts";
import { counted } from "../../model/counted.ts";
import { choose } from "../choose.ts";
import { fieldsOf, registerCommand } from "../commands.ts";
import { type CommandContribution, COMMANDS, CONTEXT_KEYS } from "../contributions.ts";
import { OPEN_LOG, Unmet } from "../failure.ts";
import { inform, inNotification, warn } from "../notification.ts";
import type { Services } from "../services.ts";
import { wayTo } from "../unmet.ts";
import { clusterMarkdown, clusterNotes, plainLine } from "./cluster-words.ts";
import { type FailuresTree, registerFailuresTree } from "./failures-tree.ts";
import type { FailuresPlan, FailuresResult } from "./result.ts";

type Needed = Pick<Services, "editorServices" | "modelServices">;

/** Says what an analysis lacks, with the way to get it. */
function tellLacks({ lacks, plan }: FailuresResult): void {
  for (const { code, message } of lacks) {
    const again = { ...wayTo(COMMANDS.analyseFailures, plan), label: "Analyse again" };
    const way = code === "HASP640" ? wayTo(COMMANDS.judgeAnswers, plan.runs[0]) : again;
    warn(plainLine(message), way, OPEN_LOG);
  }
}

/** Analyses, and shows the result in its view. */
async function analyse(services: Needed, plan: FailuresPlan, tree: FailuresTree): Promise<FailuresResult> {
  const { status, runs } = services.editorServices;
  const { analysePlan } = await import("./analyse.ts");
  const setRunning = (on: boolean): Thenable<unknown> =>
    vscode.commands.executeCommand("setContext", CONTEXT_KEYS.failuresRunning, on);
  const [first] = plan.runs;
  const title =
    plan.runs.length === 1 && first ? (await runs.read(first)).title : counted(plan.runs.length, "run");
  void setRunning(true);
  status.showRunning("Failures", undefined);
  try {
    const result = await inNotification(`Analysing the failures of ${plainLine(title)}`, (signal, on) =>
      analysePlan(services, plan, signal, on),
    );
    await tree.show(result);
    tellLacks(result);
    return result;
  } finally {
    void setRunning(false);
    status.showIdle();
  }
}

/** The id of the cluster that a row of the view, or a caller in code (`{ cluster }`), names. */
function idIn(argument: unknown): unknown {
  const { cluster, item } = fieldsOf(argument);
  return cluster ?? fieldsOf(item)["id"];
}

function noAnalysis(): Unmet {
  return new Unmet(
    "There is no analysis of failures.",
    "Analyse the failures of a run first.",
    wayTo(COMMANDS.analyseFailures),
  );
}

/** The cluster that the command was called on, else the one that a person chooses; undefined when they leave. */
async function clusterFor(
  { title }: CommandContribution,
  result: FailuresResult,
  argument: unknown,
): Promise<FailureCluster | undefined> {
  const { clusters } = result.report;
  const id = idIn(argument);
  const named = clusters.find((one) => one.id === id);
  if (named !== undefined) return named;
  if (clusters.length === 0)
    throw new Unmet(
      "The analysis has no cluster.",
      "Analyse a run with more failed episodes.",
      wayTo(COMMANDS.analyseFailures),
    );
  const picks = clusters.map((cluster) => ({
    label: plainLine(cluster.category),
    description: clusterNotes(cluster),
    detail: plainLine(cluster.abstraction),
    value: cluster,
  }));
  return choose(`HASP: ${title}`, "Cluster of failures", picks, {
    matchOnDescription: true,
    matchOnDetail: true,
  });
}

/** The commands around failures, and the view of their clusters. */
export function registerFailures(services: Needed): vscode.Disposable {
  const { editorServices } = services;
  const { log, runs } = editorServices;
  const tree = registerFailuresTree();

  async function analyseFailures(argument?: unknown): Promise<FailuresResult | undefined> {
    const { askPlan, planOf } = await import("./plan.ts");
    const plan = planOf(argument) ?? (await askPlan(editorServices, argument));
    return plan === undefined ? undefined : analyse(services, plan, tree);
  }

  function shown(): FailuresResult {
    const result = tree.shown();
    if (result === undefined) throw noAnalysis();
    return result;
  }

  async function newSkill(argument?: unknown): Promise<vscode.Uri | undefined> {
    const result = shown();
    const cluster = await clusterFor(COMMANDS.newSkillFromCluster, result, argument);
    if (cluster === undefined) return undefined;
    const { newSkillFromCluster } = await import("../from-step/cluster-skill.ts");
    return newSkillFromCluster(editorServices, cluster, argument);
  }

  async function copyCluster(argument?: unknown): Promise<void> {
    const result = shown();
    const cluster = await clusterFor(COMMANDS.copyCluster, result, argument);
    if (cluster === undefined) return;
    const titleOf = (run: string): string => result.titles.get(run) ?? run;
    await vscode.env.clipboard.writeText(clusterMarkdown(cluster, titleOf));
    inform(`Copied ${plainLine(cluster.category)} with its examples as Markdown.`);
  }

  return vscode.Disposable.from(
    tree,
    runs.onDidChangeRun((file) => tree.markStale(file.toString())),
    registerCommand(log, COMMANDS.analyseFailures, analyseFailures),
    registerCommand(log, COMMANDS.refreshFailures, async () => analyse(services, shown().plan, tree)),
    registerCommand(log, COMMANDS.clearFailures, async () => tree.clear()),
    registerCommand(log, COMMANDS.newSkillFromCluster, newSkill),
    registerCommand(log, COMMANDS.copyCluster, copyCluster),
  );
}
