import * as vscode from "vscode";
import { CONTEXT_KEYS, RUN_EDITORS } from "../contributions.ts";
import { isCancelled, showFailure } from "../failure.ts";
import { type ViewPage, viewFolder, webviewPage } from "../webview-page.ts";
import { connectWebview, type ViewConnection } from "./connection.ts";
import type { ReplayHost, ReplayView } from "../../protocol/replay.ts";
import type { ShownWhatIf } from "./what-if.ts";

export interface Place {
  /** Position of the episode in `episodes.jsonl`. */
  readonly index: number;
  readonly t: number;
}

/** Answers what the view of one run asks; lives as long as the run is open in some tab. */
export interface RunSession extends vscode.Disposable {
  /** What it answers with ends with the view. */
  answer(connection: ViewConnection): vscode.Disposable;
  /** The name of the run. */
  title(): Promise<string>;
  readonly onRunChanged: vscode.Event<void>;
  readonly onLibraryChanged: vscode.Event<void>;
  readonly onWhatIf: vscode.Event<ShownWhatIf>;
}

export interface RunEditor extends vscode.Disposable {
  /** Opens the run, or the tab that shows it, and goes to a place. */
  open(file: vscode.Uri, place?: Place): Promise<void>;
  /** Opens the run, or the tab that shows it, compared with another one that the workspace has. */
  compare(file: vscode.Uri, other: vscode.Uri): Promise<void>;
  /** What the run editor in front shows; where none is, what the one shows that was in front last and is still in sight. */
  shown(): ShownPlace | undefined;
  /** What an edit does to the episode that a run editor shows. */
  readonly onWhatIf: vscode.Event<{ readonly file: vscode.Uri; readonly found: ShownWhatIf }>;
}

export interface ShownPlace {
  /** The run's `episodes.jsonl`. */
  readonly file: vscode.Uri;
  readonly place: Place;
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
  place: Place | undefined;
}

const REPLAY_PAGE: ViewPage = { title: "Replay", element: "hasp-replay", script: "replay.js" };

/** Characters; a tab shows its whole label. */
const LONGEST_TAB = 44;

function tabTitle(title: string): string {
  return title.length <= LONGEST_TAB ? title : `${title.slice(0, LONGEST_TAB - 1).toWellFormed()}…`;
}

const placeKey = (file: vscode.Uri): string => `hasp.place:${file.toString()}`;
const viewKey = (file: vscode.Uri): string => `hasp.view:${file.toString()}`;

/**
 * The run editor. The place a person looks at, and the filter of the list, are kept in the workspace's state, so a reload of the
 * window, or opening the run anew, comes back to the same step of the same list.
 */
export function registerRunEditor({ context, log, startSession }: Services): RunEditor {
  const panels = new Map<string, Panel>();
  const wanted = new Map<string, Place>();
  const compareWith = new Map<string, vscode.Uri>();
  const whatIf = new vscode.EventEmitter<{ readonly file: vscode.Uri; readonly found: ShownWhatIf }>();
  const memory = context.workspaceState;

  /** Put last, where `shown` looks first. */
  function inFront(key: string): void {
    const panel = panels.get(key);
    if (panel === undefined) return;
    panels.delete(key);
    panels.set(key, panel);
  }

  function shown(): ShownPlace | undefined {
    const last = [...panels].findLast(([, { panel }]) => panel.visible);
    if (last?.[1].place === undefined) return undefined;
    return { file: vscode.Uri.parse(last[0], true), place: last[1].place };
  }

  const tellShown = (): void =>
    void vscode.commands.executeCommand("setContext", CONTEXT_KEYS.stepShown, shown() !== undefined);

  function goTo(file: vscode.Uri, { connection }: Panel): void {
    const key = file.toString();
    const place = wanted.get(key) ?? memory.get<Place>(placeKey(file));
    wanted.delete(key);
    if (place !== undefined) connection.send("reveal", place);
    const other = compareWith.get(key);
    compareWith.delete(key);
    if (other !== undefined) connection.send("compareWithRun", { run: other.toString() });
  }

  /** The name of the file, which VS Code shows otherwise, is the same for every run. */
  function nameTab({ session }: RunDocument, panel: vscode.WebviewPanel): void {
    session.title().then(
      (title) => (panel.title = tabTitle(title)),
      // The view says why the run cannot be read.
      () => undefined,
    );
  }

  function follow(document: RunDocument, panel: Panel): vscode.Disposable {
    const { session, uri } = document;
    panel.connection.on("ready", () => {
      panel.ready = true;
      const state = memory.get<unknown>(viewKey(uri));
      if (state !== undefined) panel.connection.send("kept", { state });
      goTo(uri, panel);
    });
    panel.connection.on("keep", ({ state }) => void memory.update(viewKey(uri), state));
    panel.connection.on("position", (place) => {
      panel.place = place ?? undefined;
      tellShown();
      if (place !== null) void memory.update(placeKey(uri), place);
    });
    return vscode.Disposable.from(
      session.answer(panel.connection),
      session.onRunChanged(() => {
        panel.connection.send("runChanged", null);
        nameTab(document, panel.panel);
      }),
      session.onLibraryChanged(() => panel.connection.send("libraryChanged", null)),
      session.onWhatIf((found) => {
        panel.connection.send("whatIf", found);
        whatIf.fire({ file: uri, found });
      }),
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
      const opened: Panel = {
        panel,
        connection: connectWebview<ReplayView, ReplayHost>(panel.webview),
        ready: false,
        place: undefined,
      };
      const following = follow(document, opened);
      panels.set(key, opened);
      inFront(key);
      nameTab(document, panel);
      panel.onDidChangeViewState(() => {
        if (panel.active) inFront(key);
        tellShown();
      });
      panel.onDidDispose(() => {
        following.dispose();
        if (panels.get(key) === opened) panels.delete(key);
        tellShown();
      });
      panel.webview.html = webviewPage(panel.webview, context.extensionUri, REPLAY_PAGE);
    },
  };

  // The filter and the scroll position of a list of hundreds would be lost with each change of tab otherwise.
  const webviewOptions = { retainContextWhenHidden: true };
  const registered = Object.values(RUN_EDITORS).map((id) =>
    vscode.window.registerCustomEditorProvider(id, provider, { webviewOptions }),
  );

  /** `isWanted`: it is to show something else than it does. */
  async function bringUp(file: vscode.Uri, isWanted: boolean): Promise<void> {
    const opened = panels.get(file.toString());
    try {
      if (opened === undefined)
        await vscode.commands.executeCommand("vscode.openWith", file, RUN_EDITORS.run);
      else opened.panel.reveal();
      if (isWanted && opened?.ready === true) goTo(file, opened);
    } catch (error) {
      if (!isCancelled(error)) showFailure(log, "Opening the run failed", error);
    }
  }

  return {
    open(file, place) {
      if (place !== undefined) wanted.set(file.toString(), place);
      return bringUp(file, place !== undefined);
    },
    compare(file, other) {
      compareWith.set(file.toString(), other);
      return bringUp(file, true);
    },
    shown,
    onWhatIf: whatIf.event,
    dispose: () => vscode.Disposable.from(...registered, whatIf).dispose(),
  };
}
