import * as vscode from "vscode";
import { questionsLeft, type ResumeOrder, resumeOrder } from "../../app/run/resume.ts";
import type { NodeFiles } from "../../platform/files.ts";
import { group, type Row } from "../choose.ts";
import { Unmet } from "../failure.ts";
import { chosenModel, CONFIGURE, type Role } from "../models/chosen-model.ts";
import type { Models } from "../models/open-model.ts";
import { describeCounts, type FoundRun } from "../runs/find-runs.ts";
import type { Choice } from "../steps.ts";
import { placeOf } from "./places.ts";

/** A run that was made by running questions. */
interface AskedRun {
  readonly run: FoundRun;
  /** Samples without an episode; undefined where the file that holds them cannot be read here. */
  readonly left: number | undefined;
}

/** How far a run has come. Only a file inside the workspace folder is read. */
export async function progressOf(files: NodeFiles, found: FoundRun): Promise<AskedRun> {
  const root = vscode.workspace.getWorkspaceFolder(found.file)?.uri;
  const order = resumeOrder(found.run);
  if (root === undefined || order === undefined) return { run: found, left: undefined };
  const { path, inside } = placeOf(root, order.questions);
  if (!inside) return { run: found, left: undefined };
  const questions = { name: order.questions, path };
  const left = await questionsLeft(files, order, questions, found.index).catch(() => undefined);
  return { run: found, left: left?.value };
}

function choiceOf({ run, left }: AskedRun): Choice<FoundRun> {
  const words = left === undefined ? "its questions cannot be read here" : `${left} left`;
  const counts = describeCounts(run.counts);
  return left === 0
    ? { label: `$(check) ${run.title}`, description: `complete · ${counts}`, value: run }
    : { label: `$(debug-continue) ${run.title}`, description: `${words} · ${counts}`, value: run };
}

/** The runs that can go on, then those that are complete. */
export function resumeChoices(runs: readonly AskedRun[]): readonly Row<FoundRun>[] {
  const open = runs.filter(({ left }) => left !== 0);
  const complete = runs.filter(({ left }) => left === 0);
  const last = complete.length === 0 ? [] : [group("complete"), ...complete.map(choiceOf)];
  return [group("unfinished"), ...open.map(choiceOf), ...last];
}

/** A file may name a recorded run, or a model that VS Code itself guards. */
const NAMED_BY_FILE = /^(recorded|vscode):/;

/**
 * The spec of the model that a run names. A file of the workspace cannot choose an endpoint: it must be the one that the
 * person has configured.
 */
async function specFor(models: Models, role: Role, id: string): Promise<string> {
  if (NAMED_BY_FILE.test(id)) return id;
  const own = chosenModel(role);
  if (own !== undefined && (await models.open(own)).id === id) return own;
  throw new Unmet(
    `The run was made with the ${role} ${id}, and ${own === undefined ? "none is" : `${own} is`} configured now.`,
    "Configure that model to go on, or run the questions as a new run.",
    CONFIGURE,
  );
}

/** A file that `run.json` names is read inside the workspace folder, and elsewhere only after a yes. */
async function fileFor(root: vscode.Uri, named: string): Promise<vscode.Uri> {
  const { path, inside } = placeOf(root, named);
  if (inside) return vscode.Uri.file(path);
  const read = "Read it";
  const asked = `The run reads ${path}, which is outside the workspace.`;
  if ((await vscode.window.showWarningMessage(asked, read)) === read) return vscode.Uri.file(path);
  throw new vscode.CancellationError();
}

/** The order of a run that is there, with specs of models and places of files that the person allows. */
export interface ResumePlan extends Omit<ResumeOrder, "questions" | "corpus"> {
  readonly questions: vscode.Uri;
  readonly corpus: vscode.Uri | undefined;
}

/** The plan of a run that is there, from its `run.json`. */
export async function resumePlan(models: Models, root: vscode.Uri, found: FoundRun): Promise<ResumePlan> {
  const order = resumeOrder(found.run);
  if (order === undefined)
    throw new Unmet(
      `${found.title} was not made by running questions.`,
      "Choose a run that was, or run the questions anew.",
    );
  const { teacher, corpus } = order;
  return {
    ...order,
    policy: await specFor(models, "policy", order.policy),
    teacher: teacher === undefined ? undefined : await specFor(models, "teacher", teacher),
    questions: await fileFor(root, order.questions),
    corpus: corpus === undefined ? undefined : await fileFor(root, corpus),
  };
}
