import type { JsonRecord } from "../../../trace/formats/records.ts";
import type { HookHost } from "../event.ts";
import type { HostAdapter } from "../host.ts";
import { claudeCode } from "./claude-code.ts";
import { codex } from "./codex.ts";
import { copilot } from "./copilot.ts";
import { vscode } from "./vscode.ts";

const ADAPTERS: Readonly<Record<HookHost, HostAdapter>> = {
  "claude-code": claudeCode,
  vscode,
  copilot,
  codex,
};

export function adapterOf(host: HookHost): HostAdapter {
  return ADAPTERS[host];
}

/**
 * The adapter of the host that sent this event: a host may read another one's configuration and then call us under that one's name
 * (Copilot CLI reads `.claude/settings.json`). The named host where nothing speaks against it.
 */
export function adapterFor(named: HookHost, raw: JsonRecord): HostAdapter {
  const marked = Object.values(ADAPTERS).find((adapter) => adapter.recognises(raw));
  return marked ?? ADAPTERS[named];
}
