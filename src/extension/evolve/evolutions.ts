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

const evolutionsOf = (root: vscode.Uri): vscode.Uri => vscode.Uri.joinPath(root, ...FOLDERS.split("/"));
const createdAt = ({ report }: FoundEvolution): string => report.value?.order.createdAt ?? "";

export function watchEvolutions(files: NodeFiles, log: vscode.LogOutputChannel): Evolutions {
  const changed = new vscode.EventEmitter<void>();
  const soon = growing(() => changed.fire());
  const known = new Map<string, Promise<Checked<EvolutionReport>>>();
  const running = new Map<string, RunningEvolution>();

  const forget = (folder: vscode.Uri): void => {
    known.delete(folder.toString());
    soon.poke();
  };
  const deep = watchDeep({
    isWanted: (path) => WANTED.test(path),
    depth: DEPTH,
    log,
    onFile(file, what) {
      const folder = folderOf(file);
      // A file that is there when its folder is followed was read before.
      if (
        folder === undefined ||
        (what === "add" && file.path.endsWith(`/${STATE}`) && known.has(folder.toString()))
      )
        return;
      forget(folder);
    },
  });
  const follow = (): void =>
    deep.follow((vscode.workspace.workspaceFolders ?? []).map(({ uri }) => evolutionsOf(uri)));
  const folders = vscode.workspace.createFileSystemWatcher("**/{.hasp,.hasp/evolutions}", false, true, false);
  const held = vscode.Disposable.from(
    changed,
    soon,
    deep,
    folders,
    folders.onDidCreate(() => {
      follow();
      soon.poke();
    }),
    folders.onDidDelete((folder) => {
      deep.leave(folder);
      known.clear();
      soon.poke();
    }),
    vscode.workspace.onDidChangeWorkspaceFolders(() => soon.poke()),
  );

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
    const work = running.get(plain.toString())?.work;
    return { folder: plain, name: basename(plain.fsPath), report: await report(plain), work };
  }

  async function list(): Promise<readonly FoundEvolution[]> {
    follow();
    const found: FoundEvolution[] = [];
    for (const file of await vscode.workspace.findFiles(`**/${FOLDERS}/*/${STATE}`, EXCLUDED)) {
      try {
        found.push(await read(vscode.Uri.joinPath(file, "..")));
      } catch (error) {
        log.error(`The evolution ${file.fsPath} could not be read`, String(error));
      }
    }
    return found.sort((a, b) => createdAt(b).localeCompare(createdAt(a)) || a.name.localeCompare(b.name));
  }

  return {
    list,
    read,
    running: (folder) => running.get(folder.toString()),
    setRunning(folder, now) {
      const key = folder.toString();
      if (now === undefined) running.delete(key);
      else running.set(key, now);
      soon.poke();
    },
    forget,
    onDidChange: changed.event,
    dispose: () => held.dispose(),
  };
}
