import fs from "node:fs";
import path from "node:path";
import { makeFolderSync, readTextSync, replaceSync } from "./sync-files.ts";
import { absolute, fromHere } from "./surroundings.ts";
import { configFolder } from "./user-folders.ts";

/** A person's yes to the content of one workspace. */
export interface TrustEntry {
  /** SHA-256 of the skills and settings that may act in agents' sessions (WorkspacePart.hash). */
  readonly libraryHash?: string;
  /** ISO 8601, of the yes to `libraryHash`. */
  readonly at?: string;
  /** ISO 8601: since then assistants may have the PFs of this folder run, whatever they are (`hasp mcp`). */
  readonly runsSince?: string;
}

/** Workspace path → what was trusted there. */
type TrustFile = Readonly<Record<string, TrustEntry>>;

/**
 * `trust.json` of this user, outside every workspace: no workspace can say yes to itself. A command that names a folder is a yes to it; a
 * hook, `hasp mcp` and the editor ask for one.
 */
export const trustFile = (): string => path.join(configFolder(), "trust.json");

function entryIn(value: unknown): TrustEntry {
  const fields = typeof value === "object" && value !== null ? Object.entries(value) : [];
  const known = fields.filter(([key, text]) => KEYS.has(key) && typeof text === "string");
  return Object.fromEntries(known) as TrustEntry;
}

const KEYS: ReadonlySet<string> = new Set(["libraryHash", "at", "runsSince"]);

/** Every yes that is kept; none if the file is missing or malformed. */
function readTrust(file: string): TrustFile {
  try {
    const value: unknown = JSON.parse(readTextSync(file) ?? "");
    if (typeof value !== "object" || value === null || Array.isArray(value)) return {};
    return Object.fromEntries(Object.entries(value).map(([root, entry]) => [root, entryIn(entry)]));
  } catch {
    return {};
  }
}

function pathOf(root: string): string {
  try {
    return fs.realpathSync(fromHere(root));
  } catch {
    return absolute(root);
  }
}

function entryOf(root: string, file: string): TrustEntry {
  const trust = readTrust(file);
  const real = pathOf(root);
  return Object.hasOwn(trust, real) ? (trust[real] ?? {}) : {};
}

/** The content of this workspace that a person said yes to; undefined where nobody has. */
export function trustedHash(root: string, file = trustFile()): string | undefined {
  return entryOf(root, file).libraryHash;
}

/** Whether a person said that assistants may have the PFs of this folder run. */
export function mayRunFor(root: string, file = trustFile()): boolean {
  return entryOf(root, file).runsSince !== undefined;
}

function put(root: string, entry: TrustEntry, file: string): void {
  const { [pathOf(root)]: _before, ...others } = readTrust(file);
  const isEmpty = Object.keys(entry).length === 0;
  const next = isEmpty ? others : { ...others, [pathOf(root)]: entry };
  makeFolderSync(path.dirname(file));
  replaceSync(file, `${JSON.stringify(next, undefined, 2)}\n`);
}

/** Keeps a yes to this content, in place of an earlier one for this workspace; with no hash, takes it back. `at`: ISO 8601. */
export function trustContent(
  root: string,
  libraryHash: string | undefined,
  at: string,
  file = trustFile(),
): void {
  const { libraryHash: _hash, at: _at, ...rest } = entryOf(root, file);
  put(root, libraryHash === undefined ? rest : { ...rest, libraryHash, at }, file);
}

/** Keeps a yes to running the PFs of this folder for assistants; with no date, takes it back. `since`: ISO 8601. */
export function trustRuns(root: string, since: string | undefined, file = trustFile()): void {
  const { runsSince: _since, ...rest } = entryOf(root, file);
  put(root, since === undefined ? rest : { ...rest, runsSince: since }, file);
}
