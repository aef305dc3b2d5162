import { randomUUID } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { parseJson } from "../model/read-json.ts";
import { asFileError } from "./file-error.ts";
import { fromHere } from "./surroundings.ts";
import { readTextSync } from "./sync-files.ts";

/** Who holds a lock: enough to tell a process that is gone from one that lives. */
export interface LockOwner {
  /** Of this holding: no two are the same. */
  readonly id: string;
  readonly pid: number;
  /** When that process started, in the kernel's own words: a later process with the same pid has another. */
  readonly start: string | undefined;
  /** This boot of this kernel. */
  readonly boot: string | undefined;
  /** The space in which `pid` means something: containers have their own. */
  readonly pidSpace: string | undefined;
  readonly host: string;
  /** When the lock was taken, ISO 8601 in UTC. */
  readonly since?: string;
}

/** A lock that this process holds. */
export interface HeldLock {
  readonly file: string;
  /** Aborted when another process has taken it: this one showed no sign of life for too long, as when its machine was suspended. */
  readonly lost: AbortSignal;
  /** Twice is the same as once. Never throws. */
  release(): void;
}

/** Milliseconds between two signs of life. */
const HEARTBEAT_MS = 5_000;
/** Milliseconds without one after which a holder that cannot be looked at counts as gone. */
const STALE_MS = 30_000;
/** The same for a look by another machine's clock, which may differ. */
const FOREIGN_MS = 120_000;
const POLL_MS = 8;
const TRIES = 3;

function textAt(file: string): string | undefined {
  try {
    return fs.readFileSync(file, "utf8").trim();
  } catch {
    return undefined;
  }
}

/** `/proc/<pid>/stat` from its third field on; the name before it may hold anything, blanks and brackets too. */
function statOf(pid: number): readonly string[] | undefined {
  const stat = textAt(`/proc/${pid}/stat`);
  return stat?.slice(stat.lastIndexOf(")") + 2).split(" ");
}

/** Field 22: when the process started, in ticks since the boot; undefined where that cannot be seen. */
export const startOf = (pid: number): string | undefined => statOf(pid)?.[19];

/** Ended, and its parent has not looked after it: it keeps its pid and start, and does nothing more. */
const isZombie = (pid: number): boolean => /^[ZX]/.test(statOf(pid)?.[0] ?? "");

function pidSpace(): string | undefined {
  try {
    return fs.readlinkSync("/proc/self/ns/pid");
  } catch {
    return undefined;
  }
}

type Place = Omit<LockOwner, "id" | "since">;
let place: Place | undefined;

function self(): Place {
  return (place ??= {
    pid: process.pid,
    start: startOf(process.pid),
    boot: textAt("/proc/sys/kernel/random/boot_id"),
    pidSpace: pidSpace(),
    host: os.hostname(),
  });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** Whether the process is gone; undefined where it cannot be looked at from here: on another machine or in another container. */
function isGone(owner: LockOwner): boolean | undefined {
  const { boot, pidSpace: space, host } = self();
  if (owner.host !== host || owner.boot !== boot || owner.pidSpace !== space) return undefined;
  if (!isAlive(owner.pid) || isZombie(owner.pid)) return true;
  return owner.start !== undefined && startOf(owner.pid) !== owner.start;
}

/** Whether this very process lives, and no later one that has its pid. `start`: as `startOf` said. */
export const isRunningSince = (pid: number, start: string): boolean =>
  isAlive(pid) && !isZombie(pid) && startOf(pid) === start;

/** Undefined where the file is gone, or nobody could have written it. */
function ownerIn(file: string): LockOwner | undefined {
  try {
    const value = parseJson(readTextSync(file) ?? "") as Partial<LockOwner> | null | undefined;
    const isOwner = typeof value?.id === "string" && Number.isSafeInteger(value.pid) && (value.pid ?? 0) > 0;
    return isOwner ? (value as LockOwner) : undefined;
  } catch {
    return undefined;
  }
}

/** Milliseconds since the last sign of life, by the clock of the disk that the lock is on: `now` is a file that was just written there. */
function silence(lock: string, now: string): number {
  const then = fs.statSync(fromHere(lock), { throwIfNoEntry: false })?.mtimeMs;
  const written = fs.statSync(now, { throwIfNoEntry: false })?.mtimeMs;
  return then === undefined || written === undefined ? 0 : written - then;
}

function isStale(lock: string, owner: LockOwner | undefined, now: string): boolean {
  const gone = owner === undefined ? undefined : isGone(owner);
  return gone ?? silence(lock, now) > STALE_MS;
}

function linkAt(from: string, to: string): boolean {
  try {
    fs.linkSync(from, to);
    return true;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "EEXIST") return false;
    // A disk without hard links. Nobody else can have written there first, but a reader may see the file before its text.
    if (code !== "EPERM" && code !== "ENOTSUP" && code !== "ENOSYS" && code !== "EMLINK") throw error;
    return copyAt(from, to);
  }
}

function copyAt(from: string, to: string): boolean {
  try {
    fs.copyFileSync(from, to, fs.constants.COPYFILE_EXCL);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

/** Moves a stale lock away. Of several that find it stale one succeeds; one that moved another's new lock puts it back. */
function removeStale(lock: string, stale: LockOwner | undefined): void {
  const aside = `${lock}.${randomUUID().slice(0, 8)}.tmp`;
  try {
    fs.renameSync(lock, aside);
  } catch {
    return;
  }
  if (ownerIn(aside)?.id !== stale?.id) linkAt(aside, lock);
  fs.rmSync(aside, { force: true });
}

const held = new Map<string, HeldLock>();

/** A process that ends in any orderly way leaves no lock behind; one that is killed leaves one that is taken at once. */
function releaseAll(): void {
  for (const lock of held.values()) lock.release();
}

/**
 * Growing by a blank sets its time by the clock of the disk, which every machine that shares it reads. A lock that is gone is not made again: at
 * once, so that no release comes between, and only where there is one.
 */
function showLife(lock: string): void {
  try {
    const file = fs.openSync(lock, fs.constants.O_WRONLY | fs.constants.O_APPEND);
    try {
      fs.writeSync(file, "\n");
    } finally {
      fs.closeSync(file);
    }
  } catch {
    // A full disk, for one: the next time may do.
  }
}

function hold(lock: string, id: string): HeldLock {
  if (held.size === 0) process.once("exit", releaseAll);
  const lost = new AbortController();
  const beat = setInterval(() => {
    if (ownerIn(lock)?.id === id) showLife(lock);
    else lost.abort(new Error(`Another process has taken ${lock}`));
  }, HEARTBEAT_MS).unref();
  const one: HeldLock = {
    file: lock,
    lost: lost.signal,
    release() {
      clearInterval(beat);
      if (!held.delete(id)) return;
      if (held.size === 0) process.off("exit", releaseAll);
      if (ownerIn(lock)?.id === id) fs.rmSync(lock, { force: true });
    },
  };
  held.set(id, one);
  return one;
}

/** The outcome of `tryLock`: our lock, or its holder (undefined if nobody can say). */
export type LockAttempt =
  | { readonly lock: HeldLock }
  | { readonly lock: undefined; readonly holder: LockOwner | undefined };

/** One attempt; undefined if the lock changed meanwhile, so that another may succeed. */
function tryOnce(lock: string): LockAttempt | undefined {
  const id = randomUUID();
  const mine = path.join(path.dirname(lock), `.${path.basename(lock)}.${id.slice(0, 8)}.tmp`);
  const owner: LockOwner = { id, ...self(), since: new Date().toISOString() };
  try {
    fs.writeFileSync(mine, JSON.stringify(owner), { flag: "wx", mode: 0o600 });
    if (linkAt(mine, lock)) return { lock: hold(lock, id) };
    const holder = ownerIn(lock);
    if (!isStale(lock, holder, mine)) return { lock: undefined, holder };
    removeStale(lock, holder);
    return undefined;
  } catch (error) {
    // Whoever holds the lock removes files that say nothing yet, as a killed process would leave them.
    const isGone = error instanceof Error && "code" in error && error.code === "ENOENT";
    if (isGone && fs.existsSync(path.dirname(lock))) return undefined;
    throw asFileError(error, lock, "written");
  } finally {
    fs.rmSync(mine, { force: true });
  }
}

/**
 * Takes a lock file unless a living process holds it; never waits. One whose process is gone is taken at once. One of another machine or
 * container is taken after 30 seconds without a sign of life. The folder must exist. `lock` must be a path that may be written
 * (write-path.ts). Throws FileError.
 */
export function tryLock(lock: string): LockAttempt {
  for (let tries = 1; tries <= TRIES; tries++) {
    const attempt = tryOnce(lock);
    if (attempt !== undefined) return attempt;
  }
  return { lock: undefined, holder: ownerIn(lock) };
}

/** Removes the temporary files that killed processes left beside a lock of ours. A living process whose file says nothing yet tries again. */
export function removeLeftovers({ file }: HeldLock): void {
  const folder = path.dirname(file);
  const ours = [`${path.basename(file)}.`, `.${path.basename(file)}.`];
  for (const name of fs.readdirSync(folder)) {
    if (!ours.some((start) => name.startsWith(start)) || !name.endsWith(".tmp")) continue;
    const leftover = path.join(folder, name);
    const owner = ownerIn(leftover);
    if (owner === undefined || isStale(leftover, owner, file)) fs.rmSync(leftover, { force: true });
  }
}

/** The ending of a temporary file, which takes its file's place once it is whole. */
const TEMPORARY = /^\.[0-9a-f]{8}\.tmp$/;

/** Removes what killed writers left half written beside a file (or a folder). For the holder of the lock that its writers take. */
export function removeTemporary(file: string): void {
  const [folder, name] = [path.dirname(file), path.basename(file)];
  if (!fs.existsSync(folder)) return;
  for (const found of fs.readdirSync(folder))
    if (found.startsWith(name) && TEMPORARY.test(found.slice(name.length)))
      fs.rmSync(path.join(folder, found), { recursive: true, force: true });
}

/** Whether a living process of this machine holds it. Takes nothing, and writes nothing. */
export function isHeld(lock: string): boolean {
  const owner = ownerIn(lock);
  return owner !== undefined && isGone(owner) === false;
}

/**
 * Whether a living process holds it, on this machine or another one that shares the disk: there, whether it showed a sign of life of late, by
 * this machine's clock. Takes nothing, and writes nothing.
 */
export function isHeldAnywhere(lock: string): boolean {
  const owner = ownerIn(lock);
  if (owner === undefined) return false;
  const shown = fs.statSync(fromHere(lock), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return !(isGone(owner) ?? Date.now() - shown > FOREIGN_MS);
}

/**
 * Ends the process that holds it with SIGKILL, where that is one of this machine: never a later one with the same pid, so nothing where the system
 * does not say when a process started.
 */
export function killHolder(lock: string): void {
  const owner = ownerIn(lock);
  if (owner?.start === undefined || owner.pid === process.pid || isGone(owner) !== false) return;
  try {
    process.kill(owner.pid, "SIGKILL");
  } catch {
    // It has ended meanwhile.
  }
}

/** `tryLock` until it succeeds or the time is up. `deadline`: performance.now(). */
export async function lockBefore(lock: string, deadline: number): Promise<LockAttempt> {
  for (;;) {
    const attempt = tryLock(lock);
    if (attempt.lock !== undefined || performance.now() + POLL_MS > deadline) return attempt;
    await sleep(POLL_MS);
  }
}
