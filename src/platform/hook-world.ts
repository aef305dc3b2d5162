import fs from "node:fs";
import path from "node:path";
import type { WorldPort } from "../agents/hook/session-store.ts";
import { readTextSync } from "./sync-files.ts";

function textAt(file: string): string | undefined {
  try {
    return readTextSync(file);
  } catch {
    return undefined;
  }
}

/** The folder that git keeps its HEAD in; a worktree's `.git` is a file that names it. */
function gitFolder(root: string): string | undefined {
  for (let folder = root; ; folder = path.dirname(folder)) {
    const git = path.join(folder, ".git");
    const found = fs.statSync(git, { throwIfNoEntry: false });
    if (found?.isDirectory() === true) return git;
    const named = found === undefined ? undefined : /^gitdir: (.+)$/m.exec(textAt(git) ?? "")?.[1];
    if (named !== undefined) return path.resolve(folder, named.trim());
    if (path.dirname(folder) === folder) return undefined;
  }
}

/** The world as the files of this machine show it. No program is run. */
export const hookWorld: WorldPort = {
  async branch(root) {
    const git = gitFolder(root);
    return git === undefined
      ? undefined
      : /^ref: refs\/heads\/(.+)$/m.exec(textAt(path.join(git, "HEAD")) ?? "")?.[1]?.trim();
  },
  async file(root, name, maxBytes) {
    if (name.includes("\0")) return { exists: false };
    const file = path.resolve(root, name);
    const found = fs.statSync(file, { throwIfNoEntry: false });
    if (found === undefined) return { exists: false };
    if (!found.isFile() || found.size > maxBytes) return { exists: true };
    const text = textAt(file);
    return text === undefined ? { exists: true } : { exists: true, text };
  },
};
