import { START_OF_FILE, type Checked } from "../../model/diagnostic.ts";
import { endsWithCode, exitCodeIn } from "../../trace/formats/exit-code.ts";
import { hashText } from "../../trace/hash.ts";
import { asText, isRecord, type JsonRecord } from "../../trace/formats/records.ts";
import { canonicalCall } from "../../trace/formats/tools/tool-table.ts";
import type { ToolTable } from "../../trace/formats/tools/tool-shape.ts";
import type { HookEvent, HookEventKind, HookHost, HookResponse, HookTool } from "./event.ts";

const KINDS: Readonly<Record<string, HookEventKind>> = {
  sessionstart: "session-start",
  userpromptsubmit: "prompt",
  userpromptsubmitted: "prompt",
  pretooluse: "pre",
  preskillshellcommand: "pre",
  posttooluse: "post",
  posttoolusefailure: "post-failure",
  stop: "stop",
  agentstop: "stop",
  subagentstop: "subagent-stop",
  sessionend: "session-end",
};

/** `PreToolUse`, `preToolUse` and `pre_tool_use` are one event. */
export function kindOf(name: string): HookEventKind {
  const plain = name.toLowerCase().replaceAll(/[^a-z]/g, "");
  return Object.hasOwn(KINDS, plain) ? (KINDS[plain] ?? "other") : "other";
}

/** Characters of an id that are kept as they are. */
const MAX_ID = 300;

/** Tasks in the background that are looked at. */
const MAX_TASKS = 50;

/** An id of any length as one of at most 300 characters: two that differ stay apart by the hash of the whole. */
function shortId(id: string): string {
  if (id.length <= MAX_ID) return id;
  const hash = hashText(id);
  return `${id.slice(0, MAX_ID - hash.length - 1)}#${hash}`;
}

const SKILL_LINE = "PreSkillShellCommand";

/** The first of these keys that holds a text. */
export function textAt(raw: JsonRecord, ...keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const text = asText(raw[key]);
    if (text !== undefined) return text;
  }
  return undefined;
}

function idAt(raw: JsonRecord, ...keys: readonly string[]): string | undefined {
  const id = textAt(raw, ...keys);
  return id === undefined || id === "" ? undefined : shortId(id);
}

function wholeNumber(value: unknown): number | undefined {
  return typeof value === "number" && Number.isInteger(value) ? value : undefined;
}

/** Milliseconds since 1970, of a number or of an ISO date. */
function timeAt(raw: JsonRecord): number | undefined {
  const { timestamp } = raw;
  const at = typeof timestamp === "string" ? Date.parse(timestamp) : timestamp;
  return typeof at === "number" && Number.isFinite(at) ? at : undefined;
}

/** The texts of a program's own output, where they come apart from the host's words. */
function outputOf({ stdout, stderr }: JsonRecord): string | undefined {
  if (typeof stdout !== "string" && typeof stderr !== "string") return undefined;
  return [stdout, stderr].filter((text) => typeof text === "string" && text !== "").join("\n");
}

const TEXT_KEYS = [
  "textResultForLlm",
  "text_result_for_llm",
  "output",
  "content",
  "text",
  "error",
  "message",
] as const;

function wordsOf(value: unknown, record: JsonRecord | undefined): string {
  if (typeof value === "string") return value;
  const text = record === undefined ? undefined : textAt(record, ...TEXT_KEYS);
  return text ?? (value === null || value === undefined ? "" : JSON.stringify(value));
}

/**
 * The answer of a tool, whatever its form. `failed`: the event itself says so. `isCommand`: the host may have written the code with which
 * a command ended into the text; such a code says more than the host's word that its tool did its work.
 */
export function responseOf(
  value: unknown,
  { failed = false, isCommand }: { readonly failed?: boolean; readonly isCommand: boolean },
): HookResponse {
  const record = isRecord(value) ? value : undefined;
  const output = record === undefined ? undefined : outputOf(record);
  const task = record === undefined ? undefined : textAt(record, "backgroundTaskId");
  const said = output ?? wordsOf(value, record);
  // As Claude Code tells the agent.
  const text = task === undefined ? said : `Command running in background with ID: ${task}.\n${said}`;
  const inText = isCommand && output === undefined ? exitCodeIn(text) : undefined;
  const code = wholeNumber(record?.["exitCode"] ?? record?.["exit_code"] ?? record?.["code"]) ?? inText;
  const type = record?.["resultType"] ?? record?.["result_type"];
  const success = typeof record?.["success"] === "boolean" ? record["success"] : undefined;
  // Claude Code tells of a command that failed in an event of its own.
  const ended = typeof record?.["interrupted"] === "boolean" ? !record["interrupted"] : undefined;
  const byType = typeof type === "string" ? type === "success" : undefined;
  const byText = inText === undefined ? undefined : inText === 0;
  const byCode = code === undefined ? undefined : code === 0;
  const ok = failed ? false : (byText ?? success ?? byType ?? byCode ?? ended);
  return { text, ...(ok !== undefined && { ok }), ...(code !== undefined && { exitCode: code }) };
}

function refuse(host: HookHost, message: string): Checked<never> {
  const next = "Nothing is decided and nothing recorded; the agent goes on as without HASP.";
  return {
    value: undefined,
    diagnostics: [
      { code: "HASP581", severity: "warning", message: `${host}: ${message}`, next, range: START_OF_FILE },
    ],
  };
}

/** What an adapter says of its host's words; the keys are tried in their order. */
export interface Dialect {
  readonly host: HookHost;
  readonly tools: ToolTable;
  /** The event's name, where the event does not say it. */
  readonly infer?: (raw: JsonRecord) => string | undefined;
}

function toolOf(raw: JsonRecord): HookTool | undefined {
  const name = textAt(raw, "tool_name", "toolName");
  if (name === undefined) return undefined;
  return {
    name: shortId(name),
    input: raw["tool_input"] ?? raw["toolArgs"] ?? raw["tool_args"] ?? {},
  };
}

const agentOf = (raw: JsonRecord): string | undefined => idAt(raw, "agent_id", "agentId");

function sessionOf(raw: JsonRecord): string | undefined {
  const session = idAt(raw, "session_id", "sessionId");
  const agent = agentOf(raw);
  return session === undefined || agent === undefined ? session : shortId(`${session}~${agent}`);
}

function answered(raw: JsonRecord, kind: HookEventKind, isCommand: boolean): { response?: HookResponse } {
  if (kind === "post-failure") {
    const value = raw["error"] ?? raw["tool_response"] ?? "";
    return { response: responseOf(value, { failed: true, isCommand }) };
  }
  if (kind !== "post") return {};
  return {
    response: responseOf(raw["tool_response"] ?? raw["toolResult"] ?? raw["tool_result"], { isCommand }),
  };
}

/** Sources of a prompt that are a person's word. */
const PERSONS: ReadonlySet<unknown> = new Set(["user", "sdk"]);

/**
 * Who wrote a prompt, where that is no person: a wake-up, a poll, a message of another agent. A prompt within a subagent is the main
 * agent's. A host that is too old to name a source has persons alone.
 */
function authorOf(raw: JsonRecord): string | undefined {
  if (agentOf(raw) !== undefined) return "agent";
  const { source = "user" } = raw;
  if (PERSONS.has(source)) return undefined;
  return typeof source === "string" ? source.slice(0, 60) : "unknown";
}

function texts(raw: JsonRecord): Pick<HookEvent, "prompt" | "said" | "reason" | "toolUseId" | "at"> {
  const prompt = textAt(raw, "prompt", "initialPrompt");
  const said = textAt(raw, "last_assistant_message", "lastAssistantMessage", "response");
  const reason = textAt(raw, "reason", "stopReason", "stop_reason", "source");
  const toolUseId = idAt(raw, "tool_use_id", "toolUseId", "toolCallId");
  const at = timeAt(raw);
  return {
    ...(prompt !== undefined && { prompt }),
    ...(said !== undefined && { said }),
    ...(reason !== undefined && { reason }),
    ...(toolUseId !== undefined && { toolUseId }),
    ...(at !== undefined && { at }),
  };
}

/** Tasks that still run in the background, as a stop tells of them. */
function tasksOf(raw: JsonRecord): { readonly running?: readonly string[] } {
  const tasks = raw["background_tasks"];
  if (!Array.isArray(tasks)) return {};
  const running = tasks
    .filter(isRecord)
    .filter(({ status }) => status === undefined || status === "running" || status === "pending");
  return { running: running.slice(0, MAX_TASKS).flatMap((task) => idAt(task, "id", "task_id") ?? []) };
}

/** Modes in which a host turns a question into an error: nothing runs, and the agent reads no reason to go on. */
const NO_QUESTIONS: ReadonlySet<string> = new Set(["dontAsk", "bypassPermissions"]);

/** Reads an event in the words that the four hosts share, in both spellings of each. */
export function readEvent(
  raw: JsonRecord,
  { host, tools, infer }: Dialect,
  named?: string,
): Checked<HookEvent> {
  const name = textAt(raw, "hook_event_name", "hookEventName") ?? named ?? infer?.(raw);
  const sessionId = sessionOf(raw);
  if (name === undefined) return refuse(host, "the event does not say what it is.");
  if (sessionId === undefined) return refuse(host, `${name.slice(0, 60)} names no session.`);
  const kind = kindOf(name);
  const tool = toolOf(raw);
  if (tool === undefined && (kind === "pre" || kind === "post" || kind === "post-failure"))
    return refuse(host, `${name.slice(0, 60)} names no tool.`);
  // Without its agent's name nobody can say whose stop it is.
  const whose = kind === "subagent-stop" && agentOf(raw) === undefined ? "other" : kind;
  const author = kind === "prompt" ? authorOf(raw) : undefined;
  const value: HookEvent = {
    host,
    kind: whose,
    name,
    sessionId,
    cwd: textAt(raw, "cwd", "workingDirectory"),
    ...(tool !== undefined && { tool }),
    ...texts(raw),
    ...(author !== undefined && { author }),
    ...(name === SKILL_LINE && { isSkillLine: true as const }),
    ...tasksOf(raw),
    ...answered(
      raw,
      kind,
      tool !== undefined && endsWithCode(canonicalCall(tools, tool.name, tool.input).type),
    ),
    unattended: NO_QUESTIONS.has(textAt(raw, "permission_mode", "permissionMode") ?? ""),
    stopHookActive: raw["stop_hook_active"] === true || raw["stopHookActive"] === true,
  };
  return { value, diagnostics: [] };
}
