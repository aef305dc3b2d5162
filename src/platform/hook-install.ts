import fs from "node:fs";
import path from "node:path";
import process from "node:process";
import type { HookHost } from "../agents/hook/event.ts";
import type { HookProgram } from "../agents/hook/install/command-line.ts";
import type { ConfigPlace, HostConfig, InstallScope, OnFailure } from "../agents/hook/install/host-config.ts";
import { HOST_CONFIGS } from "../agents/hook/install/host-configs.ts";
import { planInstall, planUninstall } from "../agents/hook/install/plan.ts";
import type { Checked } from "../model/diagnostic.ts";
import { backUp, backupsOf, modeOf, textsOf, type Backup } from "./hook-backups.ts";
import { isLauncherOf } from "./hook-launcher.ts";
import { homeFolder, variables } from "./surroundings.ts";
import { withoutLinks } from "./user-folders.ts";
import { makeFolderSync, readTextSync, removeSync, replaceSync } from "./sync-files.ts";

/** A change of a host's configuration that waits for a person's yes. */
export interface PlannedChange {
  readonly host: HookHost;
  readonly scope: InstallScope;
  /** Absolute. */
  readonly file: string;
  /** Undefined: there is no such file now, or none afterwards. */
  readonly before: string | undefined;
  readonly after: string | undefined;
}

function baseOf({ base }: ConfigPlace, { configFolder }: HostConfig, root: string): string {
  if (base === "project") return root;
  if (base === "home" || configFolder === undefined) return homeFolder();
  const given = variables()[configFolder.variable];
  return given !== undefined && path.isAbsolute(given) ? given : path.join(homeFolder(), configFolder.path);
}

/** The file that a host reads in a scope; undefined where it has none. `root`: the project. */
export function configFile(host: HookHost, scope: InstallScope, root: string): string | undefined {
  const config = HOST_CONFIGS[host];
  const place = config.places[scope];
  return place === undefined ? undefined : path.join(baseOf(place, config, root), ...place.path.split("/"));
}

interface Target {
  readonly host: HookHost;
  readonly scope: InstallScope;
  /** From `configFile`. */
  readonly file: string;
}

/** What installing would change. */
export function plannedInstall(
  { host, scope, file }: Target,
  program: HookProgram,
  onFailure?: OnFailure,
): Checked<PlannedChange> {
  const before = readTextSync(file);
  const { value, diagnostics } = planInstall(HOST_CONFIGS[host], before, file, program, onFailure);
  return {
    value: value === undefined ? undefined : { host, scope, file, before, after: value.text },
    diagnostics,
  };
}

/** What taking our hooks out again would change. */
export function plannedUninstall({ host, scope, file }: Target): Checked<PlannedChange> {
  const before = readTextSync(file);
  if (before === undefined)
    return { value: { host, scope, file, before, after: undefined }, diagnostics: [] };
  const { value, diagnostics } = planUninstall(HOST_CONFIGS[host], before, file, textsOf(backupsOf(file)));
  return {
    value: value === undefined ? undefined : { host, scope, file, before, after: value.text },
    diagnostics,
  };
}

/** Settings of a project are read by others as well. */
const SHARED_FOLDER = 0o755;
function realFile(file: string): string {
  try {
    return fs.realpathSync(file);
  } catch {
    return file;
  }
}

/**
 * A user's own settings are often links into a folder of dotfiles: the target is replaced, and the link stays. A link in a project may be a
 * stranger's: it is left to the door (write-path.ts).
 */
const placeToWrite = ({ scope, file }: PlannedChange): string =>
  scope === "user" ? withoutLinks(file) : file;

function checkUnchanged({ file, before }: PlannedChange): void {
  if (readTextSync(file) !== before) throw new Error(`${file} has changed meanwhile; nothing was written.`);
}

function write(change: PlannedChange): void {
  const { after } = change;
  const place = placeToWrite(change);
  if (after === undefined) removeSync(place);
  else replaceSync(place, after, modeOf(place));
}

/** Makes a change, and answers the backup that it made. Fails where the file is not what it was when the change was shown. */
export function applyInstall(change: PlannedChange, at = new Date()): string | undefined {
  const { file, before, after } = change;
  if (before === after) return undefined;
  checkUnchanged(change);
  makeFolderSync(path.dirname(placeToWrite(change)), SHARED_FOLDER);
  const backup = before === undefined ? undefined : backUp(file, before, at);
  write(change);
  return backup;
}

/**
 * Takes our hooks out, and removes the backups that hold nothing else than the file does now. Answers those that hold more: what a person
 * changed since would be lost with them. Fails where the file is not what it was when the change was shown.
 */
export function applyUninstall(change: PlannedChange): readonly string[] {
  const { host, file, after } = change;
  checkUnchanged(change);
  const backups = backupsOf(file);
  const holdsMore = ({ text }: Backup): boolean => {
    if (text === after) return false;
    const { value } = planUninstall(HOST_CONFIGS[host], text, file, textsOf(backups));
    return value === undefined || value.text !== after;
  };
  const kept = backups.filter(holdsMore);
  write(change);
  for (const backup of backups) if (!kept.includes(backup)) removeSync(backup.file);
  return kept.map((backup) => backup.file);
}

function onPath(name: string): string | undefined {
  const isWindows = process.platform === "win32";
  const names = isWindows ? [`${name}.exe`, `${name}.cmd`] : [name];
  for (const folder of (variables()["PATH"] ?? "").split(path.delimiter)) {
    if (!path.isAbsolute(folder)) continue;
    const found = names.map((one) => path.join(folder, one)).find((file) => fs.existsSync(file));
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * What hosts start, from any folder: the node that runs now, or the one on the PATH where this is no plain node (VS Code on a desktop), with
 * `script`; for a file that others share, `hasp` alone where it is on the PATH.
 */
export function hookProgram(script: readonly string[], scope: InstallScope): HookProgram {
  if (scope === "project" && onPath("hasp") !== undefined) return { file: "hasp", args: ["hook"] };
  const isElectron = process.versions["electron"] !== undefined;
  const node = onPath("node");
  if (!isElectron) {
    const isFirst =
      node !== undefined && process.platform === "win32" && realFile(node) === realFile(process.execPath);
    return { file: isFirst ? "node" : process.execPath, args: script };
  }
  if (node !== undefined) return { file: process.platform === "win32" ? "node" : node, args: script };
  if (process.platform === "win32")
    throw new Error("There is no node on the PATH, and hooks on Windows need one (nodejs.org, 22 or later).");
  return { file: "/usr/bin/env", args: ["ELECTRON_RUN_AS_NODE=1", process.execPath, ...script] };
}

/** Whether a hook's program is the one that `hookProgram` names with `hook`, our own hook.cjs, or with the editor's file that starts it. */
export function isOwnProgram({ file, args }: HookProgram, hook: string): boolean {
  if (file === "hasp") return true;
  const script = args.at(-1);
  if (script !== hook && !(script !== undefined && isLauncherOf(script, hook))) return false;
  if (args.length > 1) return args[1] === process.execPath;
  return file === "node" || file === process.execPath || file === onPath("node");
}

/** The reason why a host cannot start our own program; undefined if it can. */
export function startProblem({ file }: HookProgram): string | undefined {
  if (path.isAbsolute(file) || onPath(file) !== undefined) return undefined;
  return `\`${file}\` is not on the PATH, so the agent cannot start it`;
}
