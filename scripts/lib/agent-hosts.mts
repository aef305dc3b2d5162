// Real coding agents for the stage `hosts`: exact versions, installed on demand, no dependency of the project.
import { spawnSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

import { execa } from "execa";

import { CACHE } from "./paths.mts";
import { say, secondsSince, stop } from "./report.mts";
import { makeWhole } from "./whole-folder.mts";

interface HostPackage {
  name: string;
  version: string;
  /** Its launcher, a program of Node that starts the binary of this system. Below the package's folder. */
  launcher: string;
}

/** The one place of their versions: the inventories of `src/agents/hook` and the table of `docs/hooks.md` are about these. */
export const HOST_PACKAGES = {
  "claude-code": { name: "@anthropic-ai/claude-code", version: "2.1.332", launcher: "cli-wrapper.cjs" },
  codex: { name: "@openai/codex", version: "0.171.0", launcher: "bin/codex.js" },
  copilot: { name: "@github/copilot", version: "1.0.102", launcher: "npm-loader.js" },
} as const satisfies Record<string, HostPackage>;

export type AgentHostName = keyof typeof HOST_PACKAGES;

/** Agents without hooks of ours, whose sessions are imported. `docs/formats.md` is about these versions. */
export const SESSION_PACKAGES = {
  pi: { name: "@earendil-works/pi-coding-agent", version: "1.6.0", launcher: "dist/bundle/cli.js" },
  gemini: { name: "@google/gemini-cli", version: "0.61.0", launcher: "bundle/gemini.js" },
} as const satisfies Record<string, HostPackage>;

export type SessionHostName = keyof typeof SESSION_PACKAGES;
type AnyHostName = AgentHostName | SessionHostName;

const ALL: Readonly<Record<AnyHostName, HostPackage>> = { ...HOST_PACKAGES, ...SESSION_PACKAGES };
const NAMES = Object.keys(ALL) as AnyHostName[];

/** The folder whose `node_modules` has the host, once `ensureAgentHost` has made it. */
export const agentHostFolder = (host: AnyHostName): string =>
  resolve(CACHE, `agent-${host}-${ALL[host].version}`);

/** The words that start the host, without arguments. */
export const agentHostCommand = (host: AnyHostName): string[] => commandIn(agentHostFolder(host), host);

function commandIn(folder: string, host: AnyHostName): string[] {
  const { name, launcher } = ALL[host];
  return [process.execPath, join(folder, "node_modules", name, launcher)];
}

/** Installs the hosts that are missing. Rejects with a `stop()` where npm cannot, or where they could not run without a network. */
export async function prepareAgentHosts(): Promise<void> {
  refuseWithoutNamespaces();
  for (const host of NAMES) await ensureAgentHost(host);
}

/**
 * The words before a command that give it loopback alone and end all that it starts with it. The shell stays, for the first
 * process of a namespace has to wait for those whose parent is gone.
 */
export const ALONE: readonly string[] = [
  "unshare",
  ...(process.getuid?.() === 0 ? [] : ["--map-root-user"]),
  ..."--net --pid --fork --kill-child --mount-proc sh -c".split(" "),
  'ip link set lo up && "$@"; exit $?',
  "sh",
];

/** A host with a network could reach its vendor, with the hooks of this clone at work: there is no second-best form. */
function refuseWithoutNamespaces(): void {
  const [file = "", ...args] = ALONE;
  const run = spawnSync(file, [...args, "true"], { encoding: "utf8" });
  if (run.status === 0) return;
  throw stop(
    `Real agents run in a network namespace that has loopback alone, and none can be made here: ${run.stderr?.trim() || run.error?.message}.` +
      " On Linux install util-linux and iproute2 and run this as root, or allow user namespaces.",
  );
}

/** The host's folder, installed by npm into `.vscode-test/` the first time. */
export async function ensureAgentHost(host: AnyHostName): Promise<string> {
  const folder = agentHostFolder(host);
  if (existsSync(folder)) return folder;
  const { name, version } = ALL[host];
  const start = performance.now();
  say(`Installing ${name} ${version} (once, 100 to 400 MB)`);
  await makeWhole(folder, async (partial) => {
    await npmInstall(partial, `${name}@${version}`);
    proveVersion(partial, host);
  });
  say(`${name} installed in ${secondsSince(start)}`);
  return folder;
}

async function npmInstall(folder: string, wanted: string): Promise<void> {
  // A package.json of its own keeps npm from taking the project above for the root.
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true }));
  const args = "--ignore-scripts --include=optional --no-package-lock --no-audit --no-fund".split(" ");
  const run = await execa("npm", ["install", wanted, "--save-exact", ...args], {
    cwd: folder,
    stdin: "ignore",
    all: true,
    reject: false,
  });
  if (run.exitCode === 0) return;
  const tail = (run.all ?? run.shortMessage ?? "").split("\n").slice(-15).join("\n");
  throw stop(`npm could not install ${wanted}, which needs the network once:\n${tail}`);
}

/** The binaries are optional packages: npm succeeds where one of them did not arrive. */
function proveVersion(folder: string, host: AnyHostName): void {
  const { name, version } = ALL[host];
  const [file, ...args] = [...ALONE, ...commandIn(folder, host), "--version"];
  // Copilot unpacks its program below its home: there it is at hand for a test that reads it.
  const env = { PATH: process.env.PATH, HOME: folder };
  const run = spawnSync(file, args, { encoding: "utf8", env, timeout: 60_000 });
  if (run.status === 0 && run.stdout.includes(version)) return;
  const said = `${run.stdout ?? ""}${run.stderr ?? ""}`.trim().split("\n").at(-1);
  throw stop(`${name} was installed but does not say that it is version ${version}: ${said}`);
}
