import { basename } from "node:path";
import * as vscode from "vscode";
import type { Checked } from "../model/diagnostic.ts";
import { type Debounced, debounce } from "./debounce.ts";
import { watchDeep } from "./deep-watch.ts";

/** A folder below `.hasp/<kind>` of the workspace, as it is on the disk and at work. */
export interface FoundFolder<Report, Work> {
  /** `.hasp/<kind>/<name>`. */
  readonly folder: vscode.Uri;
  readonly name: string;
  /** No value where its state file cannot be read. */
  readonly report: Checked<Report>;
  /** Undefined where this window does not run it. */
  readonly work: Work | undefined;
}

/** Work of this window in such a folder. */
interface Running<Work> {
  readonly work: Work;
}

/** Folders of one kind: those on the disk, and those that this window runs. */
export interface StateFolders<Report, Work, Now extends Running<Work>> extends vscode.Disposable {
  /** Newest first. */
  list(): Promise<readonly FoundFolder<Report, Work>[]>;
  read(folder: vscode.Uri): Promise<FoundFolder<Report, Work>>;
  running(folder: vscode.Uri): Now | undefined;
  isAnyRunning(): boolean;
  /** Shows a folder as running, or with undefined as no longer so. */
  setRunning(folder: vscode.Uri, running: Now | undefined): void;
  /** Its files have changed: they are read anew at the next call. */
  forget(folder: vscode.Uri): void;
  /** This window began to run one, or resumed it. */
  readonly onDidBegin: vscode.Event<void>;
  /** At most every 150 ms. */
  readonly onDidChange: vscode.Event<void>;
}

export interface FolderKind<Report> {
  /** Such as `.hasp/evolutions`. */
  readonly place: string;
  /** The file that makes a folder one of the kind, such as `evolution.json`. */
  readonly state: string;
  /** The files that `read` reads, by their paths below the folder, with `/`. */
  readonly wanted: RegExp;
  /** Folders between `place` and the deepest file of those. */
  readonly depth: number;
  readonly log: vscode.LogOutputChannel;
  readonly read: (folder: string) => Promise<Checked<Report>>;
  /** ISO 8601. */
  readonly createdAt: (report: Report) => string;
}

const EXCLUDED = "**/{node_modules,.git,.vscode-test}/**";
const SHOWN_EVERY = 150;

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

/** The path of a file as `<folder of the kind>` and the path below it. */
function placed(
  place: string,
  path: string,
): { readonly folder: string; readonly below: string } | undefined {
  const plain = path.replaceAll("\\", "/");
  const at = plain.lastIndexOf(`/${place}/`);
  const [name, ...rest] = at === -1 ? [] : plain.slice(at + place.length + 2).split("/");
  if (name === undefined || rest.length === 0) return undefined;
  return { folder: `${plain.slice(0, at)}/${place}/${name}`, below: rest.join("/") };
}

/** Hears of the files of such folders, whoever writes them. `onGone`: a folder of the kind is gone. */
function watchStateFiles(
  { place, wanted, depth, log }: Pick<FolderKind<never>, "place" | "wanted" | "depth" | "log">,
  onFile: (file: vscode.Uri) => void,
  onGone: () => void,
): { readonly follow: () => void } & vscode.Disposable {
  const isWanted = (path: string): boolean => wanted.test(placed(place, path)?.below ?? "");
  const deep = watchDeep({ isWanted, depth, log, onFile });
  const follow = (): void =>
    deep.follow((vscode.workspace.workspaceFolders ?? []).map(({ uri }) => vscode.Uri.joinPath(uri, place)));
  const folders = vscode.workspace.createFileSystemWatcher(`**/{.hasp,${place}}`, false, true, false);
  const go = (folder: vscode.Uri): void => {
    deep.leave(folder);
    onGone();
  };
  const held = vscode.Disposable.from(deep, folders, folders.onDidCreate(follow), folders.onDidDelete(go));
  return { follow, dispose: () => held.dispose() };
}

function newestFirst<Report>({ createdAt }: Pick<FolderKind<Report>, "createdAt">) {
  type Found = FoundFolder<Report, unknown>;
  /** One without a file has just begun, or cannot be read: it is first. */
  const when = ({ report: { value } }: Found): string => (value === undefined ? "~" : createdAt(value));
  return (a: Found, b: Found): number => when(b).localeCompare(when(a)) || a.name.localeCompare(b.name);
}

/** Watches the folders of a kind. */
export function watchStateFolders<Report, Work, Now extends Running<Work>>(
  kind: FolderKind<Report>,
): StateFolders<Report, Work, Now> {
  const { place, state, log } = kind;
  const changed = new vscode.EventEmitter<void>();
  const began = new vscode.EventEmitter<void>();
  const soon = growing(() => changed.fire());
  const known = new Map<string, Promise<Checked<Report>>>();
  const running = new Map<string, { readonly folder: vscode.Uri; readonly now: Now }>();

  const forget = (folder: vscode.Uri): void => {
    known.delete(folder.toString());
    soon.poke();
  };
  function heard(file: vscode.Uri): void {
    const path = placed(place, file.path)?.folder;
    if (path !== undefined) forget(file.with({ path, fragment: "", query: "" }));
  }
  const watcher = watchStateFiles(kind, heard, () => {
    known.clear();
    soon.poke();
  });

  async function report(folder: vscode.Uri): Promise<Checked<Report>> {
    const key = folder.toString();
    const read = known.get(key) ?? kind.read(folder.fsPath);
    known.set(key, read);
    read.catch(() => known.delete(key));
    return read;
  }
  async function read(folder: vscode.Uri): Promise<FoundFolder<Report, Work>> {
    const plain = folder.with({ fragment: "", query: "" });
    const work = running.get(plain.toString())?.now.work;
    return { folder: plain, name: basename(plain.fsPath), report: await report(plain), work };
  }

  async function list(): Promise<readonly FoundFolder<Report, Work>[]> {
    watcher.follow();
    const states = await vscode.workspace.findFiles(`**/${place}/*/${state}`, EXCLUDED);
    const there = new Map(
      states.map((file) => vscode.Uri.joinPath(file, "..")).map((one) => [one.toString(), one]),
    );
    // One that has just begun has no file yet.
    for (const [key, { folder }] of running) there.set(key, folder);
    const found: FoundFolder<Report, Work>[] = [];
    for (const folder of there.values()) {
      const one = await read(folder).catch((error: unknown) =>
        log.error(`${folder.fsPath} could not be read`, String(error)),
      );
      if (one !== undefined) found.push(one);
    }
    return found.sort(newestFirst(kind));
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
    isAnyRunning: () => running.size > 0,
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
