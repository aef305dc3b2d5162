import * as vscode from "vscode";
import type { DashboardHost, DashboardPage, DashboardView } from "../../protocol/dashboard.ts";
import { FROM_DASHBOARD } from "../../protocol/dashboard-checks.ts";
import type { NodeFiles } from "../../platform/files.ts";
import { COMMANDS, type CommandContribution, DASHBOARD_PANEL } from "../contributions.ts";
import { guarded } from "../failure.ts";
import { answerCommon, connectWebview } from "../replay/connection.ts";
import type { EditorServices } from "../services.ts";
import { showView, type ViewPage } from "../webview-page.ts";
import { experimentRuns } from "./experiment-runs.ts";
import { type Feed, type FollowedRun, startFeed } from "./feed.ts";
import { jobRuns } from "./job-runs.ts";
import { joinedRuns, type TrainingRuns } from "./training-runs.ts";

const PAGE: ViewPage = { title: "Training dashboard", element: "hasp-dashboard", script: "dashboard.js" };
/** A list reads the report of each experiment that has changed. */
const LIST_EVERY_MS = 1_000;
const LOOK_EVERY_MS = 1_000;

type Needed = Pick<EditorServices, "context" | "log" | "files" | "experiments" | "jobs">;

interface OpenPanel {
  readonly panel: vscode.WebviewPanel;
  readonly feed: Feed;
  /** Shows a run besides those that are shown. */
  focus(run: string): Promise<void>;
}

export type DashboardPanels = ReturnType<typeof dashboardPanels>;

async function saveCsv(files: Pick<NodeFiles, "writeText">, csv: string): Promise<void> {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  const file = await vscode.window.showSaveDialog({
    title: "Save Points as CSV",
    filters: { CSV: ["csv"] },
    ...(folder !== undefined && { defaultUri: vscode.Uri.joinPath(folder.uri, "training.csv") }),
  });
  if (file !== undefined) await files.writeText(file.fsPath, csv);
}

/** The dashboard, in one panel. */
export function dashboardPanels({ context, log, files, experiments, jobs }: Needed) {
  const runs: TrainingRuns = joinedRuns([experimentRuns(experiments), jobRuns(jobs)]);
  let opened: OpenPanel | undefined;

  function answer(panel: vscode.WebviewPanel, first: string | undefined): Pick<OpenPanel, "feed" | "focus"> {
    const connection = connectWebview<DashboardView, DashboardHost>(panel.webview, FROM_DASHBOARD, log);
    const feed = startFeed({
      runs,
      files,
      listEveryMs: LIST_EVERY_MS,
      lookEveryMs: LOOK_EVERY_MS,
      send: connection.send.bind(connection),
      onFailed: (error) => log.error("Reading a training failed", String(error)),
    });
    // A command may take as long as a person thinks: the view does not wait for it.
    const start = (what: string, work: () => Promise<unknown>): null => {
      void guarded(log, what, work)();
      return null;
    };
    let wanted = first;
    connection.handle("open", async (): Promise<DashboardPage> => {
      const page = await feed.open(wanted);
      wanted = undefined;
      return page;
    });
    connection.handle("show", async ({ runs: ids }) => {
      await feed.show(ids);
      return null;
    });
    connection.handle("saveCsv", async () =>
      start("Saving the points failed", () => saveCsv(files, feed.csv())),
    );
    const run = ({ id, title }: CommandContribution): null =>
      start(`${title} failed`, async () => vscode.commands.executeCommand(id));
    connection.handle("submit", async () => run(COMMANDS.submitTrainingJob));
    connection.handle("runExperiment", async () => run(COMMANDS.runExperiment));
    answerCommon(connection);
    return {
      feed,
      async focus(id) {
        // A view that is hidden is not loaded, and asks when it is.
        if (panel.visible) connection.send("runs", await feed.page(id));
        else wanted = id;
      },
    };
  }

  function adopt(panel: vscode.WebviewPanel, first: string | undefined): void {
    opened?.panel.dispose();
    const one: OpenPanel = { panel, ...answer(panel, first) };
    opened = one;
    panel.onDidDispose(() => {
      one.feed.dispose();
      if (opened === one) opened = undefined;
    });
    showView(panel.webview, context.extensionUri, PAGE);
  }

  return {
    /** Shows the dashboard, with this run besides those that it showed; the runs that its view follows at that moment. */
    async open(first: string | undefined): Promise<readonly FollowedRun[]> {
      if (opened === undefined) {
        const { Active } = vscode.ViewColumn;
        adopt(vscode.window.createWebviewPanel(DASHBOARD_PANEL, PAGE.title, Active), first);
        return [];
      }
      if (first !== undefined) await opened.focus(first);
      opened.panel.reveal();
      return opened.feed.followed();
    },
    /** Takes over the panel of a window that was reloaded; its page has kept what it showed. */
    adopt,
    /** The panel stays: a window that is reloaded brings it back. */
    dispose: () => opened?.feed.dispose(),
  };
}
