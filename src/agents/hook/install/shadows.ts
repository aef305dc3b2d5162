import type { HookHost } from "../event.ts";
import { readConfigText } from "./config-text.ts";
import type { InstallScope } from "./host-config.ts";

/** Something that keeps a hook from being asked, or has it asked twice. */
export interface Shadow {
  readonly host: HookHost;
  readonly kind: "disabled" | "twice";
  readonly says: string;
}

interface Installed {
  readonly host: HookHost;
  readonly scope: InstallScope;
  readonly file: string;
}

const HARMLESS = "The second one gets the same answer, and is recorded once; it only costs time.";

/** Settings that say `disableAllHooks: true`, in whichever file. */
function disabled(texts: ReadonlyMap<string, string>): Shadow[] {
  return [...texts].flatMap(([file, text]): Shadow[] => {
    const { value } = readConfigText(text, file);
    if (value?.whole["disableAllHooks"] !== true) return [];
    return [
      { host: "claude-code", kind: "disabled", says: `${file} says disableAllHooks: no hook is asked.` },
    ];
  });
}

/** A hook that Codex has in its table of switched-off ones cannot be seen here: it keeps that with its own trust. */
function inSeveral(installed: readonly Installed[]): Shadow[] {
  const byHost = Map.groupBy(installed, ({ host }) => host);
  return [...byHost].flatMap(([host, places]): Shadow[] => {
    if (places.length < 2) return [];
    const scopes = places.map(({ scope }) => scope).join(" and ");
    return [
      { host, kind: "twice", says: `${host} is told twice (${scopes}): each event comes twice. ${HARMLESS}` },
    ];
  });
}

function across(installed: readonly Installed[]): Shadow[] {
  const has = (host: HookHost, ...scopes: InstallScope[]): boolean =>
    installed.some((one) => one.host === host && (scopes.length === 0 || scopes.includes(one.scope)));
  const shadows: Shadow[] = [];
  if (has("claude-code", "project", "local") && has("copilot"))
    shadows.push({
      host: "copilot",
      kind: "twice",
      says: `Copilot also reads .claude/settings*.json, so its calls come twice. ${HARMLESS}`,
    });
  if (has("claude-code") && has("vscode"))
    shadows.push({
      host: "vscode",
      kind: "twice",
      says: `VS Code may also read Claude Code's settings, so its calls may come twice. ${HARMLESS}`,
    });
  if (has("vscode") && has("copilot"))
    shadows.push({
      host: "vscode",
      kind: "twice",
      says: `VS Code and Copilot read the same folder of hooks, so their calls may come twice. ${HARMLESS}`,
    });
  return shadows;
}

/** What stands between our hooks and their hosts. `texts`: every configuration file that there is, by its path. */
export function shadowsOf(
  installed: readonly Installed[],
  texts: ReadonlyMap<string, string>,
): readonly Shadow[] {
  return [...disabled(texts), ...inSeveral(installed), ...across(installed)].filter(({ host }) =>
    installed.some((one) => one.host === host),
  );
}
