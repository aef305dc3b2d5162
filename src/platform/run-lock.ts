import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import process from "node:process";
import { runPaths } from "../trace/run-paths.ts";
import { asFileError, FileError } from "./file-error.ts";
import { removeLeftovers, removeTemporary, tryLock, type HeldLock, type LockOwner } from "./process-lock.ts";
import { fromHere } from "./surroundings.ts";
import { writePath } from "./write-path.ts";

function nameOf({ pid, host, since }: LockOwner): string {
  const who = pid === process.pid ? `This process (${pid}` : `Process ${pid}`;
  const end = pid === process.pid ? ")" : "";
  const from = since === undefined ? "" : `, since ${since.slice(0, 19).replace("T", " ")} UTC`;
  return `${who} on ${host}${from}${end}`;
}

function nextFor(file: string, host: string | undefined): string {
  const wait = "Wait until it ends, or stop it; then repeat the command.";
  if (host === os.hostname()) return wait;
  return `${wait} If it crashed there, its lock ${file} expires 30 seconds after its last sign of life.`;
}

/** Another writer holds the run folder: two at once would write every episode twice. */
export class RunInUseError extends FileError {
  constructor(folder: string, holder: LockOwner | undefined) {
    const file = runPaths(folder).lock;
    const name = holder === undefined ? "Another process" : nameOf(holder);
    const next = nextFor(file, holder?.host);
    super(`${name} is writing into ${folder}; a run has one writer at a time.`, { file, next });
    this.name = "RunInUseError";
  }
}

/** The folder, and those above it that are missing. Answers the outermost that was made. */
function makeFolder(folder: string): string | undefined {
  try {
    return fs.mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw asFileError(error, folder, "made");
  }
}

/** Removes the folders from `folder` up to `outermost`, as far as they are empty. */
function removeEmpty(folder: string, outermost: string): void {
  for (let at = folder; at.startsWith(outermost); at = path.dirname(at)) {
    try {
      fs.rmdirSync(at);
    } catch {
      // Something is in it by now.
      return;
    }
  }
}

/** Removes files that a killed process left half written. A merge fills a folder beside the run's; a reader whose index this takes does without. */
function removeHalfWritten(folder: string): void {
  const { episodes, run, index } = runPaths(folder);
  for (const one of [episodes, run, index, folder]) removeTemporary(one);
}

/**
 * Works while no process writes into the run folder; makes no folder, and takes no lock where there is none. Answers why it did nothing, where another
 * process holds the folder.
 */
export async function unlessWritten(
  folder: string,
  work: () => Promise<void>,
): Promise<RunInUseError | undefined> {
  if (!fs.existsSync(fromHere(folder))) {
    await work();
    return undefined;
  }
  const attempt = tryLock(writePath(runPaths(folder).lock));
  if (attempt.lock === undefined) return new RunInUseError(folder, attempt.holder);
  try {
    await work();
  } finally {
    attempt.lock.release();
  }
  return undefined;
}

const ATTEMPTS = 5;

function take(folder: string): { readonly lock: HeldLock; readonly made: string | undefined } {
  for (let tries = 1; ; tries++) {
    const at = writePath(folder);
    const made = makeFolder(at);
    const file = writePath(runPaths(at).lock);
    try {
      const attempt = tryLock(file);
      if (attempt.lock === undefined) throw new RunInUseError(folder, attempt.holder);
      return { lock: attempt.lock, made };
    } catch (error) {
      const isGone = error instanceof Error && "code" in error && error.code === "ENOENT";
      // Another process that made the folder for nothing has just removed it.
      if (!isGone || tries === ATTEMPTS) throw asFileError(error, file, "written");
    }
  }
}

/**
 * Works while no other process writes into the run folder, which is made where it is missing; one that is empty at the end and was made here is
 * removed. Work that replaces the folder as a whole releases the lock before the end; work that takes long ends when the lock is lost. Rejects
 * with RunInUseError at once if another process holds it.
 */
export async function asOnlyWriter<T>(folder: string, work: (lock: HeldLock) => Promise<T>): Promise<T> {
  const { lock, made } = take(folder);
  try {
    removeLeftovers(lock);
    removeHalfWritten(path.dirname(lock.file));
    return await work(lock);
  } finally {
    lock.release();
    if (made !== undefined) removeEmpty(path.dirname(lock.file), made);
  }
}
