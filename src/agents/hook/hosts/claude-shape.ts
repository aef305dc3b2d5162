import type { JsonRecord } from "../../../trace/formats/records.ts";
import type { HookEvent } from "../event.ts";
import type { HookVerdict } from "../verdict.ts";

/** The texts as one, or nothing where there is none. */
export function contextOf({ injects }: HookVerdict): { additionalContext?: string } {
  return injects.length === 0 ? {} : { additionalContext: injects.join("\n\n") };
}

/** `hookSpecificOutput` with the event's own name, unless there is nothing to say. */
export function specific({ name }: Pick<HookEvent, "name">, value: JsonRecord): JsonRecord {
  return Object.keys(value).length === 0 ? {} : { hookSpecificOutput: { hookEventName: name, ...value } };
}

/** The decision on a call, as Claude Code and VS Code take it. */
export function permissionOf(verdict: HookVerdict, rewrite: "ask" | "allow"): JsonRecord {
  if (verdict.kind === "refuse")
    return { permissionDecision: "deny", permissionDecisionReason: verdict.text ?? "" };
  if (verdict.kind !== "change") return {};
  return {
    permissionDecision: rewrite,
    permissionDecisionReason: verdict.reason,
    updatedInput: verdict.input,
  };
}
