import * as vscode from "vscode";
import { type ImportReport, isOdd } from "../../model/import-report.ts";
import type { ImportPage, TrainingPage } from "../../protocol/training.ts";
import { readReport } from "../../trace/stored-report.ts";
import { runPaths } from "../../trace/run-paths.ts";
import { fieldsOf } from "../commands.ts";
import { COMMANDS } from "../contributions.ts";
import { Unmet } from "../failure.ts";
import type { EditorServices } from "../services.ts";
import { openTrainingPanels } from "../train-data/panels.ts";
import { subjectOf } from "../tree.ts";
import { wayTo } from "../unmet.ts";
import { usable } from "../usable.ts";
import type { FoundRun } from "./find-runs.ts";
import { pickRun } from "./pick-run.ts";

/** Files that a page lists; the others are counted, and the JSON has them. */
const MOST_FILES = 500;

/** The report as a page shows it: files to look at come first. */
function importPage(title: string, run: string, report: ImportReport): ImportPage {
  const { files, ...rest } = report;
  const sorted = [...files.filter(isOdd), ...files.filter((file) => !isOdd(file))];
  return {
    kind: "import",
    title,
    run,
    report: rest,
    read: files.length,
    odd: files.filter(isOdd).length,
    files: sorted
      .slice(0, MOST_FILES)
      .map(({ file, format, firstEpisode, episodes, steps, problems, unknown }) => ({
        file,
        format,
        ...(firstEpisode !== undefined && { firstEpisode }),
        episodes,
        steps,
        problems,
        unknown: unknown.length,
      })),
  };
}

/** The pages with reports of imports. */
export interface ImportReports extends vscode.Disposable {
  /** Shows the report of a run; `file`: its `episodes.jsonl`. */
  show(file: vscode.Uri): Promise<TrainingPage>;
  /** `HASP: Show Import Report`. */
  command(argument: unknown): Promise<TrainingPage | undefined>;
}

type ReportServices = Pick<EditorServices, "context" | "log" | "files" | "runs" | "runsTree" | "editor">;

export function openImportReports(services: ReportServices): ImportReports {
  const { files, runs, editor } = services;
  const panels = openTrainingPanels(services);

  async function openEpisode(file: vscode.Uri, id: string, t: number): Promise<void> {
    const { index, title } = await runs.read(file);
    const position = index.entries.findIndex(({ head }) => head.id === id);
    if (position === -1)
      throw new Unmet(`${title} has no episode ${id} any more.`, "Import the files again for a new report.");
    await editor.open(file, { index: position, t });
  }

  async function show(file: vscode.Uri): Promise<TrainingPage> {
    const run = await runs.read(file);
    const again = wayTo(COMMANDS.importEpisodes);
    const report = usable(await readReport(files, run.folder), again);
    const place = (finding: number, at: number) => report.findings[finding]?.places[at];
    return panels.show(`import:${file.toString()}`, {
      tab: `Import of ${run.title.replace(/ \(imported\)$/, "")}`,
      page: importPage(run.title, vscode.workspace.asRelativePath(run.folder), report),
      actions: {
        openRun: () => editor.open(file),
        openEpisode: (id, t) => openEpisode(file, id, t),
        openPlace: async (finding, at) => {
          const { file: source, line } = place(finding, at) ?? {};
          if (source !== undefined) await openLine(vscode.Uri.file(files.absolute(source)), line);
        },
        openRaw: () => openLine(vscode.Uri.file(runPaths(run.folder).importReport), undefined),
      },
    });
  }

  async function pick(): Promise<vscode.Uri | undefined> {
    const imported = (await runs.list()).filter(hasReport);
    if (imported.length === 0) {
      const next = "Import the sessions or trajectories of another program.";
      throw new Unmet(
        "No run of this workspace has a report of its import.",
        next,
        wayTo(COMMANDS.importEpisodes),
      );
    }
    const title = `HASP: ${COMMANDS.showImportReport.title}`;
    return pickRun({ list: async () => imported }, { title, purpose: "whose import report is shown" });
  }

  return {
    show,
    async command(argument) {
      const { run } = fieldsOf(argument);
      const given = run instanceof vscode.Uri ? run : subjectOf(argument);
      const named = given ?? (await shownImport(services)) ?? (await pick());
      return named === undefined ? undefined : show(named);
    },
    dispose: () => panels.dispose(),
  };
}

const hasReport = ({ hasImportReport }: FoundRun): boolean => hasImportReport;

/** The run that is selected or shown, if it has a report. */
async function shownImport({ runs, runsTree, editor }: ReportServices): Promise<vscode.Uri | undefined> {
  const file = runsTree.selected() ?? editor.shown()?.file;
  return file !== undefined && hasReport(await runs.read(file)) ? file : undefined;
}

async function openLine(file: vscode.Uri, line: number | undefined): Promise<void> {
  const at = new vscode.Position((line ?? 1) - 1, 0);
  const options = line === undefined ? undefined : { selection: new vscode.Range(at, at) };
  await vscode.commands.executeCommand("vscode.open", file, options);
}
