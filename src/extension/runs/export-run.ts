import { Buffer } from "node:buffer";
import { basename } from "node:path";
import * as vscode from "vscode";
import { judgedBy, pageOfRun, UNJUDGED, type PageJudges, type RunPage } from "../../analysis/export-page.ts";
import { openLibrary } from "../../analysis/library.ts";
import { librarySnapshot } from "../../evaluation/library-refs.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { NodeFiles } from "../../platform/files.ts";
import { readPageBundle, sha256Base64 } from "../../platform/page-bundle.ts";
import type { PfHost } from "../../sandbox/pf-host.ts";
import type { Compiler } from "../../skill/compiler.ts";
import { readNotes } from "../../trace/notes.ts";
import type { Clock } from "../../trace/ports.ts";
import { registerCommand } from "../commands.ts";
import { COMMANDS } from "../contributions.ts";
import { Failure } from "../failure.ts";
import { viewFolder } from "../webview-page.ts";
import { subjectOf } from "../tree.ts";
import type { LibrarySource } from "../workspace/library.ts";
import { parentOf } from "../workspace/skill-folders.ts";
import { noRun } from "../unmet.ts";
import { describeCounts, type FoundRun, type Runs } from "./find-runs.ts";

interface Services {
  readonly extension: vscode.Uri;
  readonly log: vscode.LogOutputChannel;
  readonly files: NodeFiles;
  readonly clock: Clock;
  readonly runs: Pick<Runs, "list" | "read">;
  readonly library: Pick<LibrarySource, "list" | "read">;
  readonly compiler: Compiler;
  readonly startHost: () => PfHost;
}

const TITLE = "HASP: Export Run";

/** What tests and other extensions give; a person is asked for what is missing. */
interface ExportArguments {
  /** The `episodes.jsonl`. */
  readonly run?: vscode.Uri;
  readonly to?: vscode.Uri;
  /** Whether today's library judges the steps. */
  readonly judged?: boolean;
}

function argumentsOf(argument: unknown): ExportArguments {
  const isGiven = typeof argument === "object" && argument !== null && "run" in argument;
  return isGiven ? (argument as ExportArguments) : {};
}

async function chooseRun(runs: Pick<Runs, "list">): Promise<vscode.Uri | undefined> {
  const found = await runs.list();
  if (found.length === 0) throw noRun("to export");
  const picks = found.map(({ title, counts, file }) => ({
    label: `$(history) ${title}`,
    description: describeCounts(counts),
    file,
  }));
  const options = { title: TITLE, placeHolder: "Run to export as a page", matchOnDescription: true };
  return (await vscode.window.showQuickPick(picks, options))?.file;
}

async function chooseJudged(): Promise<boolean | undefined> {
  // Judging runs the workspace's code.
  if (!vscode.workspace.isTrusted) return false;
  const picks = [
    {
      label: "With today's library",
      detail: "Each step also shows what today's skills decide.",
      judged: true,
    },
    { label: "As recorded", detail: "Only what the episodes hold: a smaller page.", judged: false },
  ];
  return (await vscode.window.showQuickPick(picks, { title: TITLE, placeHolder: "Content of the page" }))
    ?.judged;
}

function chooseFile(run: FoundRun): Thenable<vscode.Uri | undefined> {
  const name = `${basename(run.folder).replaceAll(/[^\w.-]+/g, "-")}.html`;
  const [root] = vscode.workspace.workspaceFolders ?? [];
  return vscode.window.showSaveDialog({
    title: TITLE,
    saveLabel: "Export",
    filters: { "HTML page": ["html"] },
    defaultUri: vscode.Uri.joinPath(root?.uri ?? parentOf(parentOf(run.file)), name),
  });
}

/** `HASP: Export Run`: a run as one HTML page that anyone can open. */
export function registerExportRun(services: Services): vscode.Disposable {
  const { extension, log, files, clock, runs, library, compiler, startHost } = services;

  /** Calls `work` with whoever judges; the sandbox ends with it. */
  async function withJudges<T>(judged: boolean, work: (judges: PageJudges) => Promise<T>): Promise<T> {
    if (!judged) return work(UNJUDGED);
    const host = startHost();
    try {
      const opened = await openLibrary(await library.read(await library.list()), host);
      logAll(opened.diagnostics);
      return await work(judgedBy({ library: opened, host, compiler }, librarySnapshot(opened, clock.now())));
    } finally {
      await host.close();
    }
  }

  function logAll(diagnostics: readonly Diagnostic[]): void {
    for (const { file, range, message } of diagnostics)
      log.warn(`${file}:${range.start.line + 1} ${message}`);
  }

  async function makePage(run: FoundRun, judged: boolean): Promise<RunPage> {
    const options = {
      location: vscode.ProgressLocation.Notification,
      title: `Exporting ${run.title}`,
      cancellable: true,
    };
    return vscode.window.withProgress(options, async (progress, token) => {
      const stop = new AbortController();
      token.onCancellationRequested(() => stop.abort(new vscode.CancellationError()));
      const { notes, diagnostics } = await readNotes(files, run.folder);
      const bundle = await readPageBundle(viewFolder(extension).fsPath);
      const page = await withJudges(judged, (judges) =>
        pageOfRun({
          run,
          files,
          bundle,
          notes,
          judges,
          sha256: sha256Base64,
          signal: stop.signal,
          onProgress: (done, total) =>
            progress.report({ message: `${done} of ${total} episodes`, increment: 100 / total }),
        }),
      );
      logAll([...diagnostics, ...page.diagnostics]);
      if (page.value !== undefined) return page.value;
      const last = page.diagnostics.at(-1);
      throw new Failure(last?.message ?? "The run cannot be exported.", last?.next ?? "The log says why.");
    });
  }

  async function exportRun(argument?: unknown): Promise<vscode.Uri | undefined> {
    const given = argumentsOf(argument);
    const file = given.run ?? subjectOf(argument) ?? (await chooseRun(runs));
    if (file === undefined) return undefined;
    const judged = given.judged ?? (await chooseJudged());
    if (judged === undefined) return undefined;
    const run = await runs.read(file);
    const to = given.to ?? (await chooseFile(run));
    if (to === undefined) return undefined;
    const page = await makePage(run, judged);
    await files.writeText(to.fsPath, page.html);
    const size = `${(Buffer.byteLength(page.html) / 1e6).toFixed(1)} MB`;
    void tell(`Exported ${page.episodes} episodes to ${basename(to.fsPath)}, ${size}.`, to);
    return to;
  }

  async function tell(words: string, page: vscode.Uri): Promise<void> {
    const open = "Open in browser";
    if ((await vscode.window.showInformationMessage(words, open)) === open)
      await vscode.env.openExternal(page);
  }

  return registerCommand(log, COMMANDS.exportRun, exportRun);
}
