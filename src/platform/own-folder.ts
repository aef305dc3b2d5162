import fs from "node:fs";
import process from "node:process";

const WRITABLE_BY_OTHERS = 0o022;
const WRITABLE_BY_ALL = 0o002;
const ROOT_UID = 0;

/** A folder, and no link to one, that belongs to one of these users; any folder on Windows, where modes say nothing. */
function belongsTo(folder: string, isOwner: (uid: number) => boolean, closedTo: number): boolean {
  const found = fs.lstatSync(folder, { throwIfNoEntry: false });
  if (found?.isDirectory() !== true) return false;
  if (process.platform === "win32" || process.getuid === undefined) return true;
  return isOwner(found.uid) && (found.mode & closedTo) === 0;
}

/** Nobody but this user can have put a file there. False where it is not there. */
export const isOwnFolder = (folder: string): boolean =>
  belongsTo(folder, (uid) => uid === process.getuid?.(), WRITABLE_BY_OTHERS);

/** A folder that programs are installed in: this user's or the administrator's, and not open to everybody. */
export const isInstalledFolder = (folder: string): boolean =>
  belongsTo(folder, (uid) => uid === process.getuid?.() || uid === ROOT_UID, WRITABLE_BY_ALL);

/** Makes one of the user's own folders (user-folders.ts) for this user alone. Throws where it is there and somebody else's, or open to others. */
export function makeOwnFolder(folder: string): void {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (!isOwnFolder(folder)) throw new Error(`${folder} is not yours alone`);
}
