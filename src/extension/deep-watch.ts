import { existsSync } from "node:fs";
import { basename, sep } from "node:path";
import type { FSWatcher } from "chokidar";
import * as vscode from "vscode";
import { debounce } from "./debounce.ts";

/** Hears of files below folders as soon as those are followed, whatever VS Code's own watcher makes of them. */
export interface DeepWatch extends vscode.Disposable {
  /** Follows what stands below these folders from now on, as far as they are there; those that are followed stay so. */
  readonly follow: (folders: readonly vscode.Uri[]) => void;
  /** A folder is gone from its place, by whatever name it goes on: nothing is heard of it before it is followed again. */
  readonly leave: (folder: vscode.Uri) => void;
}

/** `change` stands for a file that was there before and still is. */
export type FileEvent = "add" | "change" | "unlink";

interface Wanted {
  /** By the path of a file: others are not heard of. */
  readonly isWanted: (path: string) => boolean;
  /** How many folders deep below a followed one. */
  readonly depth: number;
  readonly log: vscode.LogOutputChannel;
  /** At most once in `TOGETHER_MS` for each file. A file that is there when its folder is followed comes as `add`. */
  readonly onFile: (file: vscode.Uri, what: FileEvent) => void;
}

const SKIPPED = new Set(["node_modules", ".git", ".hasp", "dist", "out", ".vscode-test"]);
/** Milliseconds after which a deletion is one, and not half of a file that is replaced. */
const ATOMIC_MS = 100;
/** Milliseconds: a run that is written grows many times a second. */
const TOGETHER_MS = 100;

/** The one event that two events of a file amount to. */
function together(before: FileEvent | undefined, now: FileEvent): FileEvent {
  if (now === "change") return before ?? now;
  return before === "unlink" && now === "add" ? "change" : now;
}

/**
 * On Linux VS Code's watcher never hears of a folder that was made inside another one right after that (`mkdir -p`, a checkout,
 * a command of ours), nor of any file in it for as long as the window is open: github.com/parcel-bundler/watcher/issues/97.
 */
export function watchDeep({ isWanted, depth, log, onFile }: Wanted): DeepWatch {
  let watcher: Promise<FSWatcher> | undefined;
  const followed = new Set<string>();
  const heard = new Map<string, FileEvent>();

  const telling = debounce(TOGETHER_MS, () => {
    const events = [...heard];
    heard.clear();
    for (const [path, what] of events) onFile(vscode.Uri.file(path), what);
  });

  function hear(path: string, what: FileEvent): void {
    // A run that is written all the time would put off a later call for ever.
    if (heard.size === 0) telling.poke();
    heard.set(path, together(heard.get(path), what));
  }

  async function start(): Promise<FSWatcher> {
    const { watch } = await import("chokidar");
    const started = watch([], {
      atomic: ATOMIC_MS,
      depth,
      ignored: (path, stats) =>
        !followed.has(path) && (SKIPPED.has(basename(path)) || (stats?.isFile() === true && !isWanted(path))),
    });
    for (const what of ["add", "change", "unlink"] as const) started.on(what, (path) => hear(path, what));
    // A folder may stand where a file belongs: that is told as the file is.
    started.on("addDir", (path) => isWanted(path) && hear(path, "add"));
    started.on("unlinkDir", (path) => {
      // One that is made again is followed again once somebody asks.
      followed.delete(path);
      if (isWanted(path)) hear(path, "unlink");
    });
    started.on("error", (error) => log.warn(`Some files are not watched: ${String(error)}`));
    return started;
  }

  function withWatcher(change: (started: FSWatcher) => unknown): void {
    watcher ??= start();
    watcher.then(change).catch((error: unknown) => log.warn(`Files are not watched: ${String(error)}`));
  }

  function follow(path: string): void {
    if (followed.has(path) || !existsSync(path)) return;
    followed.add(path);
    withWatcher((started) => started.add(path));
  }

  return {
    follow(folders) {
      for (const { scheme, fsPath } of folders) if (scheme === "file") follow(fsPath);
    },
    leave({ fsPath }) {
      for (const path of followed) {
        if (path !== fsPath && !path.startsWith(fsPath + sep)) continue;
        followed.delete(path);
        withWatcher((started) => started.unwatch(path));
      }
    },
    dispose() {
      telling.dispose();
      if (watcher !== undefined) withWatcher((started) => started.close());
    },
  };
}
