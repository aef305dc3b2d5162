import { spawn, type ChildProcess } from "node:child_process";
import { appendFileSync, mkdirSync, statSync, truncateSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { ROOT } from "../../scripts/lib/paths.mts";
import type { Ended } from "./hook-process.ts";

const CLI = path.join(ROOT, "dist/hasp.cjs");

/** A disk of its own, mounted where only the processes that it starts see it: nothing stays mounted when they end. */
export interface SmallDisk {
  /** Its root as those processes see it. */
  readonly root: string;
  /** The process that holds it. */
  readonly pid: number;
  /** The words to put before a command that shall see it. */
  readonly enter: readonly string[];
  /** A path on it as this process reaches it. */
  reach(...names: string[]): string;
  /** Fills it, except for some bytes. */
  fill(leave?: number): void;
  /** Runs `hasp` on it. `cwd`: from its root. */
  hasp(
    cwd: string,
    env: Readonly<Record<string, string | undefined>>,
    ...args: readonly string[]
  ): Promise<Ended>;
  /** Runs any command on it. `cwd`: from its root. */
  run(
    cwd: string,
    env: Readonly<Record<string, string | undefined>>,
    command: readonly string[],
  ): Promise<Ended>;
  close(): Promise<void>;
}

/** One that another process closes. */
export type JoinedDisk = Omit<SmallDisk, "close">;

interface Spawned {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
}

function start(command: readonly string[], options: { readonly env?: NodeJS.ProcessEnv } = {}): Spawned {
  const [file = "", ...args] = command;
  const child = spawn(file, args, { stdio: ["pipe", "pipe", "pipe"], ...options });
  let [out, err] = ["", ""];
  child.stdout.on("data", (piece: Buffer) => (out += String(piece)));
  child.stderr.on("data", (piece: Buffer) => (err += String(piece)));
  const ended = new Promise<Ended>((resolve) => {
    child.on("error", (error) => resolve({ code: -1, signal: null, out, err: `${err}${error.message}` }));
    child.on("close", (code, signal) => resolve({ code, signal, out, err }));
  });
  return { child, ended };
}

/** The holder says so when the disk is there, and keeps it until its input ends. */
async function mounted({ child, ended }: Spawned): Promise<void> {
  const ready = new Promise<"ready">((resolve) => {
    child.stdout?.once("data", () => resolve("ready"));
  });
  const first = await Promise.race([ready, ended]);
  if (first === "ready") return;
  throw new Error(
    `A test of a full disk mounts a small one (unshare -m, tmpfs), and may not here: ${first.err.trim()}. Run it as root, or allow user namespaces.`,
  );
}

const BLOCK = 4096;

function fillUp(file: string, leave: number): void {
  try {
    for (;;) appendFileSync(file, Buffer.alloc(BLOCK));
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
  }
  if (leave > 0) truncateSync(file, Math.max(0, statSync(file).size - Math.ceil(leave / BLOCK) * BLOCK));
}

/** Mounts a disk of so many bytes at the folder `root`, which is made. Rejects with the reason where that is not permitted: no test is skipped. */
export async function openSmallDisk(root: string, bytes: number): Promise<SmallDisk> {
  mkdirSync(root, { recursive: true });
  const script = 'mount -t tmpfs -o "size=$1" tmpfs "$2" && echo ready && exec cat >/dev/null';
  const unshare = ["unshare", ...(isRoot() ? [] : ["--map-root-user"]), "--mount"];
  const holder = start([...unshare, "sh", "-c", script, "sh", String(bytes), root]);
  await mounted(holder);
  return {
    ...joinSmallDisk({ root, pid: holder.child.pid ?? 0 }),
    async close() {
      holder.child.stdin?.end();
      await holder.ended;
    },
  };
}

const isRoot = (): boolean => process.getuid?.() === 0;

/** The disk that a process holds. */
export function joinSmallDisk({ root, pid }: Pick<SmallDisk, "root" | "pid">): JoinedDisk {
  const reach = (...names: string[]): string => path.join("/proc", String(pid), "root", root, ...names);
  const enter = [
    "nsenter",
    "--target",
    String(pid),
    "--mount",
    ...(isRoot() ? [] : ["--user", "--preserve-credentials"]),
  ];
  const run: SmallDisk["run"] = (cwd, env, command) => {
    const inside = ["sh", "-c", 'cd "$1" && shift && exec "$@"', "sh", path.join(root, cwd)];
    const { child, ended } = start([...enter, ...inside, ...command], { env: { ...env } });
    child.stdin?.end();
    return ended;
  };
  return {
    root,
    pid,
    enter,
    reach,
    fill: (leave = 0) => fillUp(reach("filler"), leave),
    run,
    hasp: (cwd, env, ...args) => run(cwd, env, [process.execPath, CLI, ...args]),
  };
}
