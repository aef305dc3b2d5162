import { createHash, randomUUID } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import process from "node:process";
import type { HookLibrary, KeptRealm } from "../agents/hook/library.ts";
import type { RealmImage } from "../sandbox/realm-image.ts";

/** A file or a folder that a library was made from, as it was then; `size` -1: it was not there. */
export interface Source {
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
}

export interface CachedLibrary {
  readonly schema: "hasp.hook-library/1";
  /** The HASP that made it. */
  readonly build: string;
  readonly sources: readonly Source[];
  readonly library: HookLibrary;
}

/**
 * Where compiled libraries are kept: with the user, for a workspace that brought its own could put code there that nobody said yes to.
 */
export function cacheFolder(): string {
  const { XDG_CACHE_HOME: given, LOCALAPPDATA: local } = process.env;
  if (given !== undefined && path.isAbsolute(given)) return path.join(given, "hasp", "hook");
  if (process.platform === "win32" && local !== undefined) return path.join(local, "hasp", "hook");
  if (process.platform === "darwin") return path.join(os.homedir(), "Library", "Caches", "hasp", "hook");
  return path.join(os.homedir(), ".cache", "hasp", "hook");
}

function fileFor(root: string): string {
  return path.join(cacheFolder(), `${keyOf(root)}.json`);
}

/** What stands at a path now. */
export function sourceAt(file: string): Source {
  const found = fs.statSync(file, { throwIfNoEntry: false });
  return found === undefined
    ? { path: file, size: -1, mtimeMs: 0 }
    : { path: file, size: found.isDirectory() ? 0 : found.size, mtimeMs: found.mtimeMs };
}

function isSame({ path: file, size, mtimeMs }: Source): boolean {
  const now = sourceAt(file);
  return now.size === size && now.mtimeMs === mtimeMs;
}

/** What tells one build of HASP from another: the file that has the shipped skills in it. */
export function buildOf(cli: string): string {
  const { size, mtimeMs } = sourceAt(cli);
  return `${cli} ${size} ${mtimeMs}`;
}

/** The compiled library of a workspace; undefined where there is none, or where a file of it has changed. */
export function readCached(root: string, build: string): HookLibrary | undefined {
  try {
    const cached = JSON.parse(fs.readFileSync(fileFor(root), "utf8")) as CachedLibrary;
    const fits = cached.schema === "hasp.hook-library/1" && cached.build === build;
    return fits && cached.sources.every(isSame) ? cached.library : undefined;
  } catch {
    return undefined;
  }
}

function keyOf(root: string): string {
  return createHash("sha256").update(root).digest("hex").slice(0, 24);
}

/** Writes a file whole, for this user alone. */
function put(file: string, content: string | Uint8Array): void {
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const temporary = `${file}.${randomUUID().slice(0, 8)}.tmp`;
  fs.writeFileSync(temporary, content, { mode: 0o600 });
  fs.renameSync(temporary, file);
}

export function writeCached(root: string, cached: Omit<CachedLibrary, "schema">): void {
  put(fileFor(root), JSON.stringify({ schema: "hasp.hook-library/1", ...cached }));
  const { shipped, workspace } = cached.library;
  dropRealms(root, [shipped.realm?.file, workspace?.library.realm?.file]);
}

const realmFolder = (): string => path.join(cacheFolder(), "realms");

/** Keeps the bytes of an image under a name that no other image gets: what names it and what it names always fit. */
export function keepRealm(root: string, { bytes, ...rest }: RealmImage): KeptRealm {
  const file = path.join(realmFolder(), `${keyOf(root)}-${randomUUID().slice(0, 8)}`);
  put(file, bytes);
  return { ...rest, file };
}

/** Removes the images of this workspace that nothing names any more. */
function dropRealms(root: string, named: readonly (string | undefined)[]): void {
  const folder = realmFolder();
  if (!fs.existsSync(folder)) return;
  for (const name of fs.readdirSync(folder)) {
    const file = path.join(folder, name);
    if (name.startsWith(`${keyOf(root)}-`) && !named.includes(file)) fs.rmSync(file, { force: true });
  }
}

/** The image with its bytes; undefined where they are not there any more. */
export function readRealm({ file, ...rest }: KeptRealm): RealmImage | undefined {
  try {
    const bytes = fs.readFileSync(file);
    return { ...rest, bytes };
  } catch {
    return undefined;
  }
}
