import process from "node:process";
import host from "./pyodide-guest/host.js?text";
import realm from "./pyodide-guest/realm.js?text";
import type { PyodideFiles } from "./pyodide-files.ts";
import { bubblewrapArguments, bubblewrapUser } from "./bubblewrap-arguments.ts";
import { syscallFilter } from "./syscall-filter.ts";

export interface PyodideLimits {
  readonly memoryBytes: number;
  /** Time on the processor after which the system ends it, in seconds: where this process is gone, nobody else does. */
  readonly processorSeconds: number;
}

/** A command as `spawn` takes it. */
export interface PyodideLaunch {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly user: { readonly uid?: number; readonly gid?: number };
  /** In Bubblewrap: its filter of system calls. */
  readonly wrapped?: { readonly filter: Buffer | undefined };
}

/** Of a launch in Bubblewrap. */
export const INFO_FD = 4;
export const FILTER_FD = 5;

const PAGE_BYTES = 65_536;
const MOST_PAGES = 65_536;
/** Memory of Node itself and of the files that a program makes, which are in memory. */
const NODE_BYTES = 1024 << 20;

/** Sets limits of the operating system, and closes descriptors 4 and 5, for the command after it. macOS knows no limit of data. */
const LIMITED = 'ulimit -c 0; ulimit -t "$1"; ulimit -d "$2" 2>/dev/null; shift 2; exec 4<&- 5<&-; exec "$@"';

function withLimits(limits: PyodideLimits, command: readonly string[]): readonly [string, ...string[]] {
  const kilobytes = Math.ceil((limits.memoryBytes + NODE_BYTES) / 1024);
  return ["/bin/sh", "-c", LIMITED, "sh", String(limits.processorSeconds), String(kilobytes), ...command];
}

/** A Node that may read those files, and nothing else. */
function nodeCommand(
  node: string,
  { folder, snapshot }: PyodideFiles,
  { memoryBytes }: PyodideLimits,
): string[] {
  const readable = snapshot === "" ? [folder] : [folder, snapshot];
  const pages = Math.min(MOST_PAGES, Math.ceil(memoryBytes / PAGE_BYTES));
  return [
    node,
    "--permission",
    ...readable.map((one) => `--allow-fs-read=${one}`),
    "--disallow-code-generation-from-strings",
    `--wasm-max-mem-pages=${pages}`,
    // Half the time of a start.
    "--wasm-lazy-compilation",
    "--wasm-lazy-validation",
    "--no-warnings",
    "--eval",
    host,
    folder,
    snapshot,
    realm,
  ];
}

/** Nothing of the user's. Windows starts no program without its own folder, and an Electron is a Node when it is told so. */
function leastEnvironment(): Record<string, string> {
  const { SystemRoot: system } = process.env;
  return {
    ...(process.versions["electron"] !== undefined && { ELECTRON_RUN_AS_NODE: "1" }),
    ...(process.platform === "win32" && system !== undefined && { SystemRoot: system }),
  };
}

/** Pyodide in a Node alone, which holds by Node's permission system and by having nothing left to use. */
export function bareLaunch(files: PyodideFiles, limits: PyodideLimits): PyodideLaunch {
  const command = nodeCommand(process.execPath, files, limits);
  const [file = "", ...args] = process.platform === "win32" ? command : withLimits(limits, command);
  return { file, args, env: leastEnvironment(), user: {} };
}

/** The same Node in Bubblewrap, which must be able to read `node` and the files: see `readableByAll`. */
export function wrappedLaunch(
  { bubblewrap, node }: { readonly bubblewrap: string; readonly node: string },
  { folder, snapshot }: PyodideFiles,
  limits: PyodideLimits,
): PyodideLaunch {
  const inside = { node: "/run/node", folder: "/run/pyodide", snapshot: "/run/snapshot" };
  const mounts = [
    { from: node, at: inside.node },
    { from: folder, at: inside.folder },
    { from: snapshot, at: inside.snapshot },
  ];
  const filter = syscallFilter();
  const command = withLimits(limits, nodeCommand(inside.node, inside, limits));
  const fds = { info: INFO_FD, filter: filter === undefined ? undefined : FILTER_FD };
  const args = bubblewrapArguments(command, mounts, fds);
  return { file: bubblewrap, args, env: {}, user: bubblewrapUser(), wrapped: { filter } };
}
