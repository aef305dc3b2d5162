import type { JsonRecord } from "../../../trace/formats/records.ts";
import type { HookEvent, HookEventKind } from "../event.ts";
import type { HostAdapter } from "../host.ts";
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
function permissionOf(verdict: HookVerdict, rewrite: "ask" | "allow"): JsonRecord {
  if (verdict.kind === "refuse")
    return { permissionDecision: "deny", permissionDecisionReason: verdict.text ?? "" };
  if (verdict.kind !== "change") return {};
  return {
    permissionDecision: rewrite,
    permissionDecisionReason: verdict.reason,
    updatedInput: verdict.input,
  };
}

/** Nobody reads an answer to these. */
const isUnheard = (kind: HookEventKind): boolean => kind === "session-end" || kind === "other";

/** Where Claude Code and VS Code differ. */
interface Dialect {
  /** Events at which the agent can be given a text. */
  readonly mayInject: ReadonlySet<string>;
  /** How a stop is held, where it is not by the fields as they are. */
  readonly held?: (event: HookEvent, value: JsonRecord) => JsonRecord;
}

/** What Claude Code and VS Code, which took over its shape, let a hook do, and how they are answered (HOOKS.md). */
export function inClaudeShape({
  mayInject,
  held = (_event, value) => value,
}: Dialect): Pick<HostAdapter, "abilities" | "asks" | "textLimit" | "answer"> {
  return {
    abilities: (kind) => ({
      change: kind === "pre",
      refuse: kind === "pre",
      hold: kind === "stop" || kind === "subagent-stop",
      inject: mayInject.has(kind),
      tell: !isUnheard(kind),
    }),
    asks: true,
    textLimit: 10_000,
    answer(event, verdict, { rewrite }) {
      if (isUnheard(event.kind)) return undefined;
      const told = verdict.tell === undefined ? {} : { systemMessage: verdict.tell };
      if (verdict.kind === "hold")
        return { ...held(event, { decision: "block", reason: verdict.text ?? "" }), ...told };
      const decided = event.kind === "pre" ? permissionOf(verdict, rewrite) : {};
      return { ...specific(event, { ...decided, ...contextOf(verdict) }), ...told };
    },
  };
}
