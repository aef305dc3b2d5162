import { basename, extname, join } from "node:path";
import * as vscode from "vscode";
import { importEpisodes, type ImportOrder } from "../../app/import-episodes.ts";
import { counted } from "../../model/counted.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { asOnlyWriter } from "../../platform/run-lock.ts";
import { IMPORT_FORMATS, type ImportFormat, isImportFormat } from "../../trace/formats/formats.ts";
import { type Importer, startImporter } from "../../platform/worker-import.ts";
import type { ImportedFile } from "../../trace/import-counts.ts";
import type { ImportedRun } from "../../trace/import-run.ts";
import { need } from "../checked.ts";
import { registerCommand } from "../commands.ts";
import { COMMANDS } from "../contributions.ts";
import { logFindings } from "../log-findings.ts";
import { inform, inNotification } from "../notification.ts";
import { subjectOf } from "../tree.ts";
import { pickRoot } from "../workspace/roots.ts";
import { requireTrust } from "../workspace/trust.ts";
import { UNKNOWN_FORMAT } from "../../trace/import-findings.ts";
import { askAnswers } from "./ask-answers.ts";
import { describeCounts, EPISODES } from "./find-runs.ts";
import { asFileName, newRunFolder } from "./new-run-folder.ts";
import type { Services } from "../services.ts";

/** The argument from code; a person is asked for what is missing. */
export interface ImportArguments {
  readonly format?: ImportFormat;
  readonly source?: vscode.Uri;
  /** Of recorded answers: the domain that they are read in. */
  readonly domain?: string;
  /** Of recorded answers: the file with their questions. */
  readonly questions?: vscode.Uri;
}

async function askFormat(file: string): Promise<ImportFormat | undefined> {
  const picks = Object.entries(IMPORT_FORMATS).map(([label, detail]) => ({ label, detail }));
  const placeHolder = `The format of ${basename(file)} was not recognised. Which is it?`;
  const picked = await vscode.window.showQuickPick(picks, { title: "HASP: Import Episodes", placeHolder });
  return picked !== undefined && isImportFormat(picked.label) ? picked.label : undefined;
}

/** How files are to be read; a format only where a person or the caller had to name it. */
type Reading = Pick<ImportOrder, "format" | "domain" | "questions">;

/** Undefined where a person would not say what the files do not. */
async function askReading(
  importer: Importer,
  { root, sources }: { readonly root: vscode.Uri; readonly sources: readonly vscode.Uri[] },
  given: ImportArguments,
): Promise<Reading | undefined> {
  let { format } = given;
  if (format !== undefined && format !== "answers") return { format };
  let hasAnswers = format === "answers";
  let lacksQuestions = false;
  for (const { fsPath } of sources) {
    const looked = await importer.lookAt(fsPath);
    if (!("code" in looked)) {
      hasAnswers ||= looked.format === "answers";
      lacksQuestions ||= looked.lacksQuestions === true;
    } else if (looked.code === UNKNOWN_FORMAT && format === undefined) {
      format = await askFormat(fsPath);
      if (format === undefined) return undefined;
      hasAnswers ||= format === "answers";
    }
  }
  if (!hasAnswers) return { format };
  const answers = await askAnswers(`HASP: ${COMMANDS.importEpisodes.title}`, { root, lacksQuestions }, given);
  return answers && { format, ...answers };
}

async function askSources(): Promise<readonly vscode.Uri[]> {
  const filters = { Trajectories: ["jsonl", "json", "traj", "eval", "ndjson"], "All files": ["*"] };
  const options = { title: "Trajectories to import", openLabel: "Import", canSelectMany: true, filters };
  return (await vscode.window.showOpenDialog(options)) ?? [];
}

/** Logs what of a file was mapped, kept and dropped. */
function logFile(log: vscode.LogOutputChannel, { file, format, episodes, ...rest }: ImportedFile): void {
  log.info(`${file}: ${format}, ${episodes} episodes`);
  for (const fate of ["mapped", "kept", "dropped", "unknown"] as const) {
    const words = rest[fate].map(({ what, to, times }) => `${what} (${times}): ${to}`);
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
        importRun: (followed) => importer.importRun(followed),
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
      const root = await pickRoot("Folder that is to hold the run");
      if (root === undefined) return undefined;
      const reading = await askReading(importer, { root: root.uri, sources }, given);
      if (reading === undefined) return undefined;
      const name = asFileName(basename(first.fsPath, extname(first.fsPath)));
      const folder = await newRunFolder(files, root.uri, name);
      const paths = sources.map(({ fsPath }) => fsPath);
      await importInto(importer, { ...reading, sources: paths, folder });
      const file = vscode.Uri.file(join(folder, EPISODES));
      await editor.open(file);
      return file;
    } finally {
      await importer.close();
    }
  }

  return registerCommand(log, COMMANDS.importEpisodes, command);
}
