import * as vscode from "vscode";
import { registerCommand } from "../commands.ts";
import { COMMANDS, DASHBOARD_PANEL } from "../contributions.ts";
import type { Services } from "../services.ts";
import { subjectOf } from "../tree.ts";
import type { DashboardPanels } from "./panel.ts";

/** `HASP: Open Dashboard`; called on a row, it shows the training of that experiment or job. After a reload its tab comes back. */
export function registerDashboard({ editorServices }: Pick<Services, "editorServices">): vscode.Disposable {
  const { log } = editorServices;
  let loading: Promise<DashboardPanels> | undefined;
  const panels = (): Promise<DashboardPanels> =>
    (loading ??= import("./panel.ts").then(({ dashboardPanels }) => dashboardPanels(editorServices)));
  return vscode.Disposable.from(
    registerCommand(log, COMMANDS.openDashboard, async (argument?: unknown) =>
      (await panels()).open(subjectOf(argument)?.with({ fragment: "", query: "" }).toString()),
    ),
    vscode.window.registerWebviewPanelSerializer(DASHBOARD_PANEL, {
      deserializeWebviewPanel: async (panel) => (await panels()).adopt(panel, undefined),
    }),
    { dispose: () => void loading?.then((opened) => opened.dispose()) },
  );
}
