import { basename, extname, join } from "node:path";
import * as vscode from "vscode";
import { importEpisodes, type ImportOrder } from "../../app/import-episodes.ts";
import { counted } from "../../model/counted.ts";
import type { NodeFiles } from "../../platform/files.ts";
import { asOnlyWriter } from "../../platform/run-lock.ts";
import { IMPORT_FORMATS, type ImportFormat, isImportFormat } from "../../trace/formats/formats.ts";
import { type Importer, startImporter } from "../../platform/worker-import.ts";
import type { ImportedRun } from "../../trace/import-run.ts";
import { need } from "../checked.ts";
import { registerCommand } from "../commands.ts";
import { COMMANDS } from "../contributions.ts";
import { logFindings } from "../log-findings.ts";
import { Unmet } from "../failure.ts";
import { inform, inNotification } from "../notification.ts";
import { subjectOf } from "../tree.ts";
import { wayTo } from "../unmet.ts";
import { pickRoot } from "../workspace/roots.ts";
import { requireTrust } from "../workspace/trust.ts";
import { NOTHING_FOUND, UNKNOWN_FORMAT } from "../../trace/import-findings.ts";
import { askAnswers } from "./ask-answers.ts";
import { askSources } from "./ask-sources.ts";
import { describeCounts, EPISODES } from "./find-runs.ts";
import { openImportReports } from "./import-reports.ts";
import { asFileName, newRunFolder } from "./new-run-folder.ts";
import type { Services } from "../services.ts";

/** The argument from code; a person is asked for what is missing. */
export interface ImportArguments {
  readonly format?: ImportFormat;
  /** A file or a folder. */
  readonly source?: vscode.Uri;
  /** Of recorded answers: the domain that they are read in. */
  readonly domain?: string;
  /** Of recorded answers: the file with their questions. */
  readonly questions?: vscode.Uri;
  /** The file with verdicts on the episodes. */
  readonly verdicts?: vscode.Uri;
}

async function askFormat(file: string): Promise<ImportFormat | undefined> {
  const picks = Object.entries(IMPORT_FORMATS).map(([label, detail]) => ({ label, detail }));
  const placeHolder = `The format of ${basename(file)} was not recognised. Which is it?`;
  const picked = await vscode.window.showQuickPick(picks, { title: "HASP: Import Episodes", placeHolder });
  return picked !== undefined && isImportFormat(picked.label) ? picked.label : undefined;
}

/** How files are to be read; a format only where a person or the caller had to name it. */
type Reading = Pick<ImportOrder, "format" | "domain" | "questions">;

/** Of more files than that the formats are not asked for: those that are not recognised are named in the report. */
const MOST_ASKED = 20;

/** The files among the sources; the search of a folder asks nobody. */
async function filesAmong(files: NodeFiles, sources: readonly vscode.Uri[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { fsPath } of sources) if ((await files.stat(fsPath))?.isFile !== false) found.push(fsPath);
  return found.length > MOST_ASKED ? [] : found;
}

/** Undefined where a person would not say what the files do not. */
async function askReading(
  importer: Importer,
  { root, paths }: { readonly root: vscode.Uri; readonly paths: readonly string[] },
  given: ImportArguments,
): Promise<Reading | undefined> {
  let { format } = given;
  if (format !== undefined && format !== "answers") return { format };
  let hasAnswers = format === "answers";
  let lacksQuestions = false;
  for (const path of paths) {
    const looked = await importer.lookAt(path);
    if (!("code" in looked)) {
      hasAnswers ||= looked.format === "answers";
      lacksQuestions ||= looked.lacksQuestions === true;
    } else if (looked.code === UNKNOWN_FORMAT && format === undefined) {
      format = await askFormat(path);
      if (format === undefined) return undefined;
      hasAnswers ||= format === "answers";
    }
  }
  if (!hasAnswers) return { format };
  const answers = await askAnswers(`HASP: ${COMMANDS.importEpisodes.title}`, { root, lacksQuestions }, given);
  return answers && { format, ...answers };
}

function describe({ episodes, outcomes, invalidSteps, findings, files }: ImportedRun): string {
  const of = files.length === 1 ? "" : ` of ${counted(files.length, "file")}`;
  const invalid = invalidSteps > 0 ? ` ${counted(invalidSteps, "step")} had no readable action.` : "";
  const found = findings
    .filter(({ severity }) => severity !== "information")
    .reduce((sum, { times }) => sum + times, 0);
  const lines = found > 0 ? ` ${counted(found, "finding")}: the report names them.` : "";
  return `Imported ${counted(episodes, "episode")}${of}: ${describeCounts(outcomes)}.${invalid}${lines}`;
}

/** `HASP: Import Episodes`: another program's trajectories become a run of this workspace, which then opens. */
export function registerImportEpisodes({
  editorServices,
}: Pick<Services, "editorServices">): vscode.Disposable {
  const { log, files, workerFile, editor, context } = editorServices;
  const reports = openImportReports(editorServices);

  async function importInto(importer: Importer, order: ImportOrder): Promise<vscode.Uri> {
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
    const [cause] = diagnostics;
    if (value === undefined && cause?.code === NOTHING_FOUND)
      throw new Unmet(cause.message, "Choose other files or another folder.", wayTo(COMMANDS.importEpisodes));
    const imported = need({ value, diagnostics: diagnostics.slice(0, 1) });
    const file = vscode.Uri.file(join(order.folder, EPISODES));
    inform(describe(imported), { label: "Show Report", press: () => reports.show(file) });
    return file;
  }

  async function command(argument?: unknown): Promise<vscode.Uri | undefined> {
    requireTrust("Importing episodes into it");
    const given = (argument ?? {}) as ImportArguments;
    const root = await pickRoot("Folder that is to hold the run");
    if (root === undefined) return undefined;
    const one = subjectOf(argument) ?? given.source;
    const asker = { files, root: root.uri, context };
    const { sources, verdicts } =
      one === undefined ? await askSources(asker) : { sources: [one], verdicts: given.verdicts };
    const [first] = sources;
    if (first === undefined) return undefined;
    const importer = startImporter({ workerFile, files });
    try {
      const paths = await filesAmong(files, sources);
      const reading = await askReading(importer, { root: root.uri, paths }, given);
      if (reading === undefined) return undefined;
      const name = asFileName(basename(first.fsPath, extname(first.fsPath)));
      const folder = await newRunFolder(files, root.uri, name);
      const named = { sources: sources.map(({ fsPath }) => fsPath), verdicts: verdicts?.fsPath };
      const order = { ...reading, ...named, folder };
      const file = await importInto(importer, order);
      await editor.open(file);
      return file;
    } finally {
      await importer.close();
    }
  }

  return vscode.Disposable.from(
    reports,
    registerCommand(log, COMMANDS.importEpisodes, command),
    registerCommand(log, COMMANDS.showImportReport, (subject?: unknown) => reports.command(subject)),
  );
}
