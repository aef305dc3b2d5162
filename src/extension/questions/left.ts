import * as vscode from "vscode";
import { parseShard } from "../../evaluation/shard.ts";
import type { NodeFiles } from "../../platform/files.ts";
import { describeCounts, type FoundRun } from "../runs/find-runs.ts";
import { askedOf } from "./execute.ts";
import { placeOf, readRunInputs } from "./inputs.ts";
import { resumeSettings } from "./resume.ts";

/** A run that was made by running questions. */
export interface AskedRun {
  readonly run: FoundRun;
  /** Questions without an episode; undefined where the file that holds them cannot be read here. */
  readonly left: number | undefined;
}

/** Questions that the run has no episode of. Rejects where its file of questions is outside of the folder or cannot be read. */
async function countLeft(files: NodeFiles, root: vscode.Uri, found: FoundRun): Promise<number | undefined> {
  const settings = resumeSettings(found);
  if (settings === undefined) return undefined;
  const { questions, dataset, split, limit } = settings;
  const { path, inside } = placeOf(root, questions.file);
  if (!inside) return undefined;
  const input = { root, questions: vscode.Uri.file(path), corpus: undefined };
  const { value } = await readRunInputs(files, input, { dataset, split, searchesPassages: false });
  const shard = settings.shard === undefined ? undefined : parseShard(settings.shard).value;
  const done = new Set(found.index.entries.map(({ head }) => head.questionId));
  return askedOf(value, { shard, limit }).filter(({ id }) => !done.has(id)).length;
}

/** How far a run has come. */
export async function progressOf(files: NodeFiles, run: FoundRun): Promise<AskedRun> {
  const root = vscode.workspace.getWorkspaceFolder(run.file)?.uri;
  const left = root === undefined ? undefined : await countLeft(files, root, run).catch(() => undefined);
  return { run, left };
}

interface RunPick extends vscode.QuickPickItem {
  readonly asked?: AskedRun;
}

function pickOf(asked: AskedRun): RunPick {
  const { run, left } = asked;
  const words = left === undefined ? "its questions cannot be read here" : `${left} left`;
  const description = describeCounts(run.counts);
  if (left === 0) return { label: `$(check) ${run.title}`, description: `complete · ${description}`, asked };
  return { label: `$(debug-continue) ${run.title}`, description: `${words} · ${description}`, asked };
}

const group = (label: string): RunPick => ({ label, kind: vscode.QuickPickItemKind.Separator });

/** The runs that can go on, then those that are complete. */
export function resumePicks(runs: readonly AskedRun[]): readonly RunPick[] {
  const open = runs.filter(({ left }) => left !== 0);
  const complete = runs.filter(({ left }) => left === 0);
  const last = complete.length === 0 ? [] : [group("complete"), ...complete.map(pickOf)];
  return [group("unfinished"), ...open.map(pickOf), ...last];
}
