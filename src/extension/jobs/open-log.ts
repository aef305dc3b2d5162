import * as vscode from "vscode";
import { COMMANDS } from "../contributions.ts";
import { Unmet } from "../failure.ts";
import { subjectOf } from "../tree.ts";
import type { Jobs } from "./jobs.ts";
import { pickJob } from "./pick-job.ts";

const LOG = "log.txt";

async function isThere(file: vscode.Uri): Promise<boolean> {
  return vscode.workspace.fs.stat(file).then(
    ({ size }) => size > 0,
    () => false,
  );
}

/** The log of a job; of one with tasks, that of the first task that has one. */
async function logIn(folder: vscode.Uri): Promise<vscode.Uri | undefined> {
  const own = vscode.Uri.joinPath(folder, LOG);
  if (await isThere(own)) return own;
  const tasks = vscode.Uri.joinPath(folder, "tasks");
  const found = await vscode.workspace.fs.readDirectory(tasks).then(
    (entries) => entries.map(([name]) => name),
    (): string[] => [],
  );
  for (const name of found.toSorted((a, b) => Number(a) - Number(b))) {
    const log = vscode.Uri.joinPath(tasks, name, LOG);
    if (await isThere(log)) return log;
  }
  return undefined;
}

/** `HASP: Open Log of Job`, at its end. */
export async function openLog(jobs: Jobs, argument: unknown): Promise<vscode.Uri | undefined> {
  const job = { command: COMMANDS.openJobLog, none: "No job of this workspace has a log." };
  const folder =
    subjectOf(argument) ?? (await pickJob(jobs, argument, { ...job, fits: ({ hasLog }) => hasLog }))?.folder;
  if (folder === undefined) return undefined;
  const file = await logIn(folder);
  if (file === undefined) throw new Unmet("This job has no log yet.", "It begins when the job begins.");
  const editor = await vscode.window.showTextDocument(file, { preview: true });
  const last = editor.document.lineAt(editor.document.lineCount - 1).range;
  editor.selection = new vscode.Selection(last.end, last.end);
  editor.revealRange(last);
  return file;
}
