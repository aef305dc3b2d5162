import fs from "node:fs";
import path from "node:path";
import process from "node:process";
import { isRunningSince, startOf } from "../process-lock.ts";

/** Bounds the processes and the memory of all processes together that are put into it. */
export interface ControlGroup {
  /** Bytes, those of files in memory included. Throws where the kernel does not take it. */
  limitMemory(bytes: number): void;
  /** Its later children are in it too. The kernel takes some milliseconds. Rejects where the process has ended, or this user may not move it. */
  add(pid: number): Promise<void>;
  close(): void;
}

const ROOT = "/sys/fs/cgroup";
const PREFIX = "hasp-contained-";
/** Process and its start. */
const GROUP_NAME = new RegExp(`^${PREFIX}(\\d+)-(\\d+)-\\d+$`);
/** Processes and threads. */
const PROCESSES = 128;

function read(file: string): string {
  try {
    return fs.readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

/** Path of this process in the hierarchy of a controller; with "", in the unified one. */
function ownPath(controller: string): string | undefined {
  for (const line of read("/proc/self/cgroup").split("\n")) {
    const [, controllers = "", ...rest] = line.split(":");
    if (rest.length > 0 && controllers.split(",").includes(controller)) return rest.join(":");
  }
  return undefined;
}

/** Removes an empty group; one that is in use, or not ours to remove, stays. */
function remove(folder: string): void {
  try {
    fs.rmdirSync(folder);
  } catch {
    // The next one that opens a group here tries again.
  }
}

/** Removes the groups of HASP processes that were killed. */
function removeStale(parent: string): void {
  for (const name of fs.readdirSync(parent)) {
    const [, pid, start] = GROUP_NAME.exec(name) ?? [];
    if (pid === undefined || start === undefined || isRunningSince(Number(pid), start)) continue;
    remove(path.join(parent, name));
  }
}

/** Makes a group below `parent`, with all of these files in it; undefined where this user may not, or it lacks one. */
function makeGroup(parent: string, name: string, files: readonly string[]): string | undefined {
  const folder = path.join(parent, name);
  try {
    removeStale(parent);
    fs.mkdirSync(folder);
    if (files.every((file) => fs.existsSync(path.join(folder, file)))) return folder;
    remove(folder);
  } catch {
    // A read-only or missing hierarchy, or another user's.
  }
  return undefined;
}

/** The two folders of version 1, or the one of version 2: below the parent of our own group, which must not have processes itself. */
function makeFolders(name: string): { readonly pids: string; readonly memory: string } | undefined {
  const unified = ownPath("");
  if (unified !== undefined && fs.existsSync(path.join(ROOT, "cgroup.controllers"))) {
    const parent = path.join(ROOT, path.dirname(unified));
    const folder = makeGroup(parent, name, ["pids.max", "memory.max"]);
    return folder === undefined ? undefined : { pids: folder, memory: folder };
  }
  const [pidsPath, memoryPath] = [ownPath("pids"), ownPath("memory")];
  if (pidsPath === undefined || memoryPath === undefined) return undefined;
  const pids = makeGroup(path.join(ROOT, "pids", pidsPath), name, ["pids.max"]);
  if (pids === undefined) return undefined;
  const memory = makeGroup(path.join(ROOT, "memory", memoryPath), name, ["memory.limit_in_bytes"]);
  if (memory !== undefined) return { pids, memory };
  remove(pids);
  return undefined;
}

let opened = 0;

/** Undefined where this system has no groups that this user may make. */
export function openControlGroup(): ControlGroup | undefined {
  const folders = makeFolders(`${PREFIX}${process.pid}-${startOf(process.pid) ?? "0"}-${opened++}`);
  if (folders === undefined) return undefined;
  const { pids, memory } = folders;
  const all = new Set([pids, memory]);
  const maximum = pids === memory ? "memory.max" : "memory.limit_in_bytes";
  const close = (): void => all.forEach(remove);
  const swap = path.join(memory, pids === memory ? "memory.swap.max" : "memory.swappiness");
  try {
    fs.writeFileSync(path.join(pids, "pids.max"), `${PROCESSES}`);
    // What does not fit goes to no disk. A kernel that does not count swap has no such file.
    if (fs.existsSync(swap)) fs.writeFileSync(swap, "0");
  } catch {
    close();
    return undefined;
  }
  let limit: number | undefined;
  return {
    limitMemory(bytes) {
      if (bytes === limit) return;
      fs.writeFileSync(path.join(memory, maximum), `${bytes}`);
      limit = bytes;
    },
    async add(pid) {
      for (const folder of all) await fs.promises.writeFile(path.join(folder, "cgroup.procs"), `${pid}`);
    },
    close,
  };
}

/** Groups that are used one after the other, as many as are in use at once. */
export function controlGroups() {
  const free: (ControlGroup | undefined)[] = [];
  const all = new Set<ControlGroup>();
  return {
    /** Undefined where this system has no groups that this user may make. */
    take(): ControlGroup | undefined {
      if (free.length > 0) return free.pop();
      const group = openControlGroup();
      if (group !== undefined) all.add(group);
      return group;
    },
    /** Called when no process is in it any more. */
    leave: (group: ControlGroup | undefined): void => void free.push(group),
    close(): void {
      for (const group of all) group.close();
      all.clear();
      free.length = 0;
    },
  };
}
