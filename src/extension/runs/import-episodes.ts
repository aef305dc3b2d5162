import { basename, extname } from "node:path";
import * as vscode from "vscode";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { NodeFiles } from "../../platform/files.ts";
import { asOnlyWriter } from "../../platform/run-lock.ts";
import { IMPORT_FORMATS, type ImportFormat, isImportFormat } from "../../trace/formats/formats.ts";
import { lookAtSource } from "../../trace/import-file.ts";
import {
  type ImportedFile,
  type ImportedRun,
  type ImportProgress,
  importRun,
} from "../../trace/import-run.ts";
import type { Clock } from "../../trace/ports.ts";
import { registerCommand } from "../commands.ts";
import { COMMANDS } from "../contributions.ts";
import { Failure } from "../failure.ts";
import type { RunEditor } from "../replay/editor.ts";
import { subjectOf } from "../tree.ts";
import { pickRoot } from "../workspace/roots.ts";
import { requireTrust } from "../workspace/trust.ts";
import { UNKNOWN_FORMAT } from "../../trace/import-findings.ts";
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

async function askFormat(file: string): Promise<ImportFormat | undefined> {
  const picks = Object.entries(IMPORT_FORMATS).map(([label, detail]) => ({ label, detail }));
  const placeHolder = `The format of ${basename(file)} was not recognised. Which is it?`;
  const picked = await vscode.window.showQuickPick(picks, { title: "HASP: Import Episodes", placeHolder });
  return picked !== undefined && isImportFormat(picked.label) ? picked.label : undefined;
}

/** The files; a format only where a person had to say it. Undefined where they would not. */
async function askFormatWhereUnknown(
  files: NodeFiles,
  sources: readonly vscode.Uri[],
): Promise<{ readonly format: ImportFormat | undefined } | undefined> {
  for (const { fsPath } of sources) {
    const looked = await lookAtSource(files, fsPath);
    if (!("code" in looked) || looked.code !== UNKNOWN_FORMAT) continue;
    const format = await askFormat(fsPath);
    return format === undefined ? undefined : { format };
  }
  return { format: undefined };
}

async function askSources(): Promise<readonly vscode.Uri[]> {
  const filters = { Trajectories: ["jsonl", "json", "traj", "eval", "ndjson"], "All files": ["*"] };
  const options = { title: "Trajectories to import", openLabel: "Import", canSelectMany: true, filters };
  return (await vscode.window.showOpenDialog(options)) ?? [];
}

/** What the log says of a file: what was mapped, kept and dropped. */
function logFile(log: vscode.LogOutputChannel, { file, format, episodes, ...ledger }: ImportedFile): void {
  log.info(`${file}: ${format}, ${episodes} episodes`);
  for (const [fate, entries] of Object.entries(ledger)) {
    const words = entries.map(({ what, to, times }) => `${what} (${times}): ${to}`);
    if (words.length > 0) log.info(`  ${fate}: ${words.join("; ")}`);
  }
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
  const found = findings.filter(({ severity }) => severity !== "information").length;
  const lines = found > 0 ? ` ${found} ${found === 1 ? "finding" : "findings"}: the log names them.` : "";
  return `Imported ${imported.episodes} episodes: ${counts}.${invalid}${lines}`;
}

/** `HASP: Import Episodes`: another program's trajectories become a run of this workspace, which then opens. */
export function registerImportEpisodes({ log, files, clock, editor }: Services): vscode.Disposable {
  async function importInto(
    folder: vscode.Uri,
    format: ImportFormat | undefined,
    sources: readonly vscode.Uri[],
  ): Promise<ImportedRun> {
    const paths = sources.map(({ fsPath }) => fsPath);
    const options = {
      location: vscode.ProgressLocation.Notification,
      title:
        sources.length === 1 ? `Importing ${basename(paths[0] ?? "")}` : `Importing ${sources.length} files`,
      cancellable: true,
    };
    const { value, diagnostics } = await vscode.window.withProgress(options, (progress, token) => {
      const stop = new AbortController();
      token.onCancellationRequested(() => stop.abort());
      const request = { format, sources: paths, folder: folder.fsPath, signal: stop.signal };
      return asOnlyWriter(folder.fsPath, () =>
        importRun(files, clock, { ...request, onProgress: report(progress) }),
      );
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
    for (const file of value.files) logFile(log, file);
    void vscode.window.showInformationMessage(describe(value, diagnostics));
    return value;
  }

  async function importEpisodes(argument?: unknown): Promise<vscode.Uri | undefined> {
    requireTrust("Importing episodes into it");
    const given = (argument ?? {}) as ImportArguments;
    const one = subjectOf(argument) ?? given.source;
    const sources = one === undefined ? await askSources() : [one];
    const [first] = sources;
    if (first === undefined) return undefined;
    const said = given.format === undefined ? await askFormatWhereUnknown(files, sources) : given;
    const root = said === undefined ? undefined : await pickRoot("Folder that is to hold the run");
    if (said === undefined || root === undefined) return undefined;
    const folder = await freeFolder(files, root.uri, first);
    await importInto(folder, said.format, sources);
    const file = vscode.Uri.joinPath(folder, EPISODES);
    await editor.open(file);
    return file;
  }

  return registerCommand(log, COMMANDS.importEpisodes, importEpisodes);
}
