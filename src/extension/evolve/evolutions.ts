import { basename } from "node:path";
import * as vscode from "vscode";
import type { EvolutionReport } from "../../evolve/report.ts";
import type { Checked } from "../../model/diagnostic.ts";
import type { NodeFiles } from "../../platform/files.ts";
import { type Debounced, debounce } from "../debounce.ts";
import { watchDeep } from "../deep-watch.ts";
import type { Work } from "./words.ts";

/** An evolution of the workspace. */
export interface FoundEvolution {
  /** `.hasp/evolutions/<name>`. */
  readonly folder: vscode.Uri;
  readonly name: string;
  /** No value where its `evolution.json` cannot be read. */
  readonly report: Checked<EvolutionReport>;
  /** Undefined where this window does not run it. */
  readonly work: Work | undefined;
}

/** An evolution that this window runs. */
export interface RunningEvolution {
  readonly work: Work;
  /** Ends it after the running phase. */
  readonly stop: () => void;
  /** Ends it at once. */
  readonly cancel: () => void;
}

/** The evolutions of the workspace, on the disk and at work. */
export interface Evolutions extends vscode.Disposable {
  /** Newest first. */
  list(): Promise<readonly FoundEvolution[]>;
  read(folder: vscode.Uri): Promise<FoundEvolution>;
  running(folder: vscode.Uri): RunningEvolution | undefined;
  /** Shows an evolution as running, or with undefined as no longer so. */
  setRunning(folder: vscode.Uri, running: RunningEvolution | undefined): void;
  /** Its files have changed: they are read anew at the next call. */
  forget(folder: vscode.Uri): void;
  /** This window began to run an evolution, or resumed it. */
  readonly onDidBegin: vscode.Event<void>;
  /** At most every 150 ms. */
  readonly onDidChange: vscode.Event<void>;
}

const FOLDERS = ".hasp/evolutions";
const STATE = "evolution.json";
const EXCLUDED = "**/{node_modules,.git,.vscode-test}/**";
/** The files that `readEvolution` reads. */
const WANTED =
  /[/\\]evolutions[/\\][^/\\]+[/\\](?:(?:evolution|final)\.json|epoch_\d+[/\\](?:(?:rollout|failures|proposals|checks|reviews|admission|credit|data)\.json|candidates\.jsonl))$/;
/** `<name>/epoch_<i>`. */
const DEPTH = 2;
const SHOWN_EVERY = 150;

/** The folder of the evolution that a file is of. */
function folderOf(file: vscode.Uri): vscode.Uri | undefined {
  const [, path] = /^(.*\/\.hasp\/evolutions\/[^/]+)\//.exec(file.path) ?? [];
  return path === undefined ? undefined : file.with({ path, fragment: "", query: "" });
}

/** Tells of growth while it lasts, not only in a pause: later pokes do not put off the first. */
function growing(show: () => void): Debounced {
  let isWaiting = false;
  const shown = debounce(SHOWN_EVERY, () => {
    isWaiting = false;
    show();
  });
  return {
    poke() {
      if (!isWaiting) shown.poke();
      isWaiting = true;
    },
    dispose: shown.dispose,
  };
}

/** One without a file has just begun, or cannot be read: it is first. */
const createdAt = ({ report }: FoundEvolution): string => report.value?.order.createdAt ?? "~";

function newestFirst(a: FoundEvolution, b: FoundEvolution): number {
  return createdAt(b).localeCompare(createdAt(a)) || a.name.localeCompare(b.name);
}

/** Hears of the files of evolutions, whoever writes them. `onGone`: a folder of evolutions is gone. */
function watchEvolutionFiles(
  log: vscode.LogOutputChannel,
  onFile: (file: vscode.Uri) => void,
  onGone: () => void,
): { readonly follow: () => void } & vscode.Disposable {
  const deep = watchDeep({ isWanted: (path) => WANTED.test(path), depth: DEPTH, log, onFile });
  const follow = (): void =>
    deep.follow(
      (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => vscode.Uri.joinPath(uri, FOLDERS)),
    );
  const folders = vscode.workspace.createFileSystemWatcher(`**/{.hasp,${FOLDERS}}`, false, true, false);
  const go = (folder: vscode.Uri): void => {
    deep.leave(folder);
    onGone();
  };
  const held = vscode.Disposable.from(deep, folders, folders.onDidCreate(follow), folders.onDidDelete(go));
  return { follow, dispose: () => held.dispose() };
}

export function watchEvolutions(files: NodeFiles, log: vscode.LogOutputChannel): Evolutions {
  const changed = new vscode.EventEmitter<void>();
  const began = new vscode.EventEmitter<void>();
  const soon = growing(() => changed.fire());
  const known = new Map<string, Promise<Checked<EvolutionReport>>>();
  const running = new Map<string, { readonly folder: vscode.Uri; readonly now: RunningEvolution }>();

  const forget = (folder: vscode.Uri): void => {
    known.delete(folder.toString());
    soon.poke();
  };
  function heard(file: vscode.Uri): void {
    const folder = folderOf(file);
    if (folder !== undefined) forget(folder);
  }
  const watcher = watchEvolutionFiles(log, heard, () => {
    known.clear();
    soon.poke();
  });

  async function report(folder: vscode.Uri): Promise<Checked<EvolutionReport>> {
    const key = folder.toString();
    const { readEvolution } = await import("../../evolve/report.ts");
    const read = known.get(key) ?? readEvolution(files, folder.fsPath);
    known.set(key, read);
    read.catch(() => known.delete(key));
    return read;
  }
  async function read(folder: vscode.Uri): Promise<FoundEvolution> {
    const plain = folder.with({ fragment: "", query: "" });
    const work = running.get(plain.toString())?.now.work;
    return { folder: plain, name: basename(plain.fsPath), report: await report(plain), work };
  }

  async function list(): Promise<readonly FoundEvolution[]> {
    watcher.follow();
    const states = await vscode.workspace.findFiles(`**/${FOLDERS}/*/${STATE}`, EXCLUDED);
    const there = new Map(
      states.map((file) => vscode.Uri.joinPath(file, "..")).map((one) => [one.toString(), one]),
    );
    // One that has just begun has no file yet.
    for (const [key, { folder }] of running) there.set(key, folder);
    const found: FoundEvolution[] = [];
    for (const folder of there.values()) {
      try {
        found.push(await read(folder));
      } catch (error) {
        log.error(`The evolution ${folder.fsPath} could not be read`, String(error));
      }
    }
    return found.sort(newestFirst);
  }

  const held = vscode.Disposable.from(
    changed,
    began,
    soon,
    watcher,
    vscode.workspace.onDidChangeWorkspaceFolders(() => soon.poke()),
  );
  return {
    list,
    read,
    running: (folder) => running.get(folder.toString())?.now,
    setRunning(folder, now) {
      const key = folder.toString();
      const isNew = !running.has(key);
      if (now === undefined) running.delete(key);
      else running.set(key, { folder, now });
      if (now !== undefined && isNew) began.fire();
      soon.poke();
    },
    forget,
    onDidChange: changed.event,
    onDidBegin: began.event,
    dispose: () => held.dispose(),
  };
}
