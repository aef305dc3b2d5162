import type { ToolResult } from "../../../model/coding-context.ts";
import { pathInFolder } from "../../tool-path.ts";
import { contentOf } from "../chat-messages.ts";
import { joined, resultOf } from "../coding-turns.ts";
import { exitCodeOf } from "../counts.ts";
import { asList, asName, asRecord, asText, compact, isRecord, type JsonRecord } from "../records.ts";

/** Something that ran, as Codex tells it beside the conversation: with what it was called, and how it ended. */
export interface Ran {
  readonly id: string | undefined;
  readonly name: string;
  readonly args: unknown;
  readonly printed: string | undefined;
  readonly result: ToolResult | undefined;
  /** Threads of agents that it started. */
  readonly agents?: readonly string[];
  /** Milliseconds since 1970. */
  readonly startedAt?: number | undefined;
  /** A person ran it. */
  readonly isPersons?: boolean;
}

type Told = Omit<Ran, "id" | "startedAt">;

const READERS: Readonly<Record<string, (item: JsonRecord, cwd: string | undefined) => Told>> = {
  CommandExecution: ofCommand,
  FileChange: ofFiles,
  McpToolCall: ofServer,
  DynamicToolCall: ofClient,
  WebSearch: (item) => plain("web_search", { query: item["query"] }, item, textOfJson(item["results"])),
  ImageView: (item) => plain("view_image", { path: pathOf(item["path"]) }, item, undefined),
  ImageGeneration: (item) =>
    plain("image_generation", { prompt: item["revised_prompt"] }, item, asText(item["saved_path"])),
  Sleep: (item) => plain("sleep", { duration_ms: item["duration_ms"] }, item, undefined),
  CollabAgentToolCall: ofAgents,
  SubAgentActivity: ofActivity,
};

/** Items of this kind tell of something that ran. */
export const tellsRan = (kind: string): boolean => Object.hasOwn(READERS, kind);

/** What an item says of something that ran; undefined for items of other kinds. */
export function ranOf(item: JsonRecord, cwd: string | undefined): Ran | undefined {
  const kind = asName(item["type"]);
  const read = tellsRan(kind) ? READERS[kind] : undefined;
  return read && { id: asText(item["id"]), ...read(item, cwd) };
}

const okOf = ({ status, success }: JsonRecord): boolean | undefined => {
  if (typeof success === "boolean") return success;
  if (status === "completed") return true;
  return status === "failed" || status === "declined" ? false : undefined;
};

function plain(name: string, args: JsonRecord, item: JsonRecord, printed: string | undefined): Told {
  return { name, args: compact(args) ?? {}, printed, result: resultOf(undefined, okOf(item)) };
}

/** A path that may be written as an address. */
function pathOf(value: unknown): string | undefined {
  const text = asText(value);
  if (text === undefined || !text.startsWith("file://")) return text;
  try {
    return decodeURIComponent(text.slice("file://".length)).replace(/^\/(?=[A-Za-z]:)/, "");
  } catch {
    return text;
  }
}

function ofCommand(item: JsonRecord, cwd: string | undefined): Told {
  const folder = pathOf(item["cwd"]);
  const workdir = folder === undefined || folder === cwd ? undefined : folder;
  const printed =
    asText(item["aggregated_output"]) ??
    asText(item["formatted_output"]) ??
    joined(asText(item["stdout"]), asText(item["stderr"]));
  const isTyped = item["source"] === "unified_exec_interaction";
  const given = isTyped
    ? { name: "write_stdin", args: { chars: asText(item["interaction_input"]) ?? "" } }
    : { name: "shell", args: compact({ command: item["command"], workdir }) ?? {} };
  const code = exitCodeOf(item["exit_code"]);
  const result = resultOf(code, code === undefined ? okOf(item) : undefined);
  return { ...given, printed, result, isPersons: item["source"] === "user_shell" };
}

const HUNK = /^@@ .*?@@/;

/** The lines of a patch that makes one change. */
function linesOf(path: string, value: unknown): readonly string[] {
  const change = asRecord(value);
  const kind = asName(change["type"]) || asName(change["kind"]);
  const content = asText(change["content"]) ?? "";
  if (kind === "add") return [`*** Add File: ${path}`, ...textLines(content).map((line) => `+${line}`)];
  if (kind === "delete") return [`*** Delete File: ${path}`];
  const moved = pathOf(change["move_path"]);
  const hunks = textLines(asText(change["unified_diff"]) ?? "").filter(
    (line) => !/^(?:---|\+\+\+) /.test(line),
  );
  return [
    `*** Update File: ${path}`,
    ...(moved === undefined ? [] : [`*** Move to: ${moved}`]),
    ...hunks.map((line) => line.replace(HUNK, "@@")),
  ];
}

const textLines = (text: string): string[] => (text === "" ? [] : text.replace(/\n$/, "").split("\n"));

/** Changes of files as the patch that makes them. */
export function patchOf(changes: unknown, cwd: string | undefined): string {
  const listed: readonly (readonly [string, unknown])[] = isRecord(changes)
    ? Object.entries(changes)
    : asList(changes).map((change) => [asName(asRecord(change)["path"]), change] as const);
  const lines = listed.flatMap(([path, change]) => linesOf(pathInFolder(pathOf(path) ?? "", cwd), change));
  return ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");
}

function ofFiles(item: JsonRecord, cwd: string | undefined): Told {
  const printed = joined(asText(item["stdout"]), asText(item["stderr"]));
  return { ...plain("apply_patch", {}, item, printed), args: patchOf(item["changes"], cwd) };
}

function ofServer(item: JsonRecord): Told {
  const name = `mcp__${asName(item["server"])}__${asName(item["tool"])}`;
  const result = asRecord(item["result"]);
  const error = asText(asRecord(item["error"])["message"]) ?? asText(item["error"]);
  const said = contentOf(result["content"]).text;
  const structured = result["structuredContent"] ?? result["structured_content"];
  const printed = joined(said === "" ? textOfJson(structured) : said, error);
  const isError = result["isError"] === true || result["is_error"] === true || error !== undefined;
  const ok = isError ? false : okOf(item);
  return { name, args: item["arguments"] ?? {}, printed, result: resultOf(undefined, ok) };
}

function ofClient(item: JsonRecord): Told {
  const group = asText(item["namespace"]);
  const name = [group, asName(item["tool"])].filter((part) => part !== undefined).join("__");
  const printed = joined(contentOf(item["content_items"]).text, asText(item["error"]));
  return { ...plain(name, {}, item, printed), args: item["arguments"] ?? {} };
}

const texts = (value: unknown): readonly string[] => asList(value).filter((one) => typeof one === "string");

function ofAgents(item: JsonRecord): Told {
  const tool = asName(item["tool"]).replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const threads = texts(item["receiver_thread_ids"]);
  const isStart = tool === "spawn_agent";
  const args = { message: item["prompt"], ...(isStart || threads.length === 0 ? {} : { targets: threads }) };
  const told = plain(tool, args, item, textOfJson(item["agents_states"]));
  return isStart && threads.length > 0 ? { ...told, agents: threads } : told;
}

const ACTIVITIES: Readonly<Record<string, string>> = {
  started: "spawn_agent",
  interacted: "send_message",
  interrupted: "interrupt_agent",
};

/** Whether an item is an activity of another agent that no call of this agent caused. */
export const isActivityAlone = (item: JsonRecord): boolean =>
  item["type"] === "SubAgentActivity" && !Object.hasOwn(ACTIVITIES, asName(item["kind"]));

function ofActivity(item: JsonRecord): Told {
  const kind = asName(item["kind"]);
  const thread = asText(item["agent_thread_id"]);
  const name = Object.hasOwn(ACTIVITIES, kind) ? (ACTIVITIES[kind] ?? kind) : kind;
  const told = { name, args: compact({ agent_path: item["agent_path"] }) ?? {}, printed: undefined };
  const agents = kind === "started" && thread !== undefined ? { agents: [thread] } : {};
  return { ...told, result: undefined, ...agents };
}

/** JSON as text; nothing for what is absent or empty. */
function textOfJson(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  const isEmpty = typeof value === "object" && Object.keys(value).length === 0;
  return isEmpty ? undefined : typeof value === "string" ? value : JSON.stringify(value);
}
