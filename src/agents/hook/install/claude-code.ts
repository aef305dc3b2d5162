import { TIMEOUT_S, type HostConfig } from "./host-config.ts";
import { wordsFor } from "./command-line.ts";

/** Before what runs: its answer is a yes or a no. */
const GUARDS: ReadonlySet<string> = new Set(["PreToolUse", "PreSkillShellCommand"]);
const TOOL_EVENTS: ReadonlySet<string> = new Set([...GUARDS, "PostToolUse", "PostToolUseFailure"]);

/** Claude Code's settings: the program and its words one by one, so that no shell reads them. */
export const claudeCodeConfig: HostConfig = {
  host: "claude-code",
  title: "Claude Code",
  places: {
    user: { base: "config", path: "settings.json" },
    project: { base: "project", path: ".claude/settings.json" },
    local: { base: "project", path: ".claude/settings.local.json" },
  },
  configFolder: { variable: "CLAUDE_CONFIG_DIR", path: ".claude" },
  scope: "local",
  own: false,
  head: {},
  events: [
    "SessionStart",
    "UserPromptSubmit",
    "PreToolUse",
    "PreSkillShellCommand",
    "PostToolUse",
    "PostToolUseFailure",
    "Stop",
    "SubagentStop",
    "SessionEnd",
  ],
  failsClosed: true,
  entry(event, program, onFailure = "open") {
    const [command, ...args] = wordsFor(program, "claude-code", event);
    // At the other events it would hold back prompts, or nothing: the setting speaks of calls.
    const closed = onFailure === "closed" && GUARDS.has(event) ? { onFailure: "block" } : {};
    const handler = { type: "command", command, args, timeout: TIMEOUT_S, ...closed };
    return { ...(TOOL_EVENTS.has(event) && { matcher: "*" }), hooks: [handler] };
  },
};
