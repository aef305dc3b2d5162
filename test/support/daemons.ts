import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, realpathSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { KEPT, processesOf } from "./keeper.mts";

const KEEPER = path.join(import.meta.dirname, "keeper.mts");

export type Environment = Readonly<Record<string, string>>;

/** The result of a command. */
export interface Said {
  readonly code: number | undefined;
  readonly out: string;
  readonly err: string;
}

/** A process that serves until it is ended. */
export interface Daemon {
  readonly pid: number;
  readonly isRunning: () => boolean;
  /** Ends it with SIGTERM, and with SIGKILL after 10 s. Its own children are left. */
  end(): Promise<void>;
}

/** Daemons below one temporary folder. */
export interface DaemonFolder {
  /** The folder, absolute. It is short, because sockets below it have at most 107 bytes. */
  readonly folder: string;
  /** The variable by which processes of this folder are found again. Commands of the test need it, too. */
  readonly mark: Environment;
  /** Joins names to the folder. */
  readonly at: (...names: readonly string[]) => string;
  /** Starts a command that stays in the foreground. */
  readonly start: (command: readonly string[], environment: Environment) => Daemon;
  /** Waits until `isReady` holds; throws with the end of the log where the daemon ends before, or after a minute. */
  readonly until: (daemon: Daemon, log: string, isReady: () => boolean | Promise<boolean>) => Promise<void>;
  /** Pids of all that belongs to the folder and still runs. */
  running(): number[];
  /** Ends all of them, removes the folder, and throws where something could not be ended. */
  close(): Promise<void>;
}

/** Opens a folder whose processes end with `close()`, or with this process. */
export async function openDaemons(name: string): Promise<DaemonFolder> {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), `hasp-${name}-`)));
  const mark = { [KEPT]: folder };
  // A session of its own: Ctrl-C in a terminal ends the test, and the keeper does its work after that.
  const keeper = spawn(process.execPath, [KEEPER, folder, String(process.pid)], { detached: true });
  let said = "";
  keeper.stderr.on("data", (piece: Buffer) => (said += String(piece)));
  await once(keeper.stdout, "data");
  const own = [process.pid, keeper.pid ?? 0];
  return {
    folder,
    mark,
    at: (...names) => path.join(folder, ...names),
    start: (command, environment) => startDaemon(folder, command, { ...environment, ...mark }),
    until: untilReady,
    running: () => processesOf(folder, own),
    async close() {
      if (keeper.exitCode !== null) return;
      const closed = once(keeper, "close");
      keeper.stdin.end();
      await closed;
      if (keeper.exitCode !== 0) throw new Error(`${name} could not be ended: ${said.trim()}`);
    },
  };
}

function startDaemon(cwd: string, [file = "", ...args]: readonly string[], env: Environment): Daemon {
  const child = spawn(file, args, { cwd, env, stdio: "ignore", detached: true });
  const failed = new Promise<void>((resolve) => void child.once("error", () => resolve()));
  const exited = new Promise<void>((resolve) => void child.once("exit", () => resolve()));
  return {
    pid: child.pid ?? 0,
    isRunning: () => isRunning(child),
    async end() {
      if (!isRunning(child)) return;
      child.kill("SIGTERM");
      const late = setTimeout(() => child.kill("SIGKILL"), 10_000);
      await Promise.race([exited, failed]);
      clearTimeout(late);
    },
  };
}

const isRunning = (child: ChildProcess): boolean =>
  child.pid !== undefined && child.exitCode === null && child.signalCode === null;

async function untilReady(
  daemon: Daemon,
  log: string,
  isReady: () => boolean | Promise<boolean>,
): Promise<void> {
  const until = performance.now() + 60_000;
  while (!(await isReady())) {
    if (daemon.isRunning() && performance.now() < until) {
      await delay(20);
      continue;
    }
    const why = daemon.isRunning() ? "did not get ready" : "ended";
    const lines = existsSync(log) ? readFileSync(log, "utf8").trimEnd().split("\n").slice(-12) : [];
    throw new Error(`The daemon with the log ${log} ${why}:\n${lines.join("\n")}`);
  }
}

// Below the range from which a system takes the ports of clients, so that none of these is taken between the look and the start.
const LOWEST = 10_000;
const COUNT = 20_000;

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const free = await new Promise<boolean>((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => resolve(true));
  });
  if (free) await new Promise<void>((resolve) => void server.close(() => resolve()));
  return free;
}

/** So many ports of 127.0.0.1 that nobody listens on. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const ports = new Set<number>();
  while (ports.size < count) {
    const port = LOWEST + Math.floor(Math.random() * COUNT);
    if (await isFree(port)) ports.add(port);
  }
  return [...ports];
}
