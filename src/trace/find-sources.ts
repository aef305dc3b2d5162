import type { Diagnostic } from "../model/diagnostic.ts";
import type { ImportReport } from "../model/import-report.ts";
import {
  isIoError,
  missingSource,
  nothingInFolder,
  notPlainSource,
  tooManySources,
  unreadableSource,
} from "./import-findings.ts";
import type { TraceFiles } from "./ports.ts";

/** A file to import. */
export interface FoundSource {
  readonly file: string;
  readonly size: number;
  /** A person named it; else a search found it in a folder, and it may be of no known format. */
  readonly isNamed: boolean;
}

export interface FoundSources {
  readonly sources: readonly FoundSource[];
  /** Files in the folders whose names no format has. */
  readonly others: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Limits of a search: a person may name the root of a disk. */
const MOST_FOUND = 50_000;
const MOST_ENTRIES = 1_000_000;
const DEEPEST = 32;

/** The names of files that a format may have written. */
const READABLE = /\.(?:jsonl|ndjson|json|traj|eval)(?:\.zst)?$/i;

/** Folders of programs, whose files are no records: `node_modules` and hidden ones. */
const isSkipped = (name: string): boolean => name.startsWith(".") || name === "node_modules";

/**
 * The files to import: those that are named, and those below the folders that are named. Of a folder, its files come before its
 * folders, each sorted by name; links, hidden folders, `node_modules` and `except` are left out. Nothing is read. Rejects on abort.
 */
export async function findSources(
  files: TraceFiles,
  named: readonly string[],
  { except, signal }: { readonly except: string; readonly signal?: AbortSignal | undefined },
): Promise<FoundSources> {
  const search: Search = {
    files,
    signal,
    except: files.absolute(except),
    sources: [],
    others: [],
    diagnostics: [],
    entries: 0,
    isFull: false,
  };
  for (const path of named) {
    const stat = await files.stat(path);
    if (stat === undefined) search.diagnostics.push(missingSource(path));
    else if (stat.isFile) search.sources.push({ file: path, size: stat.size, isNamed: true });
    else await searchNamed(search, path.replace(/(?<=.)[/\\]+$/, ""));
  }
  return search;
}

interface Search extends FoundSources {
  readonly files: TraceFiles;
  readonly signal: AbortSignal | undefined;
  /** Absolute path of a folder that is not searched. */
  readonly except: string;
  readonly sources: FoundSource[];
  readonly others: string[];
  readonly diagnostics: Diagnostic[];
  /** Seen so far. */
  entries: number;
  /** A limit was reached, and a finding says so. */
  isFull: boolean;
}

/** A person expects something of a folder that they name. */
async function searchNamed(search: Search, folder: string): Promise<void> {
  const before = [search.sources.length, search.others.length, search.diagnostics.length] as const;
  await searchFolder(search, folder, 0);
  const [sources, others, findings] = before;
  if (search.sources.length === sources && search.diagnostics.length === findings)
    search.diagnostics.push(nothingInFolder(folder, search.others.length - others));
}

async function searchFolder(search: Search, folder: string, depth: number): Promise<void> {
  const { files, signal, except, diagnostics } = search;
  signal?.throwIfAborted();
  if (files.absolute(folder) === except) return;
  if (depth > DEEPEST) return stop(search, folder, `is nested more than ${DEEPEST} folders deep`);
  const entries = await files.entries(folder).catch((error: unknown) => {
    if (!isIoError(error)) throw error;
    diagnostics.push(error.code === "ENOTDIR" ? notPlainSource(folder) : unreadableSource(folder, error));
    return [];
  });
  search.entries += entries.length;
  const names = entries.filter(({ isFolder }) => !isFolder).map(({ name }) => name);
  for (const name of calledLast(names)) await take(search, `${folder}/${name}`);
  for (const { name, isFolder } of entries) {
    if (search.isFull) return;
    if (isFolder && !isSkipped(name)) await searchFolder(search, `${folder}/${name}`, depth + 1);
  }
}

/** Claude Code wrote sub-agents beside the session that called them, which tells the step of the call. */
function calledLast(names: readonly string[]): readonly string[] {
  const isCalled = (name: string): boolean => name.startsWith("agent-");
  return [...names.filter((name) => !isCalled(name)), ...names.filter(isCalled)];
}

async function take(search: Search, file: string): Promise<void> {
  const { files, sources, others, entries, signal } = search;
  if (!READABLE.test(file)) {
    others.push(file);
    return;
  }
  if (search.isFull) return;
  if (sources.length >= MOST_FOUND || entries > MOST_ENTRIES)
    return stop(search, file, `is one of more than ${MOST_FOUND.toLocaleString("en")} files`);
  signal?.throwIfAborted();
  const size = (await files.stat(file))?.size;
  if (size !== undefined) sources.push({ file, size, isNamed: false });
}

function stop(search: Search, place: string, why: string): void {
  search.isFull = true;
  search.diagnostics.push(tooManySources(place, why));
}

/** Endings and names of unread files that a report lists. */
const ENDINGS_LISTED = 20;
const NAMES_LISTED = 20;

/** Counts the files that were not read by the endings of their names, the most frequent first. */
export function describeUnread(unread: readonly string[]): ImportReport["unread"] {
  const endings = new Map<string, number>();
  for (const file of unread) {
    const ending = /\.[^./\\]{1,20}$/.exec(file)?.[0].toLowerCase() ?? "no ending";
    endings.set(ending, (endings.get(ending) ?? 0) + 1);
  }
  const sorted = [...endings].toSorted(([, a], [, b]) => b - a);
  return {
    files: unread.length,
    endings: sorted.slice(0, ENDINGS_LISTED).map(([ending, files]) => ({ ending, files })),
    first: unread.slice(0, NAMES_LISTED),
  };
}
