import { execFile } from "node:child_process";
import { access, constants } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";
import { promisify } from "node:util";

export interface FoundNode {
  readonly path: string;
  /** Such as `24.1.0`. */
  readonly version: string;
  /** An Electron, which is a Node only where its environment says so. */
  readonly isElectron?: boolean;
}

/** Older ones are not maintained, and lack what the debugged script needs. */
export const LEAST_NODE = 22;
/** A cold start from a slow disk. Milliseconds. */
const PATIENCE = 10_000;

async function isProgram(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/** The Node at a path; undefined where the program there is none, or does not answer in time. */
export async function nodeAt(path: string): Promise<FoundNode | undefined> {
  if (!isAbsolute(path) || !(await isProgram(path))) return undefined;
  try {
    const { stdout } = await promisify(execFile)(path, ["--version"], { timeout: PATIENCE });
    const version = /^v(\d+\.\d+\.\d+)/.exec(stdout)?.[1];
    return version === undefined ? undefined : { path, version };
  } catch {
    return undefined;
  }
}

export function isRecent({ version }: FoundNode): boolean {
  return Number.parseInt(version, 10) >= LEAST_NODE;
}

/**
 * The first Node on the PATH that is recent enough. Relative entries are passed over: they would name a program of the folder that
 * somebody happens to work in.
 */
export async function recentNodeOnPath(
  environment: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
): Promise<FoundNode | undefined> {
  const path = environment["PATH"] ?? environment["Path"] ?? "";
  const name = platform === "win32" ? "node.exe" : "node";
  for (const folder of new Set(path.split(delimiter))) {
    const found = await nodeAt(join(folder, name));
    if (found !== undefined && isRecent(found)) return found;
  }
  return undefined;
}

/** The Node that runs this very process: on the desktop an Electron. */
export function ownNode({ execPath, versions }: Pick<NodeJS.Process, "execPath" | "versions">): FoundNode {
  const isElectron = versions["electron"] !== undefined;
  return { path: execPath, version: versions.node, ...(isElectron && { isElectron }) };
}

/** How a Node is started. */
export interface NodeCommand {
  readonly executable: string;
  /** Come before Node's own arguments. */
  readonly leading: readonly string[];
}

const AS_NODE = "ELECTRON_RUN_AS_NODE=1";

/**
 * An Electron is told to be a Node by the command itself: VS Code's debugger takes `ELECTRON_RUN_AS_NODE` out of the environment that a
 * launch configuration gives.
 */
export function commandOf({ path, isElectron }: FoundNode, platform: NodeJS.Platform): NodeCommand {
  if (isElectron !== true) return { executable: path, leading: [] };
  if (platform === "win32")
    return { executable: "cmd.exe", leading: ["/d", "/c", "set", `${AS_NODE}&&`, path] };
  // `env` becomes the Electron: on macOS that has to be a child of its own application.
  return { executable: "/usr/bin/env", leading: [AS_NODE, path] };
}
