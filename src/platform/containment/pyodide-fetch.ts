import { execFile } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { failed } from "../../app/refusal.ts";
import type { Checked } from "../../model/diagnostic.ts";
import { asFileError } from "../file-error.ts";
import { newFolder } from "../new-folder.ts";
import { makeOwnFolder } from "../own-folder.ts";
import { tryLock } from "../process-lock.ts";
import { createSync, removeSync, removeTreeSync } from "../sync-files.ts";
import type { Variables } from "../surroundings.ts";
import { cacheFolder } from "../user-folders.ts";
import {
  isPyodide,
  PYODIDE_PACKAGE,
  pyodideFolder,
  snapshotFolder,
  type PyodideFiles,
} from "./pyodide-files.ts";
import { isPyodidePackage, pyodideFilesIn } from "./pyodide-package.ts";
import { pyodideSnapshot } from "./pyodide-snapshot.ts";

export interface FetchOrder {
  readonly environment: Variables;
  readonly signal: AbortSignal;
  /** What is done now, for a person who waits. */
  readonly onLine: (line: string) => void;
}

/** Milliseconds for the download. */
const PATIENCE_MS = 600_000;
const NETWORK = "Check the network and the settings of npm (`npm config list`); then repeat the command.";

/** Why it was not fetched. */
class FetchFault extends Error {
  readonly next: string;
  constructor(why: string, next: string) {
    super(why);
    this.next = next;
  }
}

/** npm's own reason for its failure: its first lines are codes, and its last line names its log file. */
function saidByNpm(stderr: string): string {
  const lines = stderr.split("\n").map((line) => line.replace(/^npm (?:error|ERR!) /, "").trim());
  const telling = lines.filter((line) => line !== "" && !/^(?:code|errno|syscall|path|dest) /.test(line));
  return telling[0] ?? stderr.trim();
}

/** The package, packed by npm in an empty folder: the settings of a workspace do not count, the registry is that of this user. */
async function packedIn(folder: string, { environment, signal }: FetchOrder): Promise<Buffer> {
  const words = ["pack", PYODIDE_PACKAGE.name, "--ignore-scripts", "--loglevel=error"];
  // npm is a script for the command line of Windows.
  const [file, args] =
    process.platform === "win32" ? ["cmd.exe", ["/d", "/s", "/c", "npm", ...words]] : ["npm", words];
  try {
    const options = { cwd: folder, env: environment, signal, timeout: PATIENCE_MS, windowsHide: true };
    await promisify(execFile)(file, args, options);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT")
      throw new FetchFault("npm is not on the PATH", "Install Node.js with npm; then repeat the command.");
    const { stderr } = error as { readonly stderr?: string };
    throw new FetchFault(`npm could not fetch it: ${saidByNpm(stderr ?? String(error))}`, NETWORK);
  }
  const [name = ""] = fs.readdirSync(folder).filter((one) => one.endsWith(".tgz"));
  const archive = fs.readFileSync(path.join(folder, name));
  removeSync(path.join(folder, name));
  return archive;
}

async function fillFolder(folder: string, order: FetchOrder): Promise<void> {
  const archive = await packedIn(folder, order);
  if (!isPyodidePackage(archive)) {
    const next = "Ask npm for its registry (`npm config get registry`): it hands out another file.";
    throw new FetchFault(`what npm fetched is not ${PYODIDE_PACKAGE.name} as its authors published it`, next);
  }
  for (const [name, data] of pyodideFilesIn(archive)) createSync(path.join(folder, name), data);
}

async function fetchInto(folder: string, order: FetchOrder): Promise<Checked<PyodideFiles>> {
  let fault: FetchFault | undefined;
  if (!(await isPyodide(folder))) {
    order.onLine(`Fetching ${PYODIDE_PACKAGE.name}`);
    const fill = async (temporary: string): Promise<void> => {
      try {
        await fillFolder(temporary, order);
      } catch (error) {
        if (error instanceof FetchFault) fault = error;
        throw error;
      }
    };
    try {
      await newFolder(folder, fill, () => removeTreeSync(folder));
    } catch (error) {
      if (fault === undefined) throw error;
      const why = order.signal.aborted ? "interrupted" : fault.message;
      return failed("HASP751", `Pyodide is not installed: ${why}.`, fault.next);
    }
  }
  order.onLine("Making its memory snapshot");
  const made = await pyodideSnapshot(folder, snapshotFolder(), order.signal);
  if ("file" in made) return { value: { folder, snapshot: made.file }, diagnostics: [] };
  return failed(
    "HASP752",
    `Pyodide does not start: ${made.why}.`,
    "Use Node 22.13 or later; then repeat the command.",
  );
}

/**
 * Fetches Pyodide for this user by the npm on the PATH, on a person's order only, and makes its memory snapshot. Interrupted or refused, it leaves
 * nothing half. HASP750 while another process fetches it, HASP751 where it cannot be had, HASP752 where it does not start. Throws FileError where
 * the cache cannot be written.
 */
export async function fetchPyodide(order: FetchOrder): Promise<Checked<PyodideFiles>> {
  const folder = pyodideFolder();
  try {
    makeOwnFolder(cacheFolder());
    makeOwnFolder(path.dirname(folder));
  } catch (error) {
    throw asFileError(error, cacheFolder(), "made");
  }
  const { lock } = tryLock(`${folder}.lock`);
  if (lock === undefined)
    return failed("HASP750", "Another process fetches Pyodide.", "Wait until it has ended.");
  try {
    return await fetchInto(folder, order);
  } finally {
    lock.release();
  }
}
