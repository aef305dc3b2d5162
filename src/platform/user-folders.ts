import fs from "node:fs";
import path from "node:path";
import process from "node:process";
import { homeFolder, variables } from "./surroundings.ts";

/**
 * Folders of this user, outside every workspace: no workspace can answer for its user in them. Each follows the XDG base directory
 * specification, and the system's own place on Windows and macOS.
 */
interface Place {
  /** Names the base folder where it is set to an absolute path. */
  readonly variable: string;
  /** Below the home folder. */
  readonly home: readonly string[];
  readonly mac: readonly string[];
}

const CONFIG: Place = { variable: "XDG_CONFIG_HOME", home: [".config"], mac: [".config"] };
const CACHE: Place = { variable: "XDG_CACHE_HOME", home: [".cache"], mac: ["Library", "Caches"] };
const STATE: Place = {
  variable: "XDG_STATE_HOME",
  home: [".local", "state"],
  mac: ["Library", "Application Support"],
};

function baseOf({ variable, home, mac }: Place, isShared: boolean): string {
  const { [variable]: given, LOCALAPPDATA: local } = variables();
  if (given !== undefined && path.isAbsolute(given)) return given;
  if (!isShared && process.platform === "win32" && local !== undefined) return local;
  return path.join(homeFolder(), ...(process.platform === "darwin" ? mac : home));
}

/** The folder of the user's decisions: trust. */
export const configFolder = (): string => path.join(baseOf(CONFIG, true), "hasp");

/** The folder of files that can be made again. */
export const cacheFolder = (): string => path.join(baseOf(CACHE, false), "hasp");

/** The folder of files that the user would miss: sessions that no workspace could hold, links that may be written through. */
export const stateFolder = (): string => path.join(baseOf(STATE, false), "hasp");

/** A name for a workspace in these folders. Cryptography is loaded with the first one: it would be half of what the first file of a hook loads. */
export function workspaceKey(root: string): string {
  const { createHash } = process.getBuiltinModule("node:crypto");
  return createHash("sha256").update(root).digest("hex").slice(0, 24);
}

/** A folder with a `.hasp` of its own, for sessions that the workspace itself cannot hold. */
export const userWorkspace = (root: string): string =>
  path.join(stateFolder(), "workspaces", workspaceKey(root));

/**
 * A path of the user's own without the links on the way; the part that is not there yet stays as given. Only for files that no workspace can
 * have put there: it makes the door of write-path.ts follow every link.
 */
export function withoutLinks(file: string): string {
  try {
    return fs.realpathSync(file);
  } catch {
    const folder = path.dirname(file);
    return folder === file ? file : path.join(withoutLinks(folder), path.basename(file));
  }
}
