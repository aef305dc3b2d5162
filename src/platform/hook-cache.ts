import fs from "node:fs";
import path from "node:path";
import type { LeftOutSkill, WorkspacePart } from "../agents/hook/library.ts";
import { isOwnFolder, makeOwnFolder } from "./own-folder.ts";
import { readTextSync, replaceSync } from "./sync-files.ts";
import { cacheFolder, workspaceKey } from "./user-folders.ts";

/** A file or a folder that a workspace's part was made from, as it was then; `size` -1: it was not there. */
export interface Source {
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
}

/** A workspace's own skills and settings, as found and, after a yes, compiled. */
export interface PreparedWorkspace {
  readonly schema: "hasp.hook-workspace/1";
  /** The HASP that made it. */
  readonly build: string;
  readonly sources: readonly Source[];
  /** A person had said yes to it then, so that it is compiled. */
  readonly isTrusted: boolean;
  /** Undefined: it brings nothing. */
  readonly part: WorkspacePart | undefined;
}

/**
 * With the user, for a workspace that brought its own could put code there that nobody said yes to.
 */
const hookCacheFolder = (): string => path.join(cacheFolder(), "hook");

const preparedFile = (root: string): string => path.join(hookCacheFolder(), `${workspaceKey(root)}.json`);

/** Held by the process that prepares the workspace: one at a time does. */
export const preparingLock = (root: string): string =>
  path.join(hookCacheFolder(), `${workspaceKey(root)}.lock`);

/** The file or folder at a path now. A path that cannot be looked at, such as a link to itself, counts as absent. */
export function sourceAt(file: string): Source {
  try {
    const found = fs.statSync(file);
    return { path: file, size: found.isDirectory() ? 0 : found.size, mtimeMs: found.mtimeMs };
  } catch {
    return { path: file, size: -1, mtimeMs: 0 };
  }
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

/** Code in this folder runs, in the sandbox, as if the user had said yes to it: nobody else can have put it there. */
function jsonAt(file: string): unknown {
  try {
    return isOwnFolder(path.dirname(file)) ? JSON.parse(readTextSync(file) ?? "") : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Undefined where the workspace was never prepared, or something that this was made from has changed. `trusted`: the hash of what a person
 * said yes to there.
 */
export function readPrepared(
  root: string,
  build: string,
  trusted: string | undefined,
): PreparedWorkspace | undefined {
  const prepared = jsonAt(preparedFile(root)) as PreparedWorkspace | undefined;
  if (prepared?.schema !== "hasp.hook-workspace/1" || prepared.build !== build) return undefined;
  const { part, isTrusted, sources } = prepared;
  if (part !== undefined && isTrusted !== (part.hash === trusted)) return undefined;
  return sources.every(isSame) ? prepared : undefined;
}

/** Makes the folder. Throws where it is not this user's alone. */
export const makeHookCache = (): void => makeOwnFolder(hookCacheFolder());

/** Writes a file whole, for this user alone. */
function put(file: string, content: string): void {
  makeHookCache();
  replaceSync(file, content);
}

export function writePrepared(root: string, prepared: PreparedWorkspace): void {
  put(preparedFile(root), JSON.stringify(prepared));
}

/** A PF that did not come to an end; `until`: milliseconds since 1970. */
interface Barred extends LeftOutSkill {
  readonly content: string;
  readonly until: number;
}

/** Milliseconds for which a PF that hung is left alone: it would cost each call its time, and a busy machine is no reason to lose it for ever. */
const BARRED_MS = 600_000;

const barredFile = (root: string): string =>
  path.join(hookCacheFolder(), `${workspaceKey(root)}.barred.json`);

function barredIn(root: string): readonly Barred[] {
  const value = jsonAt(barredFile(root));
  return Array.isArray(value) ? (value as Barred[]) : [];
}

/** Skills of this content that hung a short while ago. */
export function barredSkills(root: string, content: string, now: number): readonly LeftOutSkill[] {
  return barredIn(root).filter((one) => one.content === content && one.until > now);
}

/** Leaves a skill of this content alone for a while. Nothing happens where that cannot be kept. */
export function barSkill(root: string, content: string, skill: LeftOutSkill, now: number): void {
  const others = barredIn(root).filter((one) => one.skillId !== skill.skillId && one.until > now);
  try {
    put(barredFile(root), JSON.stringify([...others, { ...skill, content, until: now + BARRED_MS }]));
  } catch {
    // The next call pays for it again, within its time.
  }
}
