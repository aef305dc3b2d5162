import { CODING_FINAL, CODING_TOOLS } from "../../model/coding-tools.ts";
import { parseJson } from "../../model/read-json.ts";
import { isRecord, type JsonRecord } from "../../trace/formats/records.ts";
import { argOfInput } from "../../trace/canonical-input.ts";
import { CLAUDE_CODE_TOOLS } from "../../trace/formats/tools/claude-code.ts";
import { CODEX_TOOLS } from "../../trace/formats/tools/codex.ts";
import { COPILOT_TOOLS } from "../../trace/formats/tools/copilot.ts";
import type { ToolTable } from "../../trace/formats/tools/tool-shape.ts";
import { VSCODE_TOOLS } from "../../trace/formats/tools/vscode.ts";
import type { Action } from "../../model/action.ts";
import { HOOK_HOSTS, type HookEvent, type HookHost } from "./event.ts";
import { adapterFor, adapterOf } from "./hosts/hosts.ts";

// What a person writes to be told about (`hasp hook explain`): an event of a host, a call in anybody's words, or a bare command.

function recordIn(text: string): JsonRecord | undefined {
  const value = parseJson(text);
  return isRecord(value) ? value : undefined;
}

const textOf = (raw: JsonRecord, ...keys: readonly string[]): string | undefined =>
  keys.map((key) => raw[key]).find((value) => typeof value === "string");

function isEvent(raw: JsonRecord): boolean {
  return ["hook_event_name", "hookEventName", "toolName", "tool_use_id"].some((key) => key in raw);
}

function eventIn(raw: JsonRecord, host: HookHost): Action | undefined {
  const adapter = adapterFor(host, raw);
  const named = "toolName" in raw || "tool_name" in raw ? "PreToolUse" : "Stop";
  const { value: event } = adapter.read({ session_id: "explained", ...raw }, named);
  return event === undefined ? undefined : actionOf(event);
}

function actionOf({ kind, tool, said = "", cwd, host }: HookEvent): Action | undefined {
  if (kind === "stop" || kind === "subagent-stop") return { type: CODING_FINAL, arg: said };
  if (tool === undefined) return undefined;
  const { type, input } = adapterOf(host).canonical(tool, cwd);
  return { type, arg: argOfInput(type, input) };
}

function callIn(raw: JsonRecord, host: HookHost, cwd: string): Action | undefined {
  const name = textOf(raw, "type", "tool_name", "name", "tool");
  if (name === undefined) return undefined;
  if (typeof raw["arg"] === "string") return { type: name, arg: raw["arg"] };
  const input = raw["input"] ?? raw["tool_input"] ?? raw["arguments"] ?? raw["args"] ?? {};
  const { type, input: canonical } = adapterOf(host).canonical({ name, input }, cwd);
  return { type, arg: argOfInput(type, canonical) };
}

/**
 * The action that a text means; undefined where it means none. `host`: whose words a call is in, where it does not say so itself. Text that
 * is no JSON is a shell command.
 */
export function imaginedAction(text: string, host: HookHost, cwd: string): Action | undefined {
  const raw = recordIn(text);
  if (raw !== undefined) return isEvent(raw) ? eventIn(raw, host) : callIn(raw, host, cwd);
  const command = text.trim();
  if (command === "" || command.startsWith("{")) return undefined;
  return { type: CODING_TOOLS.Bash, arg: argOfInput(CODING_TOOLS.Bash, { command }) };
}

const TABLES: Readonly<Record<HookHost, ToolTable>> = {
  "claude-code": CLAUDE_CODE_TOOLS,
  vscode: VSCODE_TOOLS,
  copilot: COPILOT_TOOLS,
  codex: CODEX_TOOLS,
};

/** The host's tool for a canonical one, and its input; undefined where it has none that can say it. */
function callOf(
  host: HookHost,
  { type, arg }: Action,
  cwd: string,
): { name: string; input: unknown } | undefined {
  const found = Object.entries(TABLES[host].tools).find(([, { tool }]) => tool === type);
  const [name, shape] = found ?? [type, undefined];
  const required = Object.entries(shape?.keys ?? {}).filter(
    ([, key]) => key.required === true && key.type === "string",
  );
  const empty = Object.fromEntries(required.map(([key]) => [key, ""]));
  const input = adapterOf(host).hostInput({ name, input: empty }, recordIn(arg) ?? {}, cwd);
  return input === undefined ? undefined : { name, input };
}

const ID = "explained";

function eventOf(host: HookHost, action: Action, cwd: string): JsonRecord | undefined {
  const isCopilot = host === "copilot";
  const base = isCopilot || host === "vscode" ? { sessionId: ID, cwd } : { session_id: ID, cwd };
  const named = (name: string): JsonRecord => ({
    [host === "vscode" ? "hookEventName" : "hook_event_name"]: name,
  });
  if (action.type === CODING_FINAL) {
    const said = { last_assistant_message: action.arg, stop_hook_active: false };
    return { ...base, ...(isCopilot ? { stopReason: "end_turn" } : named("Stop")), ...said };
  }
  const call = callOf(host, action, cwd);
  if (call === undefined) return undefined;
  const { name, input } = call;
  if (isCopilot) return { ...base, toolName: name, toolArgs: input };
  return { ...base, ...named("PreToolUse"), tool_name: name, tool_input: input };
}

/** The action as an event of each host that has a tool for it. */
export function eventsFor(action: Action, cwd: string): ReadonlyMap<HookHost, JsonRecord> {
  const events = HOOK_HOSTS.map((host) => [host, eventOf(host, action, cwd)] as const);
  return new Map(events.flatMap(([host, event]) => (event === undefined ? [] : [[host, event] as const])));
}
