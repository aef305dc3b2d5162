import type { HookHost } from "../event.ts";
import { claudeCodeConfig } from "./claude-code.ts";
import { codexConfig } from "./codex.ts";
import { copilotConfig } from "./copilot.ts";
import type { HostConfig } from "./host-config.ts";
import { vscodeConfig } from "./vscode.ts";

export const HOST_CONFIGS: Readonly<Record<HookHost, HostConfig>> = {
  "claude-code": claudeCodeConfig,
  vscode: vscodeConfig,
  copilot: copilotConfig,
  codex: codexConfig,
};
