import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import process from "node:process";
import { currentFolder, homeFolder } from "./surroundings.ts";
import { workspaceKey } from "./user-folders.ts";

function holds(folder: string, names: readonly string[]): boolean {
  return names.some((name) => fs.existsSync(path.join(folder, name)));
}

const WRITABLE_BY_ALL = 0o002;

/** A folder in which everybody may put files, as that for temporary ones, is nobody's workspace: another user could make it one. */
export function isCommon(folder: string): boolean {
  const found = process.platform === "win32" ? undefined : fs.statSync(folder, { throwIfNoEntry: false });
  return found !== undefined && (found.mode & WRITABLE_BY_ALL) !== 0;
}

function above(from: string, names: readonly string[]): string | undefined {
  const home = homeFolder();
  for (let folder = from; ; folder = path.dirname(folder)) {
    // What stands in the home folder is the user's, and no workspace's.
    if (folder !== home && holds(folder, names) && !isCommon(folder)) return folder;
    if (path.dirname(folder) === folder) return undefined;
  }
}

/** The folder without links; of one that is gone, the nearest above it that is there. */
function realFolder(given: string): string {
  for (let folder = given; ; folder = path.dirname(folder)) {
    try {
      return fs.realpathSync(folder);
    } catch {
      if (path.dirname(folder) === folder) return folder;
    }
  }
}

/** The workspace of an agent that stands in `cwd`: the nearest folder above with a `.hasp` or `hasp.yaml`, else its repository. Never throws. */
export function workspaceOf(cwd: string | undefined): string {
  const real = realFolder(cwd !== undefined && path.isAbsolute(cwd) ? cwd : (currentFolder() ?? os.tmpdir()));
  return above(real, [".hasp", "hasp.yaml"]) ?? above(real, [".git"]) ?? real;
}

/** A path of a socket is not longer, on any system that has them. */
const LONGEST_SOCKET = 100;

/** The address of `hasp serve --hooks` for this workspace: in its `.hasp`; in the folder for temporary files if that is too long; a named pipe on Windows. */
export function hookSocket(root: string): string {
  if (process.platform === "win32") return `\\\\.\\pipe\\hasp-hook-${workspaceKey(root)}`;
  const inside = path.join(root, ".hasp", "hook.sock");
  if (Buffer.byteLength(inside) <= LONGEST_SOCKET) return inside;
  return path.join(os.tmpdir(), `hasp-hook-${os.userInfo().uid}-${workspaceKey(root)}.sock`);
}
