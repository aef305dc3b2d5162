import { CLAUDE_CODE_TOOLS } from "../../../trace/formats/tools/claude-code.ts";
import { toolsOf } from "../adapter.ts";
import type { HostAdapter } from "../host.ts";
import { readEvent } from "../raw-event.ts";
import { inClaudeShape } from "./claude-shape.ts";

const MAY_INJECT: ReadonlySet<string> = new Set(["pre", "post", "post-failure", "prompt", "session-start"]);

/** Claude Code (HOOKS.md). `allow` on a changed input would also skip the person's own prompt, so `ask` is the default. */
export const claudeCode: HostAdapter = {
  name: "claude-code",
  recognises: (raw) => typeof raw["hook_event_name"] === "string" && typeof raw["prompt_id"] === "string",
  read: (raw, named) => readEvent(raw, { host: "claude-code", tools: CLAUDE_CODE_TOOLS }, named),
  ...toolsOf(CLAUDE_CODE_TOOLS),
  ...inClaudeShape({ mayInject: MAY_INJECT }),
};
