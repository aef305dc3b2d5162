import { CLAUDE_CODE_TOOLS } from "../../../trace/formats/tools/claude-code.ts";
import { toolsOf } from "../adapter.ts";
import type { HostAdapter } from "../host.ts";
import { readEvent } from "../raw-event.ts";
import { contextOf, permissionOf, specific } from "./claude-shape.ts";

const MAY_INJECT: ReadonlySet<string> = new Set(["pre", "post", "post-failure", "prompt", "session-start"]);

/** Claude Code (HOOKS.md). `allow` on a changed input would also skip the person's own prompt, so `ask` is the default. */
export const claudeCode: HostAdapter = {
  name: "claude-code",
  recognises: (raw) => typeof raw["hook_event_name"] === "string" && typeof raw["prompt_id"] === "string",
  read: (raw, named) => readEvent(raw, { host: "claude-code" }, named),
  ...toolsOf(CLAUDE_CODE_TOOLS),
  abilities: (kind) => ({
    change: kind === "pre",
    refuse: kind === "pre",
    hold: kind === "stop" || kind === "subagent-stop",
    inject: MAY_INJECT.has(kind),
    tell: kind !== "session-end" && kind !== "other",
  }),
  textLimit: 10_000,
  answer(event, verdict, { rewrite }) {
    if (event.kind === "session-end" || event.kind === "other") return undefined;
    const told = verdict.tell === undefined ? {} : { systemMessage: verdict.tell };
    if (verdict.kind === "hold") return { decision: "block", reason: verdict.text ?? "", ...told };
    const decided = event.kind === "pre" ? permissionOf(verdict, rewrite) : {};
    return { ...specific(event, { ...decided, ...contextOf(verdict) }), ...told };
  },
};
