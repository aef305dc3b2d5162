import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { allowedLinks } from "./allowed-links.ts";
import { asFileError, FileError } from "./file-error.ts";
import { shellWord } from "./shell-word.ts";
import { absolute, currentFolder, homeFolder } from "./surroundings.ts";
import { cacheFolder, configFolder, stateFolder } from "./user-folders.ts";

/** Something on the way to a file leads elsewhere, and nobody has said that it may be written through. */
export class LinkedPathError extends FileError {
  /** Absolute. */
  readonly link: string;
  /** Its target, without links; undefined if nothing is there. */
  readonly target: string | undefined;
  constructor(link: string, target: string | undefined, text: string) {
    const leads = target === undefined ? `leads to nothing (${text})` : `leads to ${target}`;
    const next =
      target === undefined
        ? "Remove the link, or make what it leads to."
        : `If you made it and want files there, say so: hasp links allow ${shellWord(link)}`;
    super(`${link} is a link and ${leads}; nothing is written through it.`, { file: link, next });
    this.name = "LinkedPathError";
    this.link = link;
    this.target = target;
  }
}

/** A file that cannot be read or written in place: a device, a pipe, or a file that has another name elsewhere. */
export class UnsafeFileError extends FileError {
  constructor(file: string, what: string, next: string) {
    super(`${file} ${what}.`, { file, next });
    this.name = "UnsafeFileError";
  }
}

/** Names that make their folder a workspace. */
const MARKERS = [".git", ".hasp", "hasp.yaml"] as const;

function holdsMarker(folder: string): boolean {
  return MARKERS.some(
    (name) => fs.lstatSync(path.join(folder, name), { throwIfNoEntry: false }) !== undefined,
  );
}

/** Below the folder, or the folder itself. */
function contains(folder: string, file: string): boolean {
  const relative = path.relative(folder, file);
  return relative === "" || (!/^\.\.(?:[/\\]|$)/.test(relative) && !path.isAbsolute(relative));
}

/** From the root of the file system down to `file`. */
function ancestors(file: string): string[] {
  const folders: string[] = [];
  for (let at = path.dirname(file); ; at = path.dirname(at)) {
    folders.unshift(at);
    if (path.dirname(at) === at) return folders;
  }
}

/**
 * The folder that a person chose, below which no link is followed: HASP's own folders of the user, which may be behind links of theirs; else the
 * outermost workspace that holds the file, or the current folder where that is above it. Home is no workspace. Outside all of them: home, the
 * folder for temporary files, the root of the file system.
 */
export function writeRoot(file: string): string {
  const own = [configFolder(), cacheFolder(), stateFolder()].find((folder) => contains(folder, file));
  if (own !== undefined) return own;
  const home = homeFolder();
  const isPersons = (folder: string): boolean => contains(folder, home);
  const marked = ancestors(file).find((folder) => !isPersons(folder) && holdsMarker(folder));
  const cwd = currentFolder();
  const current = cwd !== undefined && !isPersons(cwd) && contains(cwd, file) ? cwd : undefined;
  const chosen = [marked, current].filter((one) => one !== undefined);
  if (chosen.length > 0) return chosen.reduce((outer, one) => (contains(one, outer) ? one : outer));
  return [home, os.tmpdir()].find((folder) => contains(folder, file)) ?? path.parse(file).root;
}

function realPath(file: string): string | undefined {
  try {
    return fs.realpathSync(file);
  } catch {
    return undefined;
  }
}

/** Links directly below `/` are the system's own (`/tmp` on macOS, `/home` elsewhere). */
const isSystems = (link: string): boolean => path.dirname(link) === path.parse(link).root;

function textOfLink(link: string): string {
  try {
    return fs.readlinkSync(link);
  } catch {
    return "";
  }
}

function through(link: string): string {
  const target = realPath(link);
  const canonical = path.join(fs.realpathSync(path.dirname(link)), path.basename(link));
  const isAllowed =
    target !== undefined &&
    (isSystems(link) || allowedLinks().some((one) => one.link === canonical && one.target === target));
  if (!isAllowed) throw new LinkedPathError(link, target, textOfLink(link));
  return target;
}

/** Undefined where nothing is there, also where something on the way is no folder: who makes the file hears of that. */
function found(file: string): fs.Stats | undefined {
  try {
    return fs.lstatSync(file, { throwIfNoEntry: false });
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOTDIR") return undefined;
    throw asFileError(error, file, "written");
  }
}

/**
 * The path by which a file may be written, removed or made: the one way into everything below a workspace. No component below its root is
 * a link, dangling ones included; a link that the user allowed (allowed-links.ts) is replaced by where it leads. Throws LinkedPathError.
 * Components that are not there yet stay as given. The last component counts, too.
 */
export function writePath(given: string): string {
  const file = absolute(given);
  const root = writeRoot(file);
  let at = root;
  const names = path
    .relative(root, file)
    .split(path.sep)
    .filter((name) => name !== "");
  for (const [i, name] of names.entries()) {
    const next = path.join(at, name);
    const stat = found(next);
    if (stat === undefined) return path.join(next, ...names.slice(i + 1));
    at = stat.isSymbolicLink() ? through(next) : next;
  }
  return at;
}

// Windows lacks O_NOFOLLOW and O_NONBLOCK: undefined counts as 0 here, and a file is opened as it is.
const { O_NOFOLLOW, O_NONBLOCK, O_APPEND, O_CREAT, O_RDONLY, O_WRONLY } = fs.constants;

/** Opens for appending what `writePath` allows, makes it where it is missing. A pipe does not block: it is refused. */
export const APPEND_FLAGS = O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK;

/** Opens for reading, through links. A pipe does not block: `checkPlainFile` refuses it. */
export const READ_FLAGS = O_RDONLY | O_NONBLOCK;

/** Refuses pipes, devices and sockets: they have no end, or never begin. */
export function checkPlainFile(file: string, stat: { isFile(): boolean }): void {
  if (!stat.isFile())
    throw new UnsafeFileError(file, "is no plain file, and is neither read nor written", "Move it away.");
}

/** Refuses what is no plain file of its own: by a second name it could be any file of the same disk. */
export function checkOwnFile(file: string, stat: { isFile(): boolean; readonly nlink: number }): void {
  checkPlainFile(file, stat);
  if (stat.nlink > 1)
    throw new UnsafeFileError(
      file,
      "has another name elsewhere (a hard link), and nothing is added to it",
      `Make it a file of its own: cp ${shellWord(file)} ${shellWord(`${file}.copy`)} && mv ${shellWord(`${file}.copy`)} ${shellWord(file)}`,
    );
}

/** A failure to open for appending, in words. A pipe without a reader answers ENXIO. */
export function appendFailure(error: unknown, file: string): unknown {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code !== "ENXIO") return asFileError(error, file, "written");
  return new UnsafeFileError(file, "is no plain file, and is neither read nor written", "Move it away.");
}
