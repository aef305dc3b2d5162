import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import process from "node:process";

/** Every user may enter the folders on the way to a file. */
export function isOpenToAll(file: string): boolean {
  const folder = path.dirname(file);
  if (folder === file) return true;
  return (fs.statSync(folder).mode & 0o001) !== 0 && isOpenToAll(folder);
}

/** A new folder that every user may enter, for what runs as another user where this one is root. */
export function folderForAll(name: string): string {
  const own = path.join(os.tmpdir(), name);
  const isRoot = process.getuid?.() === 0;
  const folder = fs.mkdtempSync(isRoot && !isOpenToAll(own) ? path.join("/tmp", name) : own);
  fs.chmodSync(folder, 0o755);
  return folder;
}
