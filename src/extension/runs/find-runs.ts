import { existsSync } from "node:fs";
import * as vscode from "vscode";
import type { EpisodeHead, Outcome } from "../../model/episode.ts";
import { OUTCOMES, noOutcomes } from "../../model/outcomes.ts";
import { sessionFolders } from "../../platform/session-folders.ts";
import { workspaceOf } from "../../platform/hook-workspace.ts";
import type { TraceFiles } from "../../trace/ports.ts";
import type { OpenedRunFolder } from "../../trace/run-folder.ts";
import { debounce } from "../debounce.ts";
import { type DeepWatch, type FileEvent, watchDeep } from "../deep-watch.ts";
import { parentOf } from "../workspace/skill-folders.ts";

/** A run folder of the workspace, with what its index says. */
export interface FoundRun extends OpenedRunFolder {
  /** Its `episodes.jsonl`. */
  readonly file: vscode.Uri;
  readonly counts: Record<Outcome, number>;
  /** Its folder keeps the report of the import that made it. */
  readonly hasImportReport: boolean;
}

/** The runs as a use case reads them: a result names its run by the URI of its `episodes.jsonl`. */
export function namedRuns(runs: readonly FoundRun[]) {
  return runs.map(({ file, folder, index, diagnostics }) => ({
    run: file.toString(),
    folder,
    index,
    diagnostics,
  }));
}

export interface Runs extends vscode.Disposable {
  /** All runs of the workspace, newest first. */
  list(): Promise<readonly FoundRun[]>;
  read(file: vscode.Uri): Promise<FoundRun>;
  readonly onDidChange: vscode.Event<void>;
  /** Reads the file anew at the next call; for files that stand outside the workspace's run folders. */
  forget(file: vscode.Uri): void;
  /** The `episodes.jsonl` that grew or was replaced. */
  readonly onDidChangeRun: vscode.Event<vscode.Uri>;
  /** An episode began or ended in some run. */
  readonly onDidChangeLive: vscode.Event<void>;
}

export const EPISODES = "episodes.jsonl";
const RUNS = `**/.hasp/runs/*/${EPISODES}`;
const EXCLUDED = "**/{node_modules,.git,.vscode-test}/**";

/** A run of the workspace is watched for its tree; an episode file elsewhere only while it is shown. */
export function isWatchedRun(file: vscode.Uri): boolean {
  const isRun = /\/\.hasp\/runs\/[^/]+\/episodes\.jsonl$/.test(file.path);
  if (!isRun) return false;
  if (vscode.workspace.getWorkspaceFolder(file) !== undefined) return true;
  return userSessions().some((one) => one.fsPath === file.fsPath);
}

/** Sessions of coding agents that a folder of the workspace could not hold (platform/session-folders.ts): they stand with the user. */
function userSessions(): vscode.Uri[] {
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === "file");
  return folders.map(({ uri }) => {
    const [, withUser] = sessionFolders(workspaceOf(uri.fsPath));
    return vscode.Uri.joinPath(vscode.Uri.file(withUser.folder), EPISODES);
  });
}

export function countOutcomes(heads: readonly Pick<EpisodeHead, "outcome">[]): Record<Outcome, number> {
  const counts = noOutcomes();
  for (const head of heads) counts[head.outcome] += 1;
  return counts;
}

/** `4 wrong · 2 correct`, the failures first; `no episodes` where there are none. */
export function describeCounts(counts: Record<Outcome, number>): string {
  const seen = [...OUTCOMES, "abandoned" as const].filter((outcome) => counts[outcome] > 0);
  const parts = seen.map((outcome) => `${counts[outcome]} ${outcome}`);
  return parts.length === 0 ? "no episodes" : parts.join(" · ");
}

/** The failures alone where there are any: `4 wrong · 1 halted`; else as `describeCounts` has it. */
export function briefCounts(counts: Record<Outcome, number>): string {
  const { wrong, halted } = counts;
  return describeCounts(wrong + halted === 0 ? counts : { ...noOutcomes(), wrong, halted });
}

function newestFirst(a: FoundRun, b: FoundRun): number {
  return (b.run?.createdAt ?? "").localeCompare(a.run?.createdAt ?? "") || a.title.localeCompare(b.title);
}

async function readRun(files: TraceFiles, file: vscode.Uri): Promise<FoundRun> {
  const folder = parentOf(file);
  const { openRun } = await import("../../trace/run-folder.ts");
  // Nothing is written into a workspace that a person has not trusted.
  const opened = await openRun(files, folder.fsPath, { save: vscode.workspace.isTrusted });
  const { runPaths } = await import("../../trace/run-paths.ts");
  const hasImportReport = (await files.stat(runPaths(folder.fsPath).importReport)) !== undefined;
  const counts = countOutcomes(opened.index.entries.map((entry) => entry.head));
  return { ...opened, file, counts, hasImportReport };
}

const RUN_FILE = /[/\\]runs[/\\][^/\\]+[/\\](episodes|live[/\\][^/\\]+)\.jsonl$/;
/** `<run>/live`. */
const DEPTH = 2;
/** Milliseconds: all runs of a folder that begins to be followed come at once. */
const TOGETHER_MS = 50;

const runsIn = (hasp: vscode.Uri): vscode.Uri => vscode.Uri.joinPath(hasp, "runs");
const runsOf = (file: vscode.Uri): vscode.Uri => parentOf(parentOf(file));

/** Hears of the files of runs, also in run folders that begin to be while it watches. */
function watchRunFiles(
  log: vscode.LogOutputChannel,
  onFile: (file: vscode.Uri, what: FileEvent) => void,
  onGone: (folder: vscode.Uri) => void,
): Pick<DeepWatch, "follow" | "dispose"> {
  const deep = watchDeep({ isWanted: (path) => RUN_FILE.test(path), depth: DEPTH, log, onFile });
  const folders = vscode.workspace.createFileSystemWatcher("**/{.hasp,.hasp/runs}", false, true, false);
  const come = (folder: vscode.Uri): void =>
    deep.follow([folder.path.endsWith("/runs") ? folder : runsIn(folder)]);
  const go = (folder: vscode.Uri): void => {
    deep.leave(folder);
    onGone(folder);
  };
  const held = vscode.Disposable.from(deep, folders, folders.onDidCreate(come), folders.onDidDelete(go));
  return { follow: deep.follow, dispose: () => held.dispose() };
}

export function watchRuns(files: TraceFiles, log: vscode.LogOutputChannel): Runs {
  const changed = new vscode.EventEmitter<void>();
  const written = new vscode.EventEmitter<vscode.Uri>();
  const live = new vscode.EventEmitter<void>();
  const soon = debounce(TOGETHER_MS, () => changed.fire());
  const known = new Map<string, Promise<FoundRun>>();
  let listed = new Set<string>();

  function read(file: vscode.Uri): Promise<FoundRun> {
    const key = file.toString();
    if (isWatchedRun(file)) watcher.follow([runsOf(file)]);
    const running = known.get(key) ?? readRun(files, file);
    known.set(key, running);
    running.catch(() => known.delete(key));
    return running;
  }

  async function list(): Promise<readonly FoundRun[]> {
    const found: FoundRun[] = [];
    const roots = vscode.workspace.workspaceFolders ?? [];
    const elsewhere = userSessions();
    watcher.follow(roots.map(({ uri }) => runsIn(vscode.Uri.joinPath(uri, ".hasp"))));
    watcher.follow(elsewhere.map(runsOf));
    const kept = elsewhere.filter(({ fsPath }) => existsSync(fsPath));
    // One after the other: each index holds two buffers of megabytes while it is made.
    for (const file of [...(await vscode.workspace.findFiles(RUNS, EXCLUDED)), ...kept]) {
      try {
        found.push(await read(file));
      } catch (error) {
        log.error(`The run ${file.fsPath} could not be read`, String(error));
      }
    }
    listed = new Set(found.map(({ file }) => file.toString()));
    return found.sort(newestFirst);
  }

  const forget = (file: vscode.Uri): void => {
    known.delete(file.toString());
    written.fire(file);
    soon.poke();
  };
  const forgetIn = (folder: vscode.Uri): void => {
    const files = [...known.keys()].filter((key) => key.startsWith(`${folder.toString()}/`));
    for (const key of files) forget(vscode.Uri.parse(key, true));
  };
  const heard = (file: vscode.Uri, what: FileEvent): void => {
    const key = file.toString();
    if (!file.path.endsWith(`/${EPISODES}`)) return what === "change" ? undefined : live.fire();
    if (what !== "add" || !known.has(key)) return forget(file);
    // A command may open the run that it made before the watcher hears of it; no list has that one yet.
    if (!listed.has(key)) soon.poke();
  };
  const watcher = watchRunFiles(log, heard, forgetIn);
  const held = vscode.Disposable.from(
    changed,
    written,
    live,
    soon,
    watcher,
    vscode.workspace.onDidChangeWorkspaceFolders(() => changed.fire()),
  );
  return {
    list,
    read,
    forget,
    onDidChange: changed.event,
    onDidChangeRun: written.event,
    onDidChangeLive: live.event,
    dispose: () => held.dispose(),
  };
}
