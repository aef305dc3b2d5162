import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, realpathSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { isAlive, KEPT, processesOf } from "./keeper.mts";

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
  readonly isRunning: () => boolean;
}

/** Daemons below one temporary folder, which another process may have opened. */
export interface Daemons {
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
}

/** Daemons that end with it. */
export interface DaemonFolder extends Daemons {
  /** Ends all of them, removes the folder, and throws where something could not be ended. */
  close(): Promise<void>;
}

/** Opens a folder whose processes end with `close()`, or with this process. */
export async function openDaemons(name: string): Promise<DaemonFolder> {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), `hasp-${name}-`)));
  // A session of its own: Ctrl-C in a terminal ends the test, and the keeper does its work after that.
  const keeper = spawn(process.execPath, [KEEPER, folder, String(process.pid)], { detached: true });
  let said = "";
  keeper.stderr.on("data", (piece: Buffer) => (said += String(piece)));
  await once(keeper.stdout, "data");
  return {
    ...daemonsBelow(folder, [keeper.pid ?? 0]),
    async close() {
      if (keeper.exitCode !== null) return;
      const closed = once(keeper, "close");
      keeper.stdin.end();
      await closed;
      if (keeper.exitCode !== 0) throw new Error(`${name} could not be ended: ${said.trim()}`);
    },
  };
}

/** The daemons of a folder that another process has opened, and closes: what is started here ends then, too. */
export function daemonsBelow(folder: string, except: readonly number[] = []): Daemons {
  const mark = { [KEPT]: folder };
  return {
    folder,
    mark,
    at: (...names) => path.join(folder, ...names),
    start: (command, environment) => startDaemon(folder, command, { ...environment, ...mark }),
    until: untilReady,
    running: () => processesOf(folder, [process.pid, ...except]),
  };
}

function startDaemon(cwd: string, [file = "", ...args]: readonly string[], env: Environment): Daemon {
  const child = spawn(file, args, { cwd, env, stdio: "ignore", detached: true });
  // One that cannot be started is one that has ended.
  child.once("error", () => undefined);
  child.unref();
  return {
    isRunning: () => child.pid !== undefined && child.exitCode === null && child.signalCode === null,
  };
}

/** The daemon that wrote its pid to this file; nothing where none did. */
export const pidIn = (file: string): number | undefined =>
  existsSync(file) ? Number(readFileSync(file, "utf8")) : undefined;

/** Ends the daemon that wrote its pid to this file, with SIGTERM, and with SIGKILL after 10 s. Its own children are left. */
export async function endDaemon(file: string): Promise<void> {
  const pid = pidIn(file);
  if (pid === undefined) return;
  const late = performance.now() + 10_000;
  const signal = (name: NodeJS.Signals): void => {
    if (isAlive(pid)) process.kill(pid, name);
  };
  signal("SIGTERM");
  while (isAlive(pid)) {
    if (performance.now() > late) signal("SIGKILL");
    await delay(20);
  }
}

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
