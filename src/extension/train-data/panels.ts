import * as vscode from "vscode";
import type { Connection } from "../../protocol/connection.ts";
import type { SkillStep, TrainingHost, TrainingPage, TrainingView } from "../../protocol/training.ts";
import { FROM_TRAINING } from "../../protocol/training-checks.ts";
import { TRAINING_PANEL } from "../contributions.ts";
import { guarded } from "../failure.ts";
import { answerCommon, connectWebview } from "../replay/connection.ts";
import type { EditorServices } from "../services.ts";
import { showView, type ViewPage } from "../webview-page.ts";

const TRAINING_PAGE: ViewPage = { title: "Training data", element: "hasp-training", script: "training.js" };

/** Work behind the buttons and links of a page. A failure is shown as a notification. */
export interface PageActions {
  readonly openRow?: (card: number, row: number) => Promise<unknown>;
  readonly openSkillStep?: (skill: number, step: SkillStep) => Promise<unknown>;
  readonly writeFiles?: () => Promise<unknown>;
  readonly change?: () => Promise<unknown>;
  readonly openFolder?: () => Promise<unknown>;
  readonly openFile?: (card: number) => Promise<unknown>;
  readonly openRaw?: (card: number) => Promise<unknown>;
  readonly showSignals?: (card: number, source: number) => Promise<unknown>;
  readonly openRun?: () => Promise<unknown>;
  readonly openEpisode?: (id: string, t: number) => Promise<unknown>;
  readonly openPlace?: (finding: number, place: number) => Promise<unknown>;
}

/** A page with its actions, and the title of its tab. */
export interface ShownPage {
  readonly tab: string;
  readonly page: TrainingPage;
  readonly actions: PageActions;
}

interface OpenPanel {
  readonly panel: vscode.WebviewPanel;
  readonly connection: Connection<TrainingView, TrainingHost>;
  shown: ShownPage;
}

export type TrainingPanels = ReturnType<typeof openTrainingPanels>;

/** Answers the view by the page that the panel shows at that moment. */
function answer(opened: OpenPanel, log: vscode.LogOutputChannel): void {
  const { connection } = opened;
  // A command may take as long as a person thinks: the view does not wait for it.
  const start = (what: string, work: Promise<unknown> | undefined): null => {
    if (work !== undefined) void guarded(log, what, () => work)();
    return null;
  };
  const act = (): PageActions => opened.shown.actions;
  connection.handle("open", async () => opened.shown.page);
  connection.handle("openRow", async ({ card, row }) =>
    start("Opening the step failed", act().openRow?.(card, row)),
  );
  connection.handle("openSkillStep", async ({ skill, step }) =>
    start("Opening the step failed", act().openSkillStep?.(skill, step)),
  );
  connection.handle("writeFiles", async () => start("Writing training data failed", act().writeFiles?.()));
  connection.handle("change", async () => start("Build Training Data failed", act().change?.()));
  connection.handle("openFolder", async () => start("Opening the folder failed", act().openFolder?.()));
  connection.handle("openFile", async ({ card }) => start("Opening the file failed", act().openFile?.(card)));
  connection.handle("openRaw", async ({ card }) => start("Opening the file failed", act().openRaw?.(card)));
  connection.handle("showSignals", async ({ card, source }) =>
    start("Show Signals failed", act().showSignals?.(card, source)),
  );
  connection.handle("openRun", async () => start("Opening the run failed", act().openRun?.()));
  connection.handle("openEpisode", async ({ id, t }) =>
    start("Opening the episode failed", act().openEpisode?.(id, t)),
  );
  connection.handle("openPlace", async ({ finding, place }) =>
    start("Opening the file failed", act().openPlace?.(finding, place)),
  );
  answerCommon(connection);
}

/** The views of training data and signals, one for each key: a preview, a folder, a run. */
export function openTrainingPanels({ context, log }: Pick<EditorServices, "context" | "log">) {
  const panels = new Map<string, OpenPanel>();

  function open(key: string, shown: ShownPage): void {
    const panel = vscode.window.createWebviewPanel(TRAINING_PANEL, shown.tab, vscode.ViewColumn.Active, {
      enableFindWidget: true,
    });
    const connection = connectWebview<TrainingView, TrainingHost>(panel.webview, FROM_TRAINING, log);
    const opened = { panel, connection, shown };
    panels.set(key, opened);
    panel.onDidDispose(() => {
      for (const [at, one] of panels) if (one === opened) panels.delete(at);
    });
    answer(opened, log);
    showView(panel.webview, context.extensionUri, TRAINING_PAGE);
  }

  return {
    /** Shows the page in the tab of the key, or in a new one. */
    show(key: string, shown: ShownPage): TrainingPage {
      const opened = panels.get(key);
      if (opened === undefined) open(key, shown);
      else {
        opened.shown = shown;
        opened.panel.title = shown.tab;
        opened.panel.reveal();
        opened.connection.send("changed", null);
      }
      return shown.page;
    },
    /** The tab of one key becomes that of another, as a preview does whose files are written. */
    rename(from: string, to: string): void {
      const opened = panels.get(from);
      if (opened === undefined) return;
      panels.get(to)?.panel.dispose();
      panels.delete(from);
      panels.set(to, opened);
    },
    dispose(): void {
      for (const { panel } of panels.values()) panel.dispose();
    },
  };
}
