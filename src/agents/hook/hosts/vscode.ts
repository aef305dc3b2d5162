import { VSCODE_TOOLS } from "../../../trace/formats/tools/vscode.ts";
import { toolsOf } from "../adapter.ts";
import type { HostAdapter } from "../host.ts";
import { readEvent } from "../raw-event.ts";
import { inClaudeShape, specific } from "./claude-shape.ts";

const MAY_INJECT: ReadonlySet<string> = new Set(["pre", "post", "session-start"]);

/**
 * VS Code's Local sessions (HOOKS.md). It drops, without a word, an output whose `hookEventName` is not the event's and an `updatedInput`
 * that fails the tool's schema.
 */
export const vscode: HostAdapter = {
  name: "vscode",
  recognises: (raw) => typeof raw["hookEventName"] === "string",
  read: (raw, named) => readEvent(raw, { host: "vscode", tools: VSCODE_TOOLS }, named),
  ...toolsOf(VSCODE_TOOLS),
  ...inClaudeShape({
    mayInject: MAY_INJECT,
    held: (event, value) => (event.kind === "stop" ? specific(event, value) : value),
  }),
};
