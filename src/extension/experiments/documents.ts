import * as vscode from "vscode";
import type { NodeFiles } from "../../platform/files.ts";
import type { ExperimentReport } from "../../training/report.ts";
import { Unmet } from "../failure.ts";
import type { Experiments } from "./experiments.ts";

/** Pages about experiments, as read-only documents. */
const SCHEME = "hasp-experiment";
const REPORT = "report.md";

/** The internalised skills, or why the evaluations do not compare; no lines before these are done. */
async function internalisedLines(
  files: NodeFiles,
  { evaluations }: ExperimentReport,
): Promise<readonly string[]> {
  if (!evaluations.some(({ when }) => when === "after")) return [];
  const { evaluationRuns } = await import("../../training/internalised-runs.ts");
  const { internalisedSkills } = await import("../../app/internalised/report.ts");
  const { internalisedPart, notInternalisedPart } = await import("../../app/internalised/page.ts");
  const runs = await evaluationRuns(files, evaluations);
  const services = { files, signal: new AbortController().signal };
  const { value, diagnostics } =
    runs.value === undefined
      ? { ...runs, value: undefined }
      : await internalisedSkills({ runs: runs.value }, services);
  return value === undefined ? notInternalisedPart(diagnostics, "##") : internalisedPart(value, "##");
}

type LinesOf = (report: ExperimentReport) => Promise<readonly string[]>;

/** The same lines for the same report: a page is asked for anew with each change of any experiment. */
function keptLines(files: NodeFiles): LinesOf {
  const known = new WeakMap<ExperimentReport, Promise<readonly string[]>>();
  return (report) => {
    const lines = known.get(report) ?? internalisedLines(files, report);
    known.set(report, lines);
    lines.catch(() => known.delete(report));
    return lines;
  };
}

async function pageText(experiments: Experiments, linesOf: LinesOf, page: vscode.Uri): Promise<string> {
  const folder = vscode.Uri.joinPath(page, "..").with({ scheme: "file" });
  const { reportPage } = await import("./report-page.ts");
  const { name, report, work } = await experiments.read(folder);
  const { value, diagnostics } = report;
  if (value === undefined)
    throw new Unmet(diagnostics.at(-1)?.message ?? "It cannot be read.", "The log has the details.");
  const internalised = await linesOf(value);
  return reportPage(name, value, { work, internalised, now: new Date().toISOString() });
}

/** Serves the pages, which follow the experiment while they are open. */
export function registerPages(experiments: Experiments, files: NodeFiles): vscode.Disposable {
  const changed = new vscode.EventEmitter<vscode.Uri>();
  const linesOf = keptLines(files);
  return vscode.Disposable.from(
    changed,
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
      onDidChange: changed.event,
      provideTextDocumentContent: (page) => pageText(experiments, linesOf, page),
    }),
    experiments.onDidChange(() => {
      for (const { uri } of vscode.workspace.textDocuments) if (uri.scheme === SCHEME) changed.fire(uri);
    }),
  );
}

/** Shows the report of an experiment as the preview of its Markdown; answers its address. */
export async function showReport(folder: vscode.Uri): Promise<vscode.Uri> {
  const page = vscode.Uri.joinPath(folder, REPORT).with({ scheme: SCHEME, fragment: "" });
  await vscode.commands.executeCommand("markdown.showPreview", page);
  return page;
}
