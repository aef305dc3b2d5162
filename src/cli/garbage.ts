import { lstat, readdir, stat } from "node:fs/promises";
import path from "node:path";
import { nodeFiles } from "../platform/files.ts";
import { fromHere } from "../platform/surroundings.ts";
import { removeEmptySync } from "../platform/sync-files.ts";
import { LinkedPathError, writePath } from "../platform/write-path.ts";
import { unlessWritten } from "../platform/run-lock.ts";
import { CliError } from "./terminal.ts";
import { isWritersOwn, runPaths } from "../trace/run-paths.ts";

/** What a file in `.hasp` is, as far as cleaning goes. */
export type Kind = "cache" | "temporary" | "live";

export interface Removable {
  /** From the workspace, with `/`. */
  readonly path: string;
  readonly kind: Kind;
  readonly bytes: number;
}

/** What there is to remove, and what stays. */
export interface Garbage {
  readonly removable: readonly Removable[];
  /** Cached replies that are too young, and how much they take. */
  readonly young: { readonly files: number; readonly bytes: number };
  /** Links in the place of the cache or in it, which are neither followed nor removed. */
  readonly links: readonly string[];
}

export interface GarbageRules {
  /** Cached replies and live files younger than this stay. Milliseconds. */
  readonly olderThanMs: number;
  /** Also files of episodes that run, or whose run was killed. */
  readonly live: boolean;
  /** Milliseconds since 1970. */
  readonly now: number;
}

const HASP_FOLDER = ".hasp";
const CACHE_FOLDER = `${HASP_FOLDER}/cache`;
/** A temporary file of less may still be written by somebody; no write takes an hour. */
const ABANDONED_MS = 3_600_000;
/** Deeper than anything that HASP Studio makes. */
const DEEPEST = 8;

const RUNS = `${HASP_FOLDER}/runs/`;

/** A folder that was being filled, such as that of two runs that are merged: it gets its name when it is whole. */
const NEW_FOLDER = /\.[0-9a-f]{8}\.tmp\//;

/** False for a link that leads to nothing, or that nobody allowed to be written through. */
function isAllowed(link: string): boolean {
  try {
    writePath(link);
    return true;
  } catch (error) {
    if (error instanceof LinkedPathError) return false;
    throw error;
  }
}

/**
 * Whether this workspace has a `.hasp`; a link that a person allowed counts as the folder to which it leads. CliError for another link, for
 * what is no folder, and without a workspace.
 */
async function hasFolder(workspace: string): Promise<boolean> {
  if (!(await isFolder(workspace))) throw new CliError(`There is no folder ${workspace}.`, "Check the path.");
  const folder = path.join(workspace, HASP_FOLDER);
  const found = await lstat(fromHere(folder)).catch(absent);
  if (found === undefined) return false;
  const next = "Name the workspace where the folder itself stands.";
  const title = `${HASP_FOLDER} of ${workspace}`;
  if (found.isSymbolicLink() && !isAllowed(folder)) {
    const why = `${title} is a link, so it may lead to files that are not ours. Nothing was removed.`;
    throw new CliError(why, next);
  }
  if (await isFolder(folder)) return true;
  throw new CliError(`${title} is no folder.`, next);
}

/** True also for a link to a folder: a person may name a workspace by one. */
async function isFolder(workspace: string): Promise<boolean> {
  return (await stat(fromHere(workspace)).catch(absent))?.isDirectory() === true;
}

function absent(error: unknown): undefined {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code !== "ENOENT" && code !== "ENOTDIR") throw error;
}

function kindOf(file: string): Kind | undefined {
  if (/^\.hasp\/runs\/[^/]+\/live\//.test(file)) return "live";
  if (file.endsWith(".tmp") || NEW_FOLDER.test(file)) return "temporary";
  if (file.startsWith(RUNS) && isWritersOwn(path.posix.basename(file))) return "temporary";
  return file.startsWith(`${CACHE_FOLDER}/`) ? "cache" : undefined;
}

/** Milliseconds of quiet after which a file goes. */
function leastAge(kind: Kind, { olderThanMs }: GarbageRules): number {
  if (kind === "cache") return olderThanMs;
  return kind === "live" ? Math.max(ABANDONED_MS, olderThanMs) : ABANDONED_MS;
}

/** Looks through `.hasp` of a workspace. Removes nothing. Rejects with CliError, and on I/O errors. */
export async function findGarbage(workspace: string, rules: GarbageRules): Promise<Garbage> {
  const removable: Removable[] = [];
  const young = { files: 0, bytes: 0 };
  const links: string[] = [];
  const look = async (file: string): Promise<void> => {
    const kind = kindOf(file);
    if (kind === undefined || (kind === "live" && !rules.live)) return;
    const found = await lstat(fromHere(path.join(workspace, file))).catch(absent);
    if (found === undefined) return;
    if (rules.now - found.mtimeMs >= leastAge(kind, rules))
      removable.push({ path: file, kind, bytes: found.size });
    else if (kind === "cache") {
      young.files += 1;
      young.bytes += found.size;
    }
  };
  const visit = async (folder: string, depth: number): Promise<void> => {
    for (const entry of await readdir(fromHere(path.join(workspace, folder)), { withFileTypes: true })) {
      const at = `${folder}/${entry.name}`;
      if (entry.isSymbolicLink()) {
        if (`${at}/`.startsWith(`${CACHE_FOLDER}/`)) links.push(at);
      } else if (entry.isFile()) await look(at);
      else if (entry.isDirectory() && depth < DEEPEST) await visit(at, depth + 1);
    }
  };
  if (await hasFolder(workspace)) await visit(HASP_FOLDER, 0);
  return {
    removable: removable.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
    young,
    links: links.toSorted(),
  };
}

/** What could not be removed, and why. */
export interface Failure {
  readonly path: string;
  readonly message: string;
}

/** The run folder whose writer may still need the file; undefined outside of runs. A merge fills a folder beside that of its run. */
function runOf(file: string): string | undefined {
  const folder = path.posix.dirname(file).replace(/(?:\/live|\.[0-9a-f]{8}\.tmp)(?:\/.*)?$/, "");
  return folder.startsWith(RUNS) ? folder : undefined;
}

export interface Removal {
  readonly failures: readonly Failure[];
  /** Files of runs that another process is writing. */
  readonly inUse: readonly Failure[];
}

/**
 * Removes these files, and the folders of the cache and of what was never finished that this leaves empty. Each is looked up anew (write-path.ts),
 * so a folder that was replaced by a link meanwhile is not entered. Files of a run stay while another process writes it.
 * Rejects on abort.
 */
export async function removeGarbage(
  workspace: string,
  garbage: readonly Removable[],
  signal?: AbortSignal,
): Promise<Removal> {
  const [failures, inUse]: [Failure[], Failure[]] = [[], []];
  for (const [run, files] of Map.groupBy(garbage, (file) => runOf(file.path))) {
    const work = async (): Promise<void> =>
      void failures.push(...(await removeFiles(workspace, files, signal)));
    if (run === undefined) {
      await work();
      continue;
    }
    const folder = path.join(workspace, run);
    await unlessWritten(folder, work).then(
      (writer) => {
        if (writer !== undefined) inUse.push(...failuresOf(files, writer));
        // Of a run that never began: nothing but a lock was in it.
        else removeEmptySync(folder);
      },
      (error: unknown) => {
        signal?.throwIfAborted();
        failures.push(...failuresOf(files, error));
      },
    );
  }
  return { failures, inUse };
}

function failuresOf(files: readonly Pick<Removable, "path">[], error: unknown): Failure[] {
  const message = error instanceof Error ? error.message : String(error);
  return files.map(({ path }) => ({ path, message }));
}

async function removeFiles(
  workspace: string,
  garbage: readonly Removable[],
  signal: AbortSignal | undefined,
): Promise<readonly Failure[]> {
  const files = nodeFiles();
  const failures: Failure[] = [];
  for (const { path: file } of garbage) {
    signal?.throwIfAborted();
    // The lock is ours meanwhile, and goes as it is released.
    if (file === runPaths(path.posix.dirname(file)).lock) continue;
    try {
      await files.remove(path.join(workspace, file));
      removeEmpty(workspace, path.posix.dirname(file));
    } catch (error) {
      failures.push(...failuresOf([{ path: file }], error));
    }
  }
  return failures;
}

/** A folder that nobody made for its own sake: it goes with its last file. */
const isPassing = (folder: string): boolean =>
  folder.startsWith(`${CACHE_FOLDER}/`) || NEW_FOLDER.test(`${folder}/`);

function removeEmpty(root: string, folder: string): void {
  // Not empty, or somebody is putting a file there: either way it stays.
  for (let at = folder; isPassing(at) && removeEmptySync(path.join(root, at));) at = path.posix.dirname(at);
}
