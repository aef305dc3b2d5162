import { join } from "node:path";
import * as vscode from "vscode";
import { trainDataOrder } from "../../app/train-data/assemble.ts";
import { buildTrainData, type TrainData } from "../../app/train-data/build.ts";
import { readNamed } from "../../app/named-text.ts";
import { counted } from "../../model/counted.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { BLOCK_FILE, FILTERS, OBJECTIVES } from "../../model/train-data.ts";
import type { TrainingPage } from "../../protocol/training.ts";
import { fieldsOf } from "../commands.ts";
import { COMMANDS } from "../contributions.ts";
import { logFindings } from "../log-findings.ts";
import { inform, inNotification, type WayOut } from "../notification.ts";
import { asFileName } from "../runs/new-run-folder.ts";
import { subjectOf } from "../tree.ts";
import { usable } from "../usable.ts";
import { pickRoot } from "../workspace/roots.ts";
import { nameOf, parentOf } from "../workspace/skill-folders.ts";
import { requireTrust } from "../workspace/trust.ts";
import { cardActions, folderKey, folderPage } from "./card.ts";
import { type Desk, shownFindings, workspaceRoots } from "./desk.ts";
import { folderProblem, nameOfPath, pathOfName } from "./names.ts";
import { askPlan, type DataPlan } from "./plan.ts";

const TITLE = `HASP: ${COMMANDS.buildTrainingData.title}`;
const PREVIEW = "preview";

interface Built extends TrainData {
  readonly diagnostics: readonly Diagnostic[];
}

/** A button that asks the questions again, with the answers so far. */
const changeWay = (plan: DataPlan): WayOut => ({
  label: "Change",
  command: COMMANDS.buildTrainingData.id,
  arguments: [{ change: plan }],
});

/** Builds in a notification; without an output nothing is written. Cancel leaves everything as before. */
async function build(desk: Desk, plan: DataPlan, output: string | undefined): Promise<Built> {
  const { files, clock, redactor, log } = desk;
  const { objective, runs, filter, candidates } = plan;
  const roots = workspaceRoots();
  const home = runs[0]?.fsPath;
  const pathOf = (name: string): string => pathOfName(roots, name, home);
  const title = output === undefined ? "Counting training data" : "Writing training data";
  const result = await inNotification(title, async (signal, on) => {
    const request = {
      runs: objective === "a" ? runs.map((file) => nameOfPath(roots, parentOf(file).fsPath)) : [],
      candidates: objective === "b" ? candidates.map(({ fsPath }) => nameOfPath(roots, fsPath)) : [],
      objectives: [objective],
      ...(objective === "a" && { filter }),
      output,
      signal,
    };
    const order = usable(await trainDataOrder(request, files, pathOf), changeWay(plan));
    return buildTrainData(order, {
      files,
      clock,
      redact: (text) => redactor.redact(text),
      readNamed: (file) => readNamed(files, pathOf(file)),
      on,
    });
  });
  logFindings(log, result.diagnostics);
  return { ...usable(result, changeWay(plan)), diagnostics: result.diagnostics };
}

function nameOfData({ runs, candidates, filter, objective }: DataPlan): string {
  const [run, candidate] = [runs[0], candidates[0]];
  const base = objective === "a" ? run && nameOf(parentOf(run)) : candidate && nameOf(candidate);
  const plain = asFileName((base ?? "train").replace(/\.jsonl$/, "")).replace(/^\.+/, "");
  return `${plain === "" ? "train" : plain}${objective === "a" && filter !== "none" ? `-${filter}` : ""}`;
}

/** The workspace folder of the data: that of the first run or candidate, else one that the person picks. */
async function rootFor({ runs, candidates }: DataPlan): Promise<vscode.Uri | undefined> {
  const [first] = [...runs, ...candidates];
  const own = first === undefined ? undefined : vscode.workspace.getWorkspaceFolder(first);
  return (own ?? (await pickRoot("Folder that is to hold the training data")))?.uri;
}

/** Asks for the folder, relative to the workspace folder; undefined when the person leaves. */
async function askFolder({ files }: Desk, root: vscode.Uri, value: string): Promise<string | undefined> {
  const named = await vscode.window.showInputBox({
    title: TITLE,
    prompt: "Folder of the files, from the workspace folder",
    value,
    ignoreFocusOut: true,
    async validateInput(text) {
      const problem = folderProblem(text.trim());
      if (problem !== undefined) return problem;
      if ((await files.stat(join(root.fsPath, text.trim(), BLOCK_FILE))) === undefined) return undefined;
      const message = "This folder has training data; files of the same names are replaced.";
      return { message, severity: vscode.InputBoxValidationSeverity.Info };
    },
  });
  return named?.trim();
}

/** Writes the files of a plan, and shows their cards in the tab of the preview. */
async function write(desk: Desk, plan: DataPlan, given?: string): Promise<TrainingPage | undefined> {
  requireTrust("Writing training data");
  const { panels } = desk;
  const root = await rootFor(plan);
  if (root === undefined) return undefined;
  const folder = given ?? (await askFolder(desk, root, `.hasp/data/${nameOfData(plan)}`));
  if (folder === undefined) return undefined;
  const path = join(root.fsPath, folder);
  const { cards, diagnostics } = await build(desk, plan, path);
  panels.rename(PREVIEW, folderKey(path));
  const shown = folderPage(desk, path, cards, 0, diagnostics);
  const rows = cards.reduce((sum, card) => sum + card.rows, 0);
  inform(`${counted(rows, "row")} in ${counted(cards.length, "file")} written to ${folder}.`, {
    label: "Show Card",
    press: () => panels.show(folderKey(path), shown),
  });
  return panels.show(folderKey(path), shown);
}

/** Counts the rows of a plan and shows them as cards; nothing is written yet. */
async function preview(desk: Desk, plan: DataPlan): Promise<TrainingPage> {
  const { cards, diagnostics } = await build(desk, plan, undefined);
  const names = plan.objective === "a" ? plan.runs.map(parentOf) : plan.candidates;
  const title = names.map((uri) => nameOf(uri)).join(", ");
  return desk.panels.show(PREVIEW, {
    tab: "Training data: preview",
    page: { kind: "data", title, folder: undefined, cards, shown: 0, findings: shownFindings(diagnostics) },
    actions: {
      ...cardActions(desk, cards, names[0]?.fsPath),
      writeFiles: () => write(desk, plan),
      change: () => start(desk, plan),
    },
  });
}

async function start(desk: Desk, draft: Partial<DataPlan>): Promise<TrainingPage | undefined> {
  const plan = await askPlan(desk, TITLE, draft);
  return plan === undefined ? undefined : preview(desk, plan);
}

const uris = (value: unknown): readonly vscode.Uri[] =>
  Array.isArray(value) ? value.filter((one): one is vscode.Uri => one instanceof vscode.Uri) : [];

/** The plan that code gives: `{ runs, filter?, objective?, candidates? }`; a person is asked without one. */
function planOf(argument: unknown): DataPlan | undefined {
  const fields = fieldsOf(argument);
  if (!("runs" in fields) && !("candidates" in fields)) return undefined;
  return {
    objective: OBJECTIVES.find((one) => one === fields["objective"]) ?? "a",
    runs: uris(fields["runs"]),
    filter: FILTERS.find((one) => one === fields["filter"]) ?? "none",
    candidates: uris(fields["candidates"]),
  };
}

/** `HASP: Build Training Data`: asks for the choices and shows a preview; with `output` in the argument the files are written. */
export async function buildTrainingData(desk: Desk, argument?: unknown): Promise<TrainingPage | undefined> {
  // Opening a run may write its index beside it.
  requireTrust("Building training data");
  const plan = planOf(argument);
  const { output } = fieldsOf(argument);
  if (plan !== undefined && typeof output === "string") {
    return folderProblem(output) === undefined ? write(desk, plan, output) : undefined;
  }
  if (plan !== undefined) return preview(desk, plan);
  const change = planOf(fieldsOf(argument)["change"]);
  if (change !== undefined) return start(desk, change);
  const subject = subjectOf(argument) ?? desk.runsTree.selected();
  return start(desk, subject === undefined ? {} : { objective: "a", runs: [subject] });
}
