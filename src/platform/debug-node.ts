import { execFile } from "node:child_process";
import { access, constants } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";
import { promisify } from "node:util";

export interface FoundNode {
  readonly path: string;
  /** Such as `24.1.0`. */
  readonly version: string;
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

async function versionOf(path: string): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)(path, ["--version"], { timeout: PATIENCE });
    return /^v(\d+\.\d+\.\d+)/.exec(stdout)?.[1];
  } catch {
    return undefined;
  }
}

export function isRecent({ version }: FoundNode): boolean {
  return Number.parseInt(version, 10) >= LEAST_NODE;
}

/**
 * The first Node on the PATH that is recent enough, else the first of all; undefined where there is none. Relative entries are passed
 * over: they would name a program of the folder that somebody happens to work in. `process.execPath` will not do: on the desktop it is
 * Electron.
 */
export async function findNode(
  environment: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
): Promise<FoundNode | undefined> {
  const path = environment["PATH"] ?? environment["Path"] ?? "";
  const name = platform === "win32" ? "node.exe" : "node";
  let first: FoundNode | undefined;
  for (const folder of new Set(path.split(delimiter))) {
    const candidate = join(folder, name);
    if (!isAbsolute(folder) || !(await isProgram(candidate))) continue;
    const version = await versionOf(candidate);
    const found = version === undefined ? undefined : { path: candidate, version };
    if (found !== undefined && isRecent(found)) return found;
    first ??= found;
  }
  return first;
}
