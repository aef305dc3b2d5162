import type { JsonRecord } from "../../../trace/formats/records.ts";
import type { HookHost } from "../event.ts";

/** A call that every guard should look at. It is only asked about: nothing runs it. */
export const TEST_COMMAND = "rm -rf ~/";

/** The event that each host sends before a shell command. */
export function testEvent(host: HookHost, session: string, cwd: string): JsonRecord {
  const command = { command: TEST_COMMAND };
  const id = `${session}-1`;
  if (host === "copilot")
    return { sessionId: session, timestamp: 0, cwd, toolName: "bash", toolArgs: command, toolCallId: id };
  if (host === "vscode") {
    const call = {
      tool_name: "run_in_terminal",
      tool_input: { ...command, explanation: "test" },
      tool_use_id: id,
    };
    return { hookEventName: "PreToolUse", sessionId: session, cwd, ...call };
  }
  const call = { tool_name: "Bash", tool_input: command, tool_use_id: id };
  const base = { session_id: session, cwd, hook_event_name: "PreToolUse", ...call };
  return host === "codex" ? { ...base, turn_id: "test" } : { ...base, prompt_id: "test" };
}

/** The name under which a host calls us before a tool runs. */
export function beforeCall(host: HookHost): string {
  return host === "copilot" ? "preToolUse" : "PreToolUse";
}
