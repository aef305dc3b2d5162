import { basename, extname, join } from "node:path";
import * as vscode from "vscode";
import { importEpisodes, type ImportOrder } from "../../app/import-episodes.ts";
import { counted } from "../../model/counted.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { asOnlyWriter } from "../../platform/run-lock.ts";
import { IMPORT_FORMATS, type ImportFormat, isImportFormat } from "../../trace/formats/formats.ts";
import { type Importer, startImporter } from "../../platform/worker-import.ts";
import type { ImportedFile, ImportedRun } from "../../trace/import-run.ts";
import { need } from "../checked.ts";
import { registerCommand } from "../commands.ts";
import { COMMANDS } from "../contributions.ts";
import { logFindings } from "../log-findings.ts";
import { inform, inNotification } from "../notification.ts";
import { subjectOf } from "../tree.ts";
import { pickRoot } from "../workspace/roots.ts";
import { requireTrust } from "../workspace/trust.ts";
import { UNKNOWN_FORMAT } from "../../trace/import-findings.ts";
import { describeCounts, EPISODES } from "./find-runs.ts";
import { asFileName, newRunFolder } from "./new-run-folder.ts";
import type { Services } from "../services.ts";

/** The argument from code; a person is asked for what is missing. */
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
  importer: Importer,
  sources: readonly vscode.Uri[],
): Promise<{ readonly format: ImportFormat | undefined } | undefined> {
  for (const { fsPath } of sources) {
    const looked = await importer.lookAt(fsPath);
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

/** Logs what of a file was mapped, kept and dropped. */
function logFile(log: vscode.LogOutputChannel, { file, format, episodes, ...ledger }: ImportedFile): void {
  log.info(`${file}: ${format}, ${episodes} episodes`);
  for (const [fate, entries] of Object.entries(ledger)) {
    const words = entries.map(({ what, to, times }) => `${what} (${times}): ${to}`);
    if (words.length > 0) log.info(`  ${fate}: ${words.join("; ")}`);
  }
}

function describe(imported: ImportedRun, findings: readonly Diagnostic[]): string {
  const counts = describeCounts(imported.outcomes);
  const invalid = imported.invalidSteps > 0 ? ` ${imported.invalidSteps} steps had no readable action.` : "";
  const found = findings.filter(({ severity }) => severity !== "information").length;
  const lines = found > 0 ? ` ${counted(found, "finding")}: the log names them.` : "";
  return `Imported ${imported.episodes} episodes: ${counts}.${invalid}${lines}`;
}

/** `HASP: Import Episodes`: another program's trajectories become a run of this workspace, which then opens. */
export function registerImportEpisodes({
  editorServices,
}: Pick<Services, "editorServices">): vscode.Disposable {
  const { log, files, workerFile, editor } = editorServices;
  async function importInto(importer: Importer, order: ImportOrder): Promise<void> {
    const [first = "", ...more] = order.sources;
    const title = `Importing ${more.length === 0 ? basename(first) : `${order.sources.length} files`}`;
    const { value, diagnostics } = await inNotification(title, (signal, on) =>
      importEpisodes(order, {
        importRun: (request) => importer.importRun(request),
        asOnlyWriter,
        signal,
        on,
      }),
    );
    logFindings(log, diagnostics);
    // The first finding names the cause; the last one only that nothing is left.
    const imported = need({ value, diagnostics: diagnostics.slice(0, 1) });
    for (const file of imported.files) logFile(log, file);
    inform(describe(imported, diagnostics));
  }

  async function command(argument?: unknown): Promise<vscode.Uri | undefined> {
    requireTrust("Importing episodes into it");
    const given = (argument ?? {}) as ImportArguments;
    const one = subjectOf(argument) ?? given.source;
    const sources = one === undefined ? await askSources() : [one];
    const [first] = sources;
    if (first === undefined) return undefined;
    const importer = startImporter({ workerFile, files });
    try {
      const said = given.format === undefined ? await askFormatWhereUnknown(importer, sources) : given;
      const root = said === undefined ? undefined : await pickRoot("Folder that is to hold the run");
      if (said === undefined || root === undefined) return undefined;
      const name = asFileName(basename(first.fsPath, extname(first.fsPath)));
      const folder = await newRunFolder(files, root.uri, name);
      const paths = sources.map(({ fsPath }) => fsPath);
      await importInto(importer, { format: said.format, sources: paths, folder });
      const file = vscode.Uri.file(join(folder, EPISODES));
      await editor.open(file);
      return file;
    } finally {
      await importer.close();
    }
  }

  return registerCommand(log, COMMANDS.importEpisodes, command);
}
