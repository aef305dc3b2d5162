import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { createWriteStream, mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

import { execa } from "execa";

import type { ServerHost } from "./code-server-host.mts";
import { withNode24 } from "./node-24.mts";
import { endMarked, killMarked, MARK, onExit, onPath } from "./processes.mts";
import { stop } from "./report.mts";

/** The three folders a VS Code server keeps its state in. */
export interface ServerFolders {
  /** Server data: machine settings and logs. */
  data: string;
  /** The user's settings and state. */
  user: string;
  extensions: string;
}

export interface ServerOptions {
  folders: ServerFolders;
  /** Loopback port; a free one where it is left out. */
  port?: number;
  /** Loads the extension under development from the page's payload, and runs its suite. */
  smokeTest?: boolean;
  /** Asks whether a folder is trusted, as VS Code does by default. */
  workspaceTrust?: boolean;
  /** Added to the environment of the server and the extension host. */
  env?: Record<string, string>;
  /** Where the server's own output goes. */
  log: string;
}

/** A VS Code server that answers on loopback. */
export interface Server {
  /** `127.0.0.1:<port>` */
  authority: string;
  /** Settles when the server has ended, by itself or by `stop`. */
  ended: Promise<void>;
  /** Ends it and all that it started, and waits until they are gone. */
  stop(): Promise<void>;
}

/** Starts VS Code's server on 127.0.0.1 and waits until it answers. Its end follows ours, however we end. */
export async function startServer(host: ServerHost, options: ServerOptions): Promise<Server> {
  const mark = randomUUID();
  const child = launch(host, options, mark);
  const forget = onExit(() => killMarked(mark));
  const ended = new Promise<void>((settle) => void child.once("exit", () => settle()));
  const end = async (): Promise<void> => {
    await endMarked(child, mark);
    forget();
  };
  try {
    const port = await announcedPort(child, options.log);
    await answers(`http://127.0.0.1:${port}/version`, options.log);
    return { authority: `127.0.0.1:${port}`, ended, stop: end };
  } catch (error) {
    await end();
    throw error;
  }
}

/** Installs a packaged extension into the extensions folder, without a network. */
export async function installExtension(
  host: ServerHost,
  folders: ServerFolders,
  vsix: string,
): Promise<void> {
  const args = [host.main, ...stateArguments(folders), "--install-extension", vsix, "--force"];
  const env = withNode24(host.node);
  const run = await execa(host.node.execPath, args, {
    env,
    extendEnv: false,
    stdin: "ignore",
    all: true,
    reject: false,
  });
  if (run.exitCode !== 0) throw stop(`VS Code's server could not install ${vsix}:\n${run.all}`);
}

const stateArguments = (folders: ServerFolders): string[] => [
  "--accept-server-license-terms",
  `--server-data-dir=${folders.data}`,
  `--user-data-dir=${folders.user}`,
  `--extensions-dir=${folders.extensions}`,
];

function launch(host: ServerHost, options: ServerOptions, mark: string): ChildProcess {
  const server = [
    host.node.execPath,
    host.main,
    "--host=127.0.0.1",
    `--port=${options.port ?? 0}`,
    "--without-connection-token",
    "--telemetry-level=off",
    ...stateArguments(options.folders),
    ...(options.smokeTest === true ? ["--enable-smoke-test-driver"] : []),
    ...(options.workspaceTrust === true ? [] : ["--disable-workspace-trust"]),
  ];
  // Where this process is killed outright nobody is left to end the server: the kernel does it then.
  const guard = onPath("setpriv");
  const [file = "", ...args] = guard === undefined ? server : [guard, "--pdeathsig", "TERM", ...server];
  mkdirSync(dirname(options.log), { recursive: true });
  const env = { ...withNode24(host.node), ...options.env, [MARK]: mark };
  // A process group of its own, so that Ctrl-C in the terminal reaches the server through us and in order.
  const child = spawn(file, args, { env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  const log = createWriteStream(options.log);
  child.stdout?.pipe(log, { end: false });
  child.stderr?.pipe(log, { end: false });
  child.once("close", () => log.end());
  return child;
}

/** The port the server says it listens on: it picks a free one itself, so no other process can take it in between. */
async function announcedPort(child: ChildProcess, log: string): Promise<number> {
  const announced = new Promise<number>((settle, fail) => {
    let text = "";
    child.stdout?.on("data", (chunk: Buffer) => {
      text += chunk.toString();
      const port = /Extension host agent listening on (\d+)/.exec(text)?.[1];
      if (port !== undefined) settle(Number(port));
    });
    child.once("error", fail);
    child.once("exit", (code, signal) => {
      fail(stop(`VS Code's server ended (${code ?? signal}) before it listened:\n${tail(log)}`));
    });
  });
  return await Promise.race([announced, tooLate("did not listen", log)]);
}

/** Polls until the address answers. */
async function answers(url: string, log: string): Promise<void> {
  const givenUp = new AbortController();
  const asked = async (): Promise<void> => {
    while (!givenUp.signal.aborted) {
      const response = await fetch(url).catch(() => undefined);
      if (response?.ok === true) return;
      await delay(100);
    }
  };
  await Promise.race([asked(), tooLate(`did not answer at ${url}`, log)]).finally(() => givenUp.abort());
}

/** Rejects after a minute: a warm start takes 1–2 s, a first one from a cold disk was seen at 15 s on two cores. */
async function tooLate(what: string, log: string): Promise<never> {
  await delay(60_000, undefined, { ref: false });
  throw stop(`VS Code's server ${what} within a minute:\n${tail(log)}`);
}

function tail(log: string): string {
  try {
    return readFileSync(log, "utf8").split("\n").slice(-30).join("\n");
  } catch {
    return `(no output in ${log})`;
  }
}
