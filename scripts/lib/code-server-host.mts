import { spawnSync } from "node:child_process";
import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

import { execa } from "execa";

import { findNode24, type Node24, withNode24 } from "./node-24.mts";
import { CACHE } from "./paths.mts";
import { say, secondsSince, stop } from "./report.mts";
import { COMPILERS, ensurePackages } from "./system-packages.mts";
import { makeWhole } from "./whole-folder.mts";

const VERSION = "4.139.1";
const FOLDER = resolve(CACHE, `host-${VERSION}`);

/** A VS Code server on disk, ready to start. */
export interface ServerHost {
  node: Node24;
  /** Its `server-main.js`. */
  main: string;
}

const vscodeIn = (folder: string): string => join(folder, "node_modules/code-server/lib/vscode");

/**
 * The VS Code server from the npm package code-server, installed into `.vscode-test/` the first time. Its native modules
 * are proven to load each time; a host that does not pass, or an install that was cut off, is replaced.
 */
export async function ensureServerHost(): Promise<ServerHost> {
  const node = findNode24();
  if (existsSync(FOLDER)) {
    const fault = brokenModules(FOLDER, node);
    if (fault === undefined) return { node, main: mainIn(FOLDER) };
    say(`The VS Code host in .vscode-test does not load and is installed anew: ${fault}`);
    rmSync(FOLDER, { recursive: true });
  }
  await ensurePackages(COMPILERS);
  await install(node);
  return { node, main: mainIn(FOLDER) };
}

/** The packages that installing the host needs here: none where it is installed. */
export const serverHostNeeds = (): typeof COMPILERS => (existsSync(FOLDER) ? [] : COMPILERS);

const mainIn = (folder: string): string => join(vscodeIn(folder), "out/server-main.js");

/** Modules the server cannot run without and that npm builds or picks for this machine. */
const NATIVE = [
  "@vscode/spdlog",
  "@vscode/sqlite3",
  "@vscode/native-watchdog",
  "@parcel/watcher",
  "kerberos",
  "node-pty",
];

/** Why the native modules below `folder` do not load, or nothing when all do. */
function brokenModules(folder: string, node: Node24): string | undefined {
  if (!existsSync(mainIn(folder))) return "server-main.js is missing";
  const script = `for (const name of ${JSON.stringify(NATIVE)}) require(name)`;
  const run = spawnSync(node.execPath, ["-e", script], { cwd: vscodeIn(folder), encoding: "utf8" });
  if (run.status === 0) return undefined;
  return (
    run.stderr.split("\n").find((line) => line.includes("Error")) ??
    `Node ended with ${run.status ?? run.signal}`
  );
}

async function install(node: Node24): Promise<void> {
  const start = performance.now();
  await makeWhole(FOLDER, async (folder) => {
    // A package.json of its own keeps npm from taking the project above for the root.
    writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true }));
    say(`Installing VS Code's server (code-server ${VERSION}, once, about 620 MB, two to three minutes)`);
    await npmInstall(folder, node);
    const fault = brokenModules(folder, node);
    if (fault !== undefined)
      throw stop(`code-server was installed but does not load: ${fault}\n${logTail()}`);
    removeIntermediates(folder);
  });
  say(`VS Code's server installed in ${secondsSince(start)}`);
}

const LOG = resolve(CACHE, "host-install.log");

const logTail = (): string =>
  `${readFileSync(LOG, "utf8").split("\n").slice(-30).join("\n")}\nThe whole log: ${LOG}`;

async function npmInstall(folder: string, node: Node24): Promise<void> {
  // npm 12 no longer runs install scripts that the root package has not approved, and code-server's script runs npm twice more
  // in folders of its own. The version is exact and its whole tree is pinned by its npm-shrinkwrap.json.
  // The agent that an `npm run` around us has set names its own Node, which code-server's script would take for the one it runs on.
  const env = {
    ...withNode24(node),
    npm_config_dangerously_allow_all_scripts: "true",
    npm_config_user_agent: undefined,
  };
  const npm = process.env.npm_execpath;
  const [file, ...first] = npm?.endsWith(".js") === true ? [node.execPath, npm] : ["npm"];
  writeFileSync(LOG, "");
  const args = [
    ...first,
    "install",
    `code-server@${VERSION}`,
    "--foreground-scripts",
    "--no-audit",
    "--no-fund",
  ];
  const run = execa(file, args, {
    cwd: folder,
    env,
    extendEnv: false,
    stdin: "ignore",
    all: true,
    buffer: false,
    reject: false,
  });
  run.all.on("data", (chunk: Buffer) => appendFileSync(LOG, chunk));
  const result = await run;
  if (result.exitCode !== 0) throw stop(`npm could not install code-server ${VERSION}:\n${logTail()}`);
}

/** Object files of the native builds: a fifth of the folder, used by nothing. */
function removeIntermediates(folder: string): void {
  const modules = join(vscodeIn(folder), "node_modules");
  for (const name of NATIVE) {
    rmSync(join(modules, name, "build/Release/obj.target"), { recursive: true, force: true });
    rmSync(join(modules, name, "build/Release/obj"), { recursive: true, force: true });
  }
}
