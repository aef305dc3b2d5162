import fs from "node:fs";
import path from "node:path";
import type { Installed } from "../agents/hook/dead/find-dead-hooks.ts";
import type { HookHost } from "../agents/hook/event.ts";
import { readConfigText, type ConfigText } from "../agents/hook/install/config-text.ts";
import { INSTALL_SCOPES, type InstallScope } from "../agents/hook/install/host-config.ts";
import { HOST_CONFIGS } from "../agents/hook/install/host-configs.ts";
import { handlersOf, isOurHandler, ourHooks } from "../agents/hook/install/our-hooks.ts";
import { kindOf } from "../agents/hook/raw-event.ts";
import { isRecord } from "../trace/formats/records.ts";
import { backupTimes } from "./hook-backups.ts";
import { configFile } from "./hook-install.ts";
import { readableText } from "./sync-files.ts";

const NAMES = /^[\w|, -]*$/;

/** Whether a matcher takes a tool. Of a regular expression nobody knows here: it may be anyone's, and need any time. */
function takes(matcher: unknown, tool: string): boolean {
  if (matcher === undefined || matcher === "" || matcher === "*" || matcher === ".*") return true;
  if (typeof matcher !== "string" || !NAMES.test(matcher)) return false;
  return matcher.split(/[|,]/).some((name) => name.trim() === tool);
}

/** The matchers of our hooks before calls. */
function matchersIn(host: HookHost, { hooks }: ConfigText): unknown[] {
  const lists = Object.entries(hooks).filter(([event]) => kindOf(event) === "pre");
  return lists.flatMap(([event, list]) =>
    list
      .filter((entry) => handlersOf(entry).some((one) => isOurHandler(HOST_CONFIGS[host], event, one)))
      .map((entry) => (isRecord(entry) ? entry["matcher"] : undefined)),
  );
}

/** The time since which our hooks are in a file for sure: whoever changed it last may have put them in, but not after a backup. */
function sinceOf(file: string): number {
  const changed = fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY;
  const [newest = changed] = backupTimes(file);
  return Math.min(changed, newest);
}

/** Codex keeps what a person has looked at in its own configuration. */
function isUntrusted(host: HookHost, root: string): boolean {
  const file = configFile(host, "user", root);
  if (host !== "codex" || file === undefined) return false;
  return !(readableText(path.join(path.dirname(file), "config.toml")) ?? "").includes("trusted_hash");
}

/** How our hooks are installed for a host now. `scopes`: those that count for the session in question. */
export function installedHooks(
  host: HookHost,
  root: string,
  scopes: readonly InstallScope[] = INSTALL_SCOPES,
): Installed {
  const files = INSTALL_SCOPES.map((scope) => ({ scope, file: configFile(host, scope, root) }));
  const read = files.flatMap(({ scope, file }) => {
    const text = file === undefined ? undefined : readableText(file);
    const value = file === undefined || text === undefined ? undefined : readConfigText(text, file).value;
    return file === undefined || value === undefined ? [] : [{ scope, file, value }];
  });
  const isOff = read.some(({ value }) => value.whole["disableAllHooks"] === true);
  const ours = read.filter(({ value }) => ourHooks(HOST_CONFIGS[host], value).size > 0);
  const counting = isOff ? [] : ours.filter(({ scope }) => scopes.includes(scope));
  const matchers = ours.flatMap(({ value }) => matchersIn(host, value));
  return {
    since: counting.length === 0 ? undefined : Math.min(...counting.map(({ file }) => sinceOf(file))),
    // An event that is missing is no choice of a person's: installing writes all of them.
    asks: (tool) => matchers.length === 0 || matchers.some((matcher) => takes(matcher, tool)),
    untrusted: isUntrusted(host, root),
  };
}
