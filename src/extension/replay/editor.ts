import * as vscode from "vscode";
import { CONTEXT_KEYS, RUN_EDITORS } from "../contributions.ts";
import { isCancelled, showFailure } from "../failure.ts";
import { showView, type ViewPage } from "../webview-page.ts";
import { connectWebview, type ViewConnection } from "./connection.ts";
import type { ReplayHost, ReplayView } from "../../protocol/replay.ts";
import { FROM_REPLAY } from "../../protocol/replay-checks.ts";
import type { ShownWhatIf } from "./what-if.ts";

export interface Place {
  /** Position of the episode in `episodes.jsonl`. */
  readonly index: number;
  readonly t: number;
}

/** Answers what the view of one run asks; lives as long as the run is open in some tab. */
export interface RunSession extends vscode.Disposable {
  /** Its answers end with the view. */
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
  /** The place that the run editor in front shows; without one, that of the visible editor that was in front last. */
  shown(): ShownPlace | undefined;
  /** The effect of an edit on the episode that a run editor shows. */
  readonly onWhatIf: vscode.Event<EpisodeWhatIf>;
}

export interface EpisodeWhatIf {
  /** The run's `episodes.jsonl`. */
  readonly file: vscode.Uri;
  readonly found: ShownWhatIf;
}

export interface ShownPlace {
  /** The run's `episodes.jsonl`. */
  readonly file: vscode.Uri;
  readonly place: Place;
}

interface Services {
  readonly context: vscode.ExtensionContext;
  readonly log: vscode.LogOutputChannel;
  readonly startSession: (file: vscode.Uri) => Promise<RunSession>;
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

/** The next place and comparison of a tab. */
interface Wanted {
  readonly place?: Place;
  readonly compareWith?: vscode.Uri;
}

/** The tabs that show runs, the one in front last, and what each is to show next. */
function openPanels(memory: vscode.Memento) {
  const panels = new Map<string, Panel>();
  const wanted = new Map<string, Wanted>();

  function shown(): ShownPlace | undefined {
    const last = [...panels].findLast(([, { panel }]) => panel.visible);
    if (last?.[1].place === undefined) return undefined;
    return { file: vscode.Uri.parse(last[0], true), place: last[1].place };
  }

  return {
    of: (file: vscode.Uri) => panels.get(file.toString()),
    shown,
    tellShown: (): void =>
      void vscode.commands.executeCommand("setContext", CONTEXT_KEYS.stepShown, shown() !== undefined),
    /** Put last, where `shown` looks first. */
    putInFront(file: vscode.Uri, panel: Panel): void {
      panels.delete(file.toString());
      panels.set(file.toString(), panel);
    },
    remove(file: vscode.Uri, panel: Panel): void {
      if (panels.get(file.toString()) === panel) panels.delete(file.toString());
    },
    want(file: vscode.Uri, next: Wanted): void {
      wanted.set(file.toString(), { ...wanted.get(file.toString()), ...next });
    },
    goTo(file: vscode.Uri, { connection }: Panel): void {
      const { place = memory.get<Place>(placeKey(file)), compareWith } = wanted.get(file.toString()) ?? {};
      wanted.delete(file.toString());
      if (place !== undefined) connection.send("reveal", place);
      if (compareWith !== undefined) connection.send("compareWithRun", { run: compareWith.toString() });
    },
  };
}

type Panels = ReturnType<typeof openPanels>;

/** The name of the file, which VS Code shows otherwise, is the same for every run. */
function nameTab({ session }: RunDocument, panel: vscode.WebviewPanel): void {
  session.title().then(
    (title) => (panel.title = tabTitle(title)),
    // The view says why the run cannot be read.
    () => undefined,
  );
}

/** Hears the view of one tab, and tells it of its run. */
function follow(
  { session, uri }: RunDocument,
  panel: Panel,
  { panels, memory }: { readonly panels: Panels; readonly memory: vscode.Memento },
): vscode.Disposable {
  const { connection } = panel;
  connection.on("ready", () => {
    panel.ready = true;
    const state = memory.get<unknown>(viewKey(uri));
    if (state !== undefined) connection.send("kept", { state });
    panels.goTo(uri, panel);
  });
  connection.on("keep", ({ state }) => void memory.update(viewKey(uri), state));
  connection.on("position", (place) => {
    panel.place = place ?? undefined;
    panels.tellShown();
    if (place !== null) void memory.update(placeKey(uri), place);
  });
  return vscode.Disposable.from(
    session.answer(connection),
    session.onRunChanged(() => connection.send("runChanged", null)),
    session.onLibraryChanged(() => connection.send("libraryChanged", null)),
    session.onWhatIf((found) => connection.send("whatIf", found)),
  );
}

/**
 * The run editor. The place a person looks at, and the filter of the list, are kept in the workspace's state, so a reload of the
 * window, or opening the run anew, comes back to the same step of the same list.
 */
export function registerRunEditor({ context, log, startSession }: Services): RunEditor {
  const whatIf = new vscode.EventEmitter<EpisodeWhatIf>();
  const memory = context.workspaceState;
  const panels = openPanels(memory);

  function resolve(document: RunDocument, panel: vscode.WebviewPanel): void {
    const { session, uri } = document;
    const connection = connectWebview<ReplayView, ReplayHost>(panel.webview, FROM_REPLAY, log);
    const opened: Panel = { panel, connection, ready: false, place: undefined };
    const following = vscode.Disposable.from(
      follow(document, opened, { panels, memory }),
      session.onRunChanged(() => nameTab(document, panel)),
      session.onWhatIf((found) => whatIf.fire({ file: uri, found })),
    );
    panels.putInFront(uri, opened);
    nameTab(document, panel);
    panel.onDidChangeViewState(() => {
      if (panel.active && panels.of(uri) === opened) panels.putInFront(uri, opened);
      panels.tellShown();
    });
    panel.onDidDispose(() => {
      following.dispose();
      panels.remove(uri, opened);
      panels.tellShown();
    });
    showView(panel.webview, context.extensionUri, REPLAY_PAGE);
  }

  const provider: vscode.CustomReadonlyEditorProvider<RunDocument> = {
    openCustomDocument: async (uri) => {
      const session = await startSession(uri);
      return { uri, session, dispose: () => session.dispose() };
    },
    resolveCustomEditor: resolve,
  };
  // The filter and the scroll position of a list of hundreds would be lost with each change of tab otherwise.
  const webviewOptions = { retainContextWhenHidden: true };
  const registered = Object.values(RUN_EDITORS).map((id) =>
    vscode.window.registerCustomEditorProvider(id, provider, { webviewOptions }),
  );

  async function open(file: vscode.Uri, next?: Wanted): Promise<void> {
    if (next !== undefined) panels.want(file, next);
    const opened = panels.of(file);
    try {
      if (opened === undefined)
        await vscode.commands.executeCommand("vscode.openWith", file, RUN_EDITORS.run);
      else opened.panel.reveal();
      if (next !== undefined && opened?.ready === true) panels.goTo(file, opened);
    } catch (error) {
      if (!isCancelled(error)) showFailure(log, "Opening the run failed", error);
    }
  }

  return {
    open: (file, place) => open(file, place && { place }),
    compare: (file, compareWith) => open(file, { compareWith }),
    shown: panels.shown,
    onWhatIf: whatIf.event,
    dispose: () => vscode.Disposable.from(...registered, whatIf).dispose(),
  };
}
