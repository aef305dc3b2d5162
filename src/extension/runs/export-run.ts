import { basename } from "node:path";
import * as vscode from "vscode";
import { exportPage } from "../../app/export-run.ts";
import { readPageBundle, sha256Base64 } from "../../platform/page-bundle.ts";
import { need } from "../checked.ts";
import { choose } from "../choose.ts";
import { fieldsOf, registerCommand } from "../commands.ts";
import { COMMANDS } from "../contributions.ts";
import { logFindings } from "../log-findings.ts";
import { inform, inNotification } from "../notification.ts";
import type { Services } from "../services.ts";
import { subjectOf } from "../tree.ts";
import { viewFolder } from "../webview-page.ts";
import { parentOf } from "../workspace/skill-folders.ts";
import type { FoundRun } from "./find-runs.ts";
import { asFileName } from "./new-run-folder.ts";
import { pickRun } from "./pick-run.ts";

const TITLE = "HASP: Export Run";

/** The argument of tests and other extensions; a person is asked for what is missing. */
interface ExportArguments {
  /** The `episodes.jsonl`. */
  readonly run?: vscode.Uri;
  readonly to?: vscode.Uri;
  /** Whether today's library judges the steps. */
  readonly judged?: boolean;
}

async function chooseJudged(): Promise<boolean | undefined> {
  // Judging runs the workspace's code.
  if (!vscode.workspace.isTrusted) return false;
  return choose(TITLE, "Content of the page", [
    {
      label: "With today's library",
      detail: "Each step also shows what today's skills decide.",
      value: true,
    },
    { label: "As recorded", detail: "Only what the episodes hold: a smaller page.", value: false },
  ]);
}

function chooseFile(run: FoundRun): Thenable<vscode.Uri | undefined> {
  const name = `${asFileName(basename(run.folder))}.html`;
  const [root] = vscode.workspace.workspaceFolders ?? [];
  return vscode.window.showSaveDialog({
    title: TITLE,
    saveLabel: "Export",
    filters: { "HTML page": ["html"] },
    defaultUri: vscode.Uri.joinPath(root?.uri ?? parentOf(parentOf(run.file)), name),
  });
}

/** `HASP: Export Run`: a run as one HTML page that anyone can open. */
export function registerExportRun({
  editorServices,
  judging,
}: Pick<Services, "editorServices" | "judging">): vscode.Disposable {
  const { context, log, files, clock, runs, library } = editorServices;

  async function exportRun(argument?: unknown): Promise<vscode.Uri | undefined> {
    const given: ExportArguments = fieldsOf(argument);
    const file =
      given.run ?? subjectOf(argument) ?? (await pickRun(runs, { title: TITLE, purpose: "to export" }));
    if (file === undefined) return undefined;
    const judged = given.judged ?? (await chooseJudged());
    if (judged === undefined) return undefined;
    const run = await runs.read(file);
    const to = given.to ?? (await chooseFile(run));
    if (to === undefined) return undefined;
    const skills = judged ? await library.read(await library.list()) : undefined;
    const readBundle = () => readPageBundle(viewFolder(context.extensionUri).fsPath);
    const page = await inNotification(`Exporting ${run.title}`, (signal, on) =>
      exportPage(
        { run, output: to.fsPath, skills },
        { ...judging, files, clock, readBundle, sha256: sha256Base64, signal, on },
      ),
    );
    logFindings(log, page.diagnostics);
    const { episodes, bytes } = need(page);
    const size = `${(bytes / 1e6).toFixed(1)} MB`;
    const open = { label: "Open in browser", press: () => vscode.env.openExternal(to) };
    inform(`Exported ${episodes} episodes to ${basename(to.fsPath)}, ${size}.`, open);
    return to;
  }

  return registerCommand(log, COMMANDS.exportRun, exportRun);
}
