import path from "node:path";
import process from "node:process";
import { HOOK_HOSTS, type HookHost } from "../agents/hook/event.ts";
import type { InstallScope } from "../agents/hook/install/host-config.ts";
import { HOST_CONFIGS } from "../agents/hook/install/host-configs.ts";
import { unifiedDiff } from "../agents/hook/install/unified-diff.ts";
import {
  applyChange,
  configFile,
  hookProgram,
  plannedInstall,
  plannedUninstall,
  type PlannedChange,
} from "../platform/hook-install.ts";
import { workspaceOf } from "../platform/hook-workspace.ts";
import type { Checked } from "../model/diagnostic.ts";
import { confirm } from "./confirm.ts";
import { formatDiagnostic } from "./format-diagnostic.ts";
import { printable } from "../model/printable.ts";
import { CliError, EXIT, openTerminal, type ExitCode, type Terminal } from "./terminal.ts";

export interface PlaceOptions {
  readonly host: string;
  readonly user?: boolean;
  readonly project?: boolean;
  readonly local?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

export function hostOf(name: string): HookHost {
  const host = HOOK_HOSTS.find((one) => one === name);
  if (host === undefined)
    throw new CliError(`There is no host ${name}.`, `One of: ${HOOK_HOSTS.join(", ")}.`);
  return host;
}

function scopeOf(host: HookHost, { user, project, local }: PlaceOptions): InstallScope {
  const named = [user && "user", project && "project", local && "local"].filter(
    (one) => typeof one === "string",
  );
  if (named.length > 1)
    throw new CliError("More than one place is named.", "Say --user, --project or --local.");
  return (named[0] as InstallScope | undefined) ?? HOST_CONFIGS[host].scope;
}

/** Beside this very file, once bundled; it answers sooner than the whole command (docs/hooks.md). */
const HOOK_FILE = "hook.cjs";

interface Target {
  readonly host: HookHost;
  readonly scope: InstallScope;
  readonly file: string;
}

function targetOf(options: PlaceOptions): Target {
  const host = hostOf(options.host);
  const scope = scopeOf(host, options);
  const file = configFile(host, scope, workspaceOf(process.cwd()));
  if (file !== undefined) return { host, scope, file };
  const others = Object.keys(HOST_CONFIGS[host].places).map((one) => `--${one}`);
  throw new CliError(
    `${HOST_CONFIGS[host].title} reads no file for --${scope}.`,
    `It has ${others.join(" and ")}.`,
  );
}

function plannedOrFail({ value, diagnostics }: Checked<PlannedChange>): PlannedChange {
  if (value !== undefined) return value;
  throw new CliError(diagnostics.map((one) => formatDiagnostic(one)).join("\n"));
}

/** A file that others share names a program of this machine. */
function sharedWarning({ scope, after }: PlannedChange, file: string): string | undefined {
  if (scope !== "project" || file === "hasp" || after === undefined) return undefined;
  return "This file is shared with everybody who works here, and names files of this machine. Leave it out of commits, or put `hasp` on everybody's PATH and install again.";
}

function done(terminal: Terminal, change: PlannedChange, changed: boolean, backup?: string): ExitCode {
  const { host, scope, file } = change;
  terminal.result({ host, scope, file, changed, ...(backup !== undefined && { backup }) });
  return EXIT.fine;
}

async function carryOut(
  terminal: Terminal,
  change: PlannedChange,
  yes: boolean | undefined,
): Promise<ExitCode> {
  const { file, before, after } = change;
  for (const line of unifiedDiff(file, before, after).trimEnd().split(/\r?\n/))
    terminal.line(printable(line));
  const what = after === undefined ? "Delete this file?" : "Write this?";
  if (!(await confirm(what, yes))) {
    terminal.line("Nothing was changed.");
    return done(terminal, change, false);
  }
  const backup = applyChange(change);
  terminal.line(after === undefined ? `${file} is gone.` : `${file} is written.`);
  if (backup !== undefined) terminal.line(`What stood there before: ${backup}`);
  return done(terminal, change, true, backup);
}

/** `hasp hook install`. */
export async function runInstall(options: PlaceOptions): Promise<ExitCode> {
  const terminal = openTerminal(options.json === true);
  const target = targetOf(options);
  const program = hookProgram([path.join(__dirname, HOOK_FILE)], target.scope);
  const change = plannedOrFail(plannedInstall(target, program));
  const { title, after } = HOST_CONFIGS[target.host];
  if (change.before === change.after) {
    terminal.line(`${title} asks HASP already: ${change.file}`);
    return done(terminal, change, false);
  }
  const warning = sharedWarning(change, program.file);
  if (warning !== undefined) terminal.line(warning);
  const code = await carryOut(terminal, change, options.yes);
  if (after !== undefined) terminal.line(after);
  terminal.line(`→ hasp hook status --host ${target.host}`);
  return code;
}

/** `hasp hook uninstall`. */
export async function runUninstall(options: PlaceOptions): Promise<ExitCode> {
  const terminal = openTerminal(options.json === true);
  const change = plannedOrFail(plannedUninstall(targetOf(options)));
  if (change.before !== change.after) return carryOut(terminal, change, options.yes);
  terminal.line(`No hook of HASP stands in ${change.file}.`);
  return done(terminal, change, false);
}
