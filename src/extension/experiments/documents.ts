import * as vscode from "vscode";
import { Unmet } from "../failure.ts";
import type { Experiments } from "./experiments.ts";

/** Pages about experiments, as read-only documents. */
const SCHEME = "hasp-experiment";
const REPORT = "report.md";

async function pageText(experiments: Experiments, page: vscode.Uri): Promise<string> {
  const folder = vscode.Uri.joinPath(page, "..").with({ scheme: "file" });
  const { reportPage } = await import("./report-page.ts");
  const { name, report, work } = await experiments.read(folder);
  const { value, diagnostics } = report;
  if (value === undefined)
    throw new Unmet(diagnostics.at(-1)?.message ?? "It cannot be read.", "The log has the details.");
  return reportPage(name, value, work, new Date().toISOString());
}

/** Serves the pages, which follow the experiment while they are open. */
export function registerPages(experiments: Experiments): vscode.Disposable {
  const changed = new vscode.EventEmitter<vscode.Uri>();
  return vscode.Disposable.from(
    changed,
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
      onDidChange: changed.event,
      provideTextDocumentContent: (page) => pageText(experiments, page),
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
