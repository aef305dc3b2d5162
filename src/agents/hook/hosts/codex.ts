import { CODEX_TOOLS } from "../../../trace/formats/tools/codex.ts";
import { toolsOf } from "../adapter.ts";
import type { HostAdapter } from "../host.ts";
import { readEvent } from "../raw-event.ts";
import { contextOf, specific } from "./claude-shape.ts";

const MAY_INJECT: ReadonlySet<string> = new Set(["pre", "post", "prompt", "session-start"]);

/** Codex (HOOKS.md). It takes a changed input with `allow` only, and rejects an output with a field that it does not know. */
export const codex: HostAdapter = {
  name: "codex",
  recognises: (raw) => typeof raw["turn_id"] === "string",
  read: (raw, named) => readEvent(raw, { host: "codex", tools: CODEX_TOOLS }, named),
  ...toolsOf(CODEX_TOOLS),
  abilities: (kind) => ({
    change: kind === "pre",
    refuse: kind === "pre",
    hold: kind === "stop" || kind === "subagent-stop",
    inject: MAY_INJECT.has(kind),
    tell: false,
  }),
  asks: false,
  textLimit: 10_000,
  answer(event, verdict) {
    if (event.kind === "session-end" || event.kind === "other") return undefined;
    if (verdict.kind === "hold") return { decision: "block", reason: verdict.text ?? "" };
    const context = contextOf(verdict);
    if (verdict.kind === "refuse") {
      const denied = { permissionDecision: "deny", permissionDecisionReason: verdict.text ?? "" };
      return specific(event, { ...denied, ...context });
    }
    if (verdict.kind === "change")
      return specific(event, { permissionDecision: "allow", updatedInput: verdict.input, ...context });
    return specific(event, context);
  },
};
