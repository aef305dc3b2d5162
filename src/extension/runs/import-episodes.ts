import { basename, extname } from "node:path";
import * as vscode from "vscode";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { NodeFiles } from "../../platform/files.ts";
import { IMPORT_FORMATS, type ImportFormat } from "../../trace/import-react.ts";
import { type ImportedRun, type ImportProgress, importRun } from "../../trace/import-run.ts";
import type { Clock } from "../../trace/ports.ts";
import { registerCommand } from "../commands.ts";
import { COMMANDS } from "../contributions.ts";
import { Failure } from "../failure.ts";
import type { RunEditor } from "../replay/editor.ts";
import { subjectOf } from "../tree.ts";
import { pickRoot } from "../workspace/roots.ts";
import { requireTrust } from "../workspace/trust.ts";
import { describeCounts, EPISODES } from "./find-runs.ts";

interface Services {
  readonly log: vscode.LogOutputChannel;
  readonly files: NodeFiles;
  readonly clock: Clock;
  readonly editor: RunEditor;
}

/** What the command takes from code; a person is asked for what is missing. */
export interface ImportArguments {
  readonly format?: ImportFormat;
  readonly source?: vscode.Uri;
}

const FORMATS: Record<ImportFormat, string> = {
  reflexion: "ReAct trials on HotpotQA with Search, Lookup and Finish",
  fireact: "Episodes of fine-tuned models with search and finish",
};

async function askFormat(): Promise<ImportFormat | undefined> {
  const picks = IMPORT_FORMATS.map((format) => ({ label: format, detail: FORMATS[format], format }));
  const options = { title: "HASP: Import Episodes", placeHolder: "Format of the file" };
  return (await vscode.window.showQuickPick(picks, options))?.format;
}

async function askSource(): Promise<vscode.Uri | undefined> {
  const filters = { "JSON lines": ["jsonl", "json"] };
  const chosen = await vscode.window.showOpenDialog({
    title: "Trajectories to import",
    openLabel: "Import",
    filters,
  });
  return chosen?.[0];
}

async function freeFolder(files: NodeFiles, root: vscode.Uri, source: vscode.Uri): Promise<vscode.Uri> {
  const name = basename(source.fsPath, extname(source.fsPath)).replaceAll(/[^\w.-]+/g, "-");
  for (let count = 1; ; count++) {
    const folder = vscode.Uri.joinPath(root, ".hasp", "runs", count === 1 ? name : `${name}-${count}`);
    if (!(await files.exists(folder.fsPath))) return folder;
  }
}

function report(
  progress: vscode.Progress<{ message?: string; increment?: number }>,
): (now: ImportProgress) => void {
  let shown = 0;
  return ({ episodes, readBytes, totalBytes }) => {
    const percent = Math.floor((100 * readBytes) / Math.max(1, totalBytes));
    if (percent === shown) return;
    progress.report({ message: `${episodes} episodes`, increment: percent - shown });
    shown = percent;
  };
}

function describe(imported: ImportedRun, findings: readonly Diagnostic[]): string {
  const counts = describeCounts(imported.outcomes);
  const invalid = imported.invalidSteps > 0 ? ` ${imported.invalidSteps} steps had no readable action.` : "";
  const lines = findings.length > 0 ? ` ${findings.length} lines were left out; the log names them.` : "";
  return `Imported ${imported.episodes} episodes: ${counts}.${invalid}${lines}`;
}

/** `HASP: Import Episodes`: another program's trajectories become a run of this workspace, which then opens. */
export function registerImportEpisodes({ log, files, clock, editor }: Services): vscode.Disposable {
  async function importInto(
    folder: vscode.Uri,
    format: ImportFormat,
    source: vscode.Uri,
  ): Promise<ImportedRun> {
    const options = {
      location: vscode.ProgressLocation.Notification,
      title: `Importing ${basename(source.fsPath)}`,
      cancellable: true,
    };
    const { value, diagnostics } = await vscode.window.withProgress(options, (progress, token) => {
      const stop = new AbortController();
      token.onCancellationRequested(() => stop.abort());
      const request = { format, source: source.fsPath, folder: folder.fsPath };
      return importRun(files, clock, { ...request, signal: stop.signal, onProgress: report(progress) });
    });
    for (const { file, range, message } of diagnostics)
      log.warn(`${file}:${range.start.line + 1} ${message}`);
    if (value === undefined) {
      const [first] = diagnostics;
      throw new Failure(
        first?.message ?? "No episode was found.",
        first?.next ?? "Check the file and its format.",
      );
    }
    void vscode.window.showInformationMessage(describe(value, diagnostics));
    return value;
  }

  async function importEpisodes(argument?: unknown): Promise<vscode.Uri | undefined> {
    requireTrust("Importing episodes into it");
    const given = (argument ?? {}) as ImportArguments;
    const source = subjectOf(argument) ?? given.source ?? (await askSource());
    const format = source === undefined ? undefined : (given.format ?? (await askFormat()));
    const root = format === undefined ? undefined : await pickRoot("Folder that is to hold the run");
    if (source === undefined || format === undefined || root === undefined) return undefined;
    const folder = await freeFolder(files, root.uri, source);
    await importInto(folder, format, source);
    const file = vscode.Uri.joinPath(folder, EPISODES);
    await editor.open(file);
    return file;
  }

  return registerCommand(log, COMMANDS.importEpisodes, importEpisodes);
}
