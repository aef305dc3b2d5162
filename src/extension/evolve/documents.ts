import * as vscode from "vscode";
import type { EvolvedCandidate } from "../../model/evolution.ts";
import { Unmet } from "../failure.ts";
import type { Evolutions, FoundEvolution } from "./evolutions.ts";

/** Pages about evolutions, as read-only documents. */
const SCHEME = "hasp-evolution";
const REPORT = "report.md";

/** The page of an evolution; with the fragment of a candidate, that of the candidate. */
function pageOf(folder: vscode.Uri): vscode.Uri {
  const page = folder.fragment === "" ? REPORT : `${folder.fragment}.md`;
  return vscode.Uri.joinPath(folder, page).with({ scheme: SCHEME, fragment: "" });
}

/** The candidate that a fragment names, in whatever epoch. */
export function candidateIn({ report }: FoundEvolution, id: string): EvolvedCandidate {
  const all = (report.value?.epochs ?? []).flatMap(({ candidates }) => candidates);
  const found = all.find((one) => one.id === id);
  if (found !== undefined) return found;
  throw new Unmet(
    `The evolution has no candidate ${id}.`,
    "Choose one that is listed in the view Evolutions.",
  );
}

async function pageText(evolutions: Evolutions, page: vscode.Uri): Promise<string> {
  const folder = vscode.Uri.joinPath(page, "..").with({ scheme: "file" });
  const { candidatePage, reportPage } = await import("./report-page.ts");
  const found = await evolutions.read(folder);
  const name = page.path.slice(page.path.lastIndexOf("/") + 1);
  const { value, diagnostics } = found.report;
  if (value === undefined)
    throw new Unmet(diagnostics.at(-1)?.message ?? "It cannot be read.", "The log has the details.");
  return name === REPORT
    ? reportPage(found.name, value, found.work)
    : candidatePage(candidateIn(found, name.replace(/\.md$/, "")));
}

/** Serves the pages, which follow the evolution while they are open. */
export function registerPages(evolutions: Evolutions): vscode.Disposable {
  const changed = new vscode.EventEmitter<vscode.Uri>();
  return vscode.Disposable.from(
    changed,
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
      onDidChange: changed.event,
      provideTextDocumentContent: (page) => pageText(evolutions, page),
    }),
    evolutions.onDidChange(() => {
      for (const { uri } of vscode.workspace.textDocuments) if (uri.scheme === SCHEME) changed.fire(uri);
    }),
  );
}

/** Shows a page as the preview of its Markdown; answers its address. */
export async function showPage(subject: vscode.Uri): Promise<vscode.Uri> {
  const page = pageOf(subject);
  await vscode.commands.executeCommand("markdown.showPreview", page);
  return page;
}
