import type { JsonRecord } from "../../../trace/formats/records.ts";
import { COPILOT_TOOLS } from "../../../trace/formats/tools/copilot.ts";
import { toolsOf } from "../adapter.ts";
import type { HostAdapter } from "../host.ts";
import { readEvent } from "../raw-event.ts";
import { contextOf } from "./claude-shape.ts";

const MAY_INJECT: ReadonlySet<string> = new Set(["post", "post-failure", "prompt", "session-start"]);

/** An event in camelCase does not say its name: what it holds does. */
function inferName(raw: JsonRecord): string | undefined {
  if ("toolResult" in raw || "tool_result" in raw) return "postToolUse";
  if ("toolName" in raw && "error" in raw) return "postToolUseFailure";
  if ("toolName" in raw || "toolArgs" in raw) return "preToolUse";
  if ("stop_hook_active" in raw || "stopReason" in raw) return "agentStop";
  if ("source" in raw || "initialPrompt" in raw) return "sessionStart";
  if ("prompt" in raw) return "userPromptSubmitted";
  if ("reason" in raw) return "sessionEnd";
  return undefined;
}

/**
 * Copilot CLI, VS Code's Copilot sessions and the cloud agent (HOOKS.md): flat fields. Where a person is to be asked about a changed
 * call, no decision is given: the host's own permission flow goes on, and `ask` would mean deny in the cloud.
 */
export const copilot: HostAdapter = {
  name: "copilot",
  recognises: (raw) => "toolName" in raw || "toolArgs" in raw,
  read: (raw, named) => readEvent(raw, { host: "copilot", tools: COPILOT_TOOLS, infer: inferName }, named),
  ...toolsOf(COPILOT_TOOLS),
  abilities: (kind) => ({
    change: kind === "pre",
    refuse: kind === "pre",
    hold: kind === "stop" || kind === "subagent-stop",
    inject: MAY_INJECT.has(kind),
    tell: false,
  }),
  asks: false,
  textLimit: 10_000,
  answer(event, verdict, { rewrite }) {
    if (event.kind === "session-end" || event.kind === "other") return undefined;
    if (verdict.kind === "hold") return { decision: "block", reason: verdict.text ?? "" };
    if (verdict.kind === "refuse")
      return { permissionDecision: "deny", permissionDecisionReason: verdict.text ?? "" };
    if (verdict.kind === "change") {
      const allowed = { permissionDecision: "allow", permissionDecisionReason: verdict.reason };
      return { ...(rewrite === "allow" && allowed), modifiedArgs: verdict.input };
    }
    return contextOf(verdict);
  },
};
