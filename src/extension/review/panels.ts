import * as vscode from "vscode";
import { METADATA_FILE } from "../../review/metadata-file.ts";
import { fingerprintOf, readTexts } from "../../review/review-subject.ts";
import { type Connection, RequestError } from "../../protocol/connection.ts";
import type {
  Measured,
  ReviewHost,
  ReviewPage,
  ReviewView,
  RunningReview,
  ShownReview,
  UnusableReply,
} from "../../protocol/review.ts";
import { FROM_REVIEW } from "../../protocol/review-checks.ts";
import { debounce } from "../debounce.ts";
import { COMMANDS, REVIEW_PANEL } from "../contributions.ts";
import { answerCommon, connectWebview } from "../replay/connection.ts";
import type { EditorServices } from "../services.ts";
import { showView, type ViewPage } from "../webview-page.ts";
import { nameOf } from "../workspace/skill-folders.ts";
import type { Reviews } from "./reviews.ts";
import { reviewHeads, showReview } from "./show-review.ts";

/** A page that is redrawn with every word cannot be read. Milliseconds. */
const SHOWN_EVERY = 120;
/** A longer file gets no links. */
const LONGEST_FILE = 1_000_000;

const REVIEW_PAGE: ViewPage = { title: "Review", element: "hasp-review", script: "review.js" };

export type ReviewPanels = ReturnType<typeof openReviewPanels>;

interface Desk extends Pick<EditorServices, "context" | "log" | "library" | "shownFiles"> {
  readonly reviews: Reviews;
}

interface OpenPanel {
  readonly panel: vscode.WebviewPanel;
  readonly connection: Connection<ReviewView, ReviewHost>;
}

/** The latest try to review a skill. */
interface LatestTry {
  readonly running?: RunningReview;
  readonly unusable?: UnusableReply | undefined;
  /** Since the latest review. */
  readonly measured?: Measured | undefined;
}

/** In a column that is not the view's own. */
async function openFile(
  panel: vscode.WebviewPanel,
  file: vscode.Uri,
  line: number | undefined,
): Promise<void> {
  const shown = vscode.window.visibleTextEditors.find(
    ({ document }) => document.uri.toString() === file.toString(),
  );
  const other = panel.viewColumn === vscode.ViewColumn.One ? vscode.ViewColumn.Beside : vscode.ViewColumn.One;
  const at = Math.max(0, (line ?? 1) - 1);
  await vscode.window.showTextDocument(file, {
    viewColumn: shown?.viewColumn ?? other,
    ...(line !== undefined && { selection: new vscode.Range(at, 0, at, 0) }),
  });
}

/** A stored review with links into the skill as it is now. */
async function readReview(
  { reviews, shownFiles }: Desk,
  folder: vscode.Uri,
  index: number,
): Promise<ShownReview> {
  const review = (await reviews.all(folder))[index];
  if (review === undefined) throw new RequestError("This review is no longer stored.", "Choose another one.");
  const texts = await readTexts(shownFiles, folder.fsPath);
  const linked = Object.entries(texts).filter(([, text]) => text.length <= LONGEST_FILE);
  return showReview(review, await fingerprintOf(texts), Object.fromEntries(linked));
}

async function openRaw(
  { reviews }: Desk,
  panel: vscode.WebviewPanel,
  folder: vscode.Uri,
  index: number,
): Promise<void> {
  const file = vscode.Uri.joinPath(folder, METADATA_FILE);
  const review = (await reviews.all(folder))[index];
  const lines = (await vscode.workspace.openTextDocument(file)).getText().split("\n");
  const at = lines.findIndex((line) => review !== undefined && line.includes(JSON.stringify(review.when)));
  await openFile(panel, file, at < 0 ? 1 : at + 1);
}

/** Answers the view of one skill; `page` says what it shows first. */
function answer(
  desk: Desk,
  folder: vscode.Uri,
  { panel, connection }: OpenPanel,
  page: () => Promise<ReviewPage>,
): void {
  connection.handle("open", page);
  connection.handle("readReview", ({ index }) => readReview(desk, folder, index));
  connection.handle("openFile", async ({ file, line }) => {
    await openFile(panel, vscode.Uri.joinPath(folder, file), line);
    return null;
  });
  connection.handle("openRaw", async ({ index }) => {
    await openRaw(desk, panel, folder, index);
    return null;
  });
  connection.handle("reviewAgain", async () => {
    // It takes as long as the teacher does: the view follows it by events.
    void vscode.commands.executeCommand(COMMANDS.teacherReview.id, folder);
    return null;
  });
  connection.handle("showEvidence", async () => {
    void vscode.commands.executeCommand(COMMANDS.showEvidence.id, folder);
    return null;
  });
  answerCommon(connection);
}

/** The views of reviews, one for each skill. */
export function openReviewPanels(desk: Desk) {
  const { context, log, reviews, library } = desk;
  const panels = new Map<string, OpenPanel>();
  const tries = new Map<string, LatestTry>();
  const touched = new Set<string>();
  const quiet = debounce(SHOWN_EVERY, () => {
    for (const path of touched) {
      const running = tries.get(path)?.running;
      if (running !== undefined) panels.get(path)?.connection.send("running", running);
    }
    touched.clear();
  });
  const tellChanged = (folder: vscode.Uri): void => panels.get(folder.path)?.connection.send("changed", null);

  async function page(folder: vscode.Uri): Promise<ReviewPage> {
    const { running, unusable, measured } = tries.get(folder.path) ?? {};
    const stored = await reviews.all(folder);
    const skillId = stored.at(-1)?.skillId ?? nameOf(folder);
    return { skillId, reviews: reviewHeads(stored), running, unusable, measured };
  }

  function open(folder: vscode.Uri): void {
    const title = `Review of ${nameOf(folder)}`;
    const column = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
    const panel = vscode.window.createWebviewPanel(REVIEW_PANEL, title, column, { enableFindWidget: true });
    const connection = connectWebview<ReviewView, ReviewHost>(panel.webview, FROM_REVIEW, log);
    const opened = { panel, connection };
    panels.set(folder.path, opened);
    panel.onDidDispose(() => panels.delete(folder.path));
    answer(desk, folder, opened, () => page(folder));
    showView(panel.webview, context.extensionUri, REVIEW_PAGE);
  }

  const held = vscode.Disposable.from(
    quiet,
    reviews.onDidChange(tellChanged),
    library.onDidChange(() => {
      for (const { connection } of panels.values()) connection.send("changed", null);
    }),
  );
  return {
    /** Opens the view beside the active editor, which keeps the focus; answers what it shows. */
    async show(folder: vscode.Uri): Promise<ReviewPage> {
      const shown = panels.get(folder.path);
      if (shown === undefined) open(folder);
      else shown.panel.reveal(undefined, true);
      return page(folder);
    },
    /** A review is under way; the view follows it. */
    follow(folder: vscode.Uri, running: RunningReview): void {
      const { running: before, measured } = tries.get(folder.path) ?? {};
      const isNew = before === undefined;
      tries.set(folder.path, { running, measured });
      if (isNew) tellChanged(folder);
      if (touched.size === 0) quiet.poke();
      touched.add(folder.path);
    },
    /** The evidence; the view shows it until a review holds it. */
    measured(folder: vscode.Uri, measured: Measured): void {
      tries.set(folder.path, { ...tries.get(folder.path), measured });
      tellChanged(folder);
    },
    /** The review is over, with a stored review, with a reply that is none, or with nothing. */
    finish(
      folder: vscode.Uri,
      end: { readonly unusable?: UnusableReply | undefined; readonly isStored: boolean },
    ): void {
      const { measured } = tries.get(folder.path) ?? {};
      tries.set(folder.path, { unusable: end.unusable, measured: end.isStored ? undefined : measured });
      tellChanged(folder);
    },
    dispose(): void {
      held.dispose();
      for (const { panel } of panels.values()) panel.dispose();
    },
  };
}
