import { randomUUID } from "node:crypto";
import fs from "node:fs";
import { asFileError } from "./file-error.ts";
import { fromHere } from "./surroundings.ts";
import {
  APPEND_FLAGS,
  appendFailure,
  checkOwnFile,
  checkPlainFile,
  READ_FLAGS,
  UnsafeFileError,
  writePath,
} from "./write-path.ts";

/**
 * Files for a process that lives for one event and would only wait: synchronous, and for this user alone. All that writes goes through
 * `writePath`. A pipe, a device and a file with a second name are refused (UnsafeFileError), and never block. Every failure is a FileError.
 */

/** Largest file that is read: none of those that a process for one event looks at comes near it. */
const MAX_BYTES = 64 * 1024 * 1024;
const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;

function isAbsent(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return code === "ENOENT" || code === "ENOTDIR";
}

function readOpen(file: string, open: number): string | undefined {
  const stat = fs.fstatSync(open);
  if (stat.isDirectory()) return undefined;
  checkPlainFile(file, stat);
  if (stat.size > MAX_BYTES) {
    const what = `is larger than ${MAX_BYTES / 1024 / 1024} MiB and is not read`;
    throw new UnsafeFileError(file, what, "Move it away.");
  }
  return fs.readFileSync(open, "utf8");
}

/** The file as UTF-8, also through links; undefined where it is absent or a folder. */
export function readTextSync(file: string): string | undefined {
  let open: number | undefined;
  try {
    open = fs.openSync(fromHere(file), READ_FLAGS);
    return readOpen(file, open);
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw asFileError(error, file, "read");
  } finally {
    if (open !== undefined) fs.closeSync(open);
  }
}

/** Undefined where nothing can be read: no file, a pipe, a device, a link to itself. */
export function readableText(file: string): string | undefined {
  try {
    return readTextSync(file);
  } catch {
    return undefined;
  }
}

/** Makes the folder and those above it that are missing. */
export function makeFolderSync(folder: string, mode = PRIVATE_FOLDER): void {
  try {
    fs.mkdirSync(writePath(folder), { recursive: true, mode });
  } catch (error) {
    throw asFileError(error, folder, "made");
  }
}

/** A full disk takes a part of a line; that part is removed again, unless somebody has added theirs behind it. */
function appendWhole(open: number, data: Uint8Array, size: number): void {
  let written = 0;
  try {
    while (written < data.length) written += fs.writeSync(open, data, written);
  } catch (error) {
    if (written > 0 && fs.fstatSync(open).size === size + written) fs.ftruncateSync(open, size);
    throw error;
  }
}

/** Adds to the end of the file, and makes it where it is missing; its folder must be there. */
export function appendSync(file: string, data: string | Uint8Array): void {
  let open: number | undefined;
  try {
    open = fs.openSync(writePath(file), APPEND_FLAGS, PRIVATE_FILE);
    const before = fs.fstatSync(open);
    checkOwnFile(file, before);
    appendWhole(open, typeof data === "string" ? Buffer.from(data) : data, before.size);
  } catch (error) {
    throw appendFailure(error, file);
  } finally {
    if (open !== undefined) fs.closeSync(open);
  }
}

/** Replaces the file as a whole or not at all; its folder must be there. `mode`: of the new file. */
export function replaceSync(file: string, data: string | Uint8Array, mode = PRIVATE_FILE): void {
  const target = writePath(file);
  const temporary = `${target}.${randomUUID().slice(0, 8)}.tmp`;
  try {
    fs.writeFileSync(temporary, data, { flag: "wx", mode });
    fs.renameSync(temporary, target);
  } catch (error) {
    fs.rmSync(temporary, { force: true });
    throw asFileError(error, file, "written");
  }
}

/** Makes a file that must not be there yet; its folder must be there. Answers false where something is there. */
export function createSync(file: string, data: string | Uint8Array, mode = PRIVATE_FILE): boolean {
  try {
    fs.writeFileSync(writePath(file), data, { flag: "wx", mode });
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw asFileError(error, file, "written");
  }
}

/** Removes a file; nothing happens where there is none. */
export function removeSync(file: string): void {
  try {
    fs.rmSync(writePath(file), { force: true });
  } catch (error) {
    throw asFileError(error, file, "removed");
  }
}

/** Removes a folder with all that is in it; links in it are removed and not followed. */
export function removeTreeSync(folder: string): void {
  try {
    fs.rmSync(writePath(folder), { recursive: true, force: true });
  } catch (error) {
    throw asFileError(error, folder, "removed");
  }
}

/** Removes an empty folder. False where it is not empty, or not there. */
export function removeEmptySync(folder: string): boolean {
  const target = writePath(folder);
  try {
    fs.rmdirSync(target);
    return true;
  } catch {
    return false;
  }
}
