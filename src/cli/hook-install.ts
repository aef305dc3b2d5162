import { HOOK_HOSTS } from "../agents/hook/event.ts";
import { INSTALL_SCOPES } from "../agents/hook/install/host-config.ts";
import { HOST_CONFIGS } from "../agents/hook/install/host-configs.ts";
import { failureFor } from "../agents/hook/install/failure-setting.ts";
import { unifiedDiff } from "../agents/hook/install/unified-diff.ts";
import {
  applyInstall,
  applyUninstall,
  configFile,
  hookProgram,
  plannedInstall,
  plannedUninstall,
  type PlannedChange,
} from "../platform/hook-install.ts";
import { currentFolder } from "../platform/surroundings.ts";
import { workspaceOf } from "../platform/hook-workspace.ts";
import type { Checked } from "../model/diagnostic.ts";
import { printableLine } from "../model/printable.ts";
import { besideCli } from "./beside.ts";
import { confirm } from "./confirm.ts";
import { defineCommand } from "./define-command.ts";
import { formatDiagnostic } from "./format-diagnostic.ts";
import { trustedOnFailure } from "./hook-prepare.ts";
import { flag, needed, oneOf, type OptionsOf } from "./options.ts";
import { CliError, EXIT, type ExitCode, type Terminal } from "./terminal.ts";

export const hostOption = () => oneOf("--host <host>", "whose agent", HOOK_HOSTS);

const OPTIONS = {
  host: needed(hostOption()),
  user: flag("--user", "in your own settings, for every project"),
  project: flag("--project", "in the project's settings, which others share"),
  local: flag("--local", "in the project's settings that are yours alone"),
  yes: flag("--yes", "do not ask"),
};

/** Beside this very file, once bundled; it answers sooner than the whole command (docs/hooks.md). */
export const HOOK_FILE = "hook.cjs";

function targetOf(options: OptionsOf<typeof OPTIONS>) {
  const { host } = options;
  const { title, places, scope: usual } = HOST_CONFIGS[host];
  const [scope = usual, ...others] = INSTALL_SCOPES.filter((one) => options[one]);
  if (others.length > 0)
    throw new CliError("More than one place is named.", "Say --user, --project or --local.");
  const file = configFile(host, scope, workspaceOf(currentFolder()));
  if (file !== undefined) return { host, scope, file };
  const known = Object.keys(places).map((one) => `--${one}`);
  throw new CliError(`${title} reads no file for --${scope}.`, `It has ${known.join(" and ")}.`);
}

/** The change; without one, the end. Hooks of others that are left as they are come first. */
function plannedOrFail(terminal: Terminal, { value, diagnostics }: Checked<PlannedChange>): PlannedChange {
  if (value === undefined) throw new CliError(diagnostics.map((one) => formatDiagnostic(one)).join("\n"));
  terminal.diagnostics(diagnostics);
  return value;
}

/** A file that others share names a program of this machine. */
function sharedWarning({ scope, after }: PlannedChange, file: string): string | undefined {
  if (scope !== "project" || file === "hasp" || after === undefined) return undefined;
  return "This file is shared with everybody who works here, and names files of this machine. Leave it out of commits, or put `hasp` on everybody's PATH and install again.";
}

function done(terminal: Terminal, change: PlannedChange, changed: boolean, more: object = {}): ExitCode {
  const { host, scope, file } = change;
  terminal.result({ host, scope, file, changed, ...more });
  return EXIT.fine;
}

/** Shows the change and asks for it. */
async function isAgreed(
  terminal: Terminal,
  { file, before, after }: PlannedChange,
  yes: boolean | undefined,
): Promise<boolean> {
  for (const line of unifiedDiff(file, before, after).trimEnd().split(/\r?\n/)) terminal.line(line);
  const what = after === undefined ? "Delete this file?" : "Write this?";
  const agreed = await confirm(terminal, what, yes);
  if (!agreed) terminal.line("Nothing was changed.");
  return agreed;
}

async function install(
  terminal: Terminal,
  change: PlannedChange,
  yes: boolean | undefined,
): Promise<ExitCode> {
  if (!(await isAgreed(terminal, change, yes))) return done(terminal, change, false);
  const backup = applyInstall(change);
  terminal.line(`${change.file} is written.`);
  if (backup !== undefined) terminal.line(`What stood there before: ${backup}`);
  return done(terminal, change, true, backup === undefined ? {} : { backup });
}

async function uninstall(
  terminal: Terminal,
  change: PlannedChange,
  yes: boolean | undefined,
): Promise<ExitCode> {
  if (!(await isAgreed(terminal, change, yes))) return done(terminal, change, false);
  const kept = applyUninstall(change);
  terminal.line(change.after === undefined ? `${change.file} is gone.` : `${change.file} is written.`);
  for (const backup of kept)
    terminal.line(`Kept, since it holds more than the file does now: ${printableLine(backup)}`);
  return done(terminal, change, true, { kept });
}

/** `hasp hook install`. */
export const installCommand = defineCommand({
  name: "install",
  about: "Have a coding agent ask HASP before each tool call, and before it stops. Shows the change first.",
  options: OPTIONS,
  examples: ["hasp hook install --host claude-code"],
  async run({ options, terminal }) {
    const target = targetOf(options);
    const config = HOST_CONFIGS[target.host];
    const program = hookProgram([besideCli(HOOK_FILE)], target.scope);
    const setting = await trustedOnFailure(workspaceOf(currentFolder()), __filename);
    const onFailure = failureFor(config, target.scope, setting);
    const change = plannedOrFail(terminal, plannedInstall(target, program, onFailure));
    const { title, after } = config;
    if (change.before === change.after) {
      terminal.line(`${title} asks HASP already: ${change.file}`);
      return done(terminal, change, false);
    }
    const warning = sharedWarning(change, program.file);
    if (warning !== undefined) terminal.line(warning);
    const code = await install(terminal, change, options.yes);
    if (after !== undefined) terminal.line(after);
    terminal.line(`→ hasp hook status --host ${target.host}`);
    return code;
  },
});

/** `hasp hook uninstall`. */
export const uninstallCommand = defineCommand({
  name: "uninstall",
  about: "Take HASP's hooks out again. What else stands in the file stays as it is.",
  options: OPTIONS,
  examples: ["hasp hook uninstall --host claude-code"],
  run({ options, terminal }) {
    const change = plannedOrFail(terminal, plannedUninstall(targetOf(options)));
    if (change.before !== change.after) return uninstall(terminal, change, options.yes);
    terminal.line(`No hook of HASP stands in ${change.file}.`);
    return done(terminal, change, false);
  },
});
