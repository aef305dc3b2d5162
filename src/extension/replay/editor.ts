import * as vscode from "vscode";
import { RUN_EDITORS } from "../contributions.ts";
import { isCancelled, showFailure } from "../failure.ts";
import { connectView, type ViewConnection } from "./connection.ts";
import { replayPage, viewFolder } from "./html.ts";

export interface Place {
  /** Position of the episode in `episodes.jsonl`. */
  readonly index: number;
  readonly t: number;
}

/** Answers what the view of one run asks; lives as long as the run is open in some tab. */
export interface RunSession extends vscode.Disposable {
  answer(connection: ViewConnection): void;
  readonly onRunChanged: vscode.Event<void>;
  readonly onLibraryChanged: vscode.Event<void>;
}

export interface RunEditor extends vscode.Disposable {
  /** Opens the run, or the tab that shows it, and goes to a place. */
  open(file: vscode.Uri, place?: Place): Promise<void>;
}

interface Services {
  readonly context: vscode.ExtensionContext;
  readonly log: vscode.LogOutputChannel;
  readonly startSession: (file: vscode.Uri) => RunSession;
}

interface RunDocument extends vscode.CustomDocument {
  readonly session: RunSession;
}

/** One tab that shows a run. */
interface Panel {
  readonly panel: vscode.WebviewPanel;
  readonly connection: ViewConnection;
  ready: boolean;
}

const placeKey = (file: vscode.Uri): string => `hasp.place:${file.toString()}`;

/**
 * The run editor. The place a person looks at is kept in the workspace's state, so a reload of the window comes back to
 * the same step.
 */
export function registerRunEditor({ context, log, startSession }: Services): RunEditor {
  const panels = new Map<string, Panel>();
  const wanted = new Map<string, Place>();
  const memory = context.workspaceState;

  function goTo(file: vscode.Uri, shown: Panel): void {
    const key = file.toString();
    const place = wanted.get(key) ?? memory.get<Place>(placeKey(file));
    wanted.delete(key);
    if (place !== undefined) shown.connection.send("reveal", place);
  }

  function follow(document: RunDocument, shown: Panel): vscode.Disposable {
    const { session, uri } = document;
    shown.connection.on("ready", () => {
      shown.ready = true;
      goTo(uri, shown);
    });
    shown.connection.on("position", (place) => void memory.update(placeKey(uri), place));
    session.answer(shown.connection);
    return vscode.Disposable.from(
      session.onRunChanged(() => shown.connection.send("runChanged", null)),
      session.onLibraryChanged(() => shown.connection.send("libraryChanged", null)),
    );
  }

  const provider: vscode.CustomReadonlyEditorProvider<RunDocument> = {
    openCustomDocument: (uri) => {
      const session = startSession(uri);
      return { uri, session, dispose: () => session.dispose() };
    },
    resolveCustomEditor: (document, panel) => {
      const key = document.uri.toString();
      panel.webview.options = { enableScripts: true, localResourceRoots: [viewFolder(context.extensionUri)] };
      const shown: Panel = { panel, connection: connectView(panel.webview), ready: false };
      const following = follow(document, shown);
      panels.set(key, shown);
      panel.onDidDispose(() => {
        following.dispose();
        if (panels.get(key) === shown) panels.delete(key);
      });
      panel.webview.html = replayPage(panel.webview, context.extensionUri);
    },
  };

  // The filter and the scroll position of a list of hundreds would be lost with each change of tab otherwise.
  const webviewOptions = { retainContextWhenHidden: true };
  const registered = Object.values(RUN_EDITORS).map((id) =>
    vscode.window.registerCustomEditorProvider(id, provider, { webviewOptions }),
  );

  return {
    async open(file, place) {
      if (place !== undefined) wanted.set(file.toString(), place);
      const shown = panels.get(file.toString());
      try {
        if (shown === undefined)
          await vscode.commands.executeCommand("vscode.openWith", file, RUN_EDITORS.run);
        else shown.panel.reveal();
        if (place !== undefined && shown?.ready === true) goTo(file, shown);
      } catch (error) {
        if (!isCancelled(error)) showFailure(log, "Opening the run failed", error);
      }
    },
    dispose: () => vscode.Disposable.from(...registered).dispose(),
  };
}
