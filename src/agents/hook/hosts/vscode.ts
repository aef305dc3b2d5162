import { VSCODE_TOOLS } from "../../../trace/formats/tools/vscode.ts";
import { toolsOf } from "../adapter.ts";
import type { HostAdapter } from "../host.ts";
import { readEvent } from "../raw-event.ts";
import { contextOf, permissionOf, specific } from "./claude-shape.ts";

const MAY_INJECT: ReadonlySet<string> = new Set(["pre", "post", "session-start"]);

/**
 * VS Code's Local sessions (HOOKS.md). It drops, without a word, an output whose `hookEventName` is not the event's and an `updatedInput`
 * that fails the tool's schema.
 */
export const vscode: HostAdapter = {
  name: "vscode",
  recognises: (raw) => typeof raw["hookEventName"] === "string",
  read: (raw, named) => readEvent(raw, { host: "vscode" }, named),
  ...toolsOf(VSCODE_TOOLS),
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
    if (verdict.kind === "hold") {
      const held = { decision: "block", reason: verdict.text ?? "" };
      return { ...(event.kind === "stop" ? specific(event, held) : held), ...told };
    }
    const decided = event.kind === "pre" ? permissionOf(verdict, rewrite) : {};
    return { ...specific(event, { ...decided, ...contextOf(verdict) }), ...told };
  },
};
