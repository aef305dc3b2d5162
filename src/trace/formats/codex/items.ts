import { contentOf } from "../chat-messages.ts";
import { codexOutput } from "../codex-output.ts";
import { joined } from "../coding-turns.ts";
import { type FormatProblem, warning } from "../format-reader.ts";
import { asList, asName, asRecord, asText, compact, type JsonRecord, recordsOf } from "../records.ts";
import { resultMessage, toolsText } from "../talk.ts";
import {
  addCall,
  addPersonsWords,
  addWords,
  type Call,
  closeResponse,
  newCall,
  responseOf,
  type Rollout,
} from "./rollout.ts";

/** One item of the conversation with the model, and its place. */
export interface ItemRow {
  readonly item: JsonRecord;
  readonly timestamp: string | undefined;
  readonly line: number;
}

/** What Codex itself says in the user's place. */
const PROGRAM_WORDS =
  /^\s*(?:<(?:environment_context|user_instructions|permissions|turn_aborted|user_shell_command|subagent_notification|hook_prompt|skill|skills_instructions|multi_agent_mode|model_switch|collaboration_mode|goal_context)\b|# AGENTS\.md instructions)/;

/** The tag around an attached image; the image stands between its parts. */
const IMAGE_TAG = /^<\/?image\b[^>]*>$/;

/** Parts of the conversation that are no words, calls or results. */
const KNOWN: ReadonlyMap<string, string> = new Map([
  ["compaction", "a summary that only the service can read"],
  ["compaction_summary", "a summary that only the service can read"],
  ["context_compaction", "a summary that only the service can read"],
  ["compaction_trigger", "it asks for a summary"],
  ["configuration_update", "it tells of the model's settings"],
  ["ghost_snapshot", "it names a commit of the working tree"],
]);

/** An item that stands in its line without an envelope. */
export function isBareItem(value: JsonRecord): boolean {
  const type = asName(value["type"]);
  return type === "message" || type === "reasoning" || KNOWN.has(type) || /_(?:call|output)$/.test(type);
}

/** Reads one item. Answers with what a person should know of it. */
export function readItem(rollout: Rollout, row: ItemRow): FormatProblem | undefined {
  const { item } = row;
  const { ledger } = rollout;
  const type = asName(item["type"]);
  const call = callOf(item, row.timestamp);
  if (call !== undefined) addModelCall(rollout, row, call);
  else if (type === "message") readMessage(rollout, row);
  else if (type === "agent_message") readAgentWords(rollout, item, "items agent_message");
  else if (type === "reasoning") readReasoning(rollout, row);
  else if (OUTPUTS.has(type)) return readOutput(rollout, row, type);
  else if (type === "additional_tools") {
    ledger.mapped("items additional_tools", "prompts");
    rollout.talk.offer(toolsText(toolsIn(item["tools"])));
  } else if (KNOWN.has(type)) ledger.dropped(`items ${type}`, KNOWN.get(type) ?? "");
  else ledger.unknown(`items ${type}`);
  return undefined;
}

/** Tools stand in groups. */
export function toolsIn(value: unknown): readonly unknown[] {
  return recordsOf(value).flatMap((tool): readonly unknown[] =>
    tool["type"] === "namespace" ? asList(tool["tools"]) : [tool],
  );
}

function addModelCall(rollout: Rollout, row: ItemRow, call: Call): void {
  rollout.ledger.mapped(`items ${asName(row.item["type"])}`, "actions");
  addCall(rollout, responseOf(rollout, row.timestamp), call);
  if (isScript(call)) rollout.scripts.push(call);
}

/** The tool whose input is code that calls the others. */
export const isScript = ({ name, args }: Call): boolean => name === "exec" && typeof args === "string";

const GROUP_OF_SERVER = /^mcp__/;

/** Tools of an MCP server are named after it. */
function toolName({ name, namespace }: JsonRecord): string {
  const own = asText(name) ?? "";
  const group = asText(namespace) ?? "";
  return GROUP_OF_SERVER.test(group) ? `${group.replace(/_+$/, "")}__${own}` : own;
}

function callOf(item: JsonRecord, timestamp: string | undefined): Call | undefined {
  const id = asText(item["call_id"]) ?? asText(item["id"]);
  const given = timestamp === undefined ? Number.NaN : Date.parse(timestamp);
  const at = Number.isNaN(given) ? undefined : given;
  const make = (name: string, args: unknown): Call => newCall({ id, name, args, at });
  const action = asRecord(item["action"]);
  switch (item["type"]) {
    case "function_call":
      return make(toolName(item), item["arguments"]);
    case "custom_tool_call":
      return make(toolName(item), item["input"]);
    case "local_shell_call": {
      const { type: _, ...input } = action;
      return make("local_shell", input);
    }
    case "tool_search_call":
      return make("tool_search", item["arguments"]);
    case "web_search_call":
      return served(make(...searchOf(action)), item);
    case "image_generation_call":
      return served(make("image_generation", compact({ prompt: item["revised_prompt"] }) ?? {}), item);
    default:
      return undefined;
  }
}

/** A search, or a page that was opened or looked through. */
function searchOf(action: JsonRecord): [name: string, args: JsonRecord] {
  const queries = asList(action["queries"]).filter((query) => typeof query === "string");
  const query = asText(action["query"]) ?? (queries.length > 0 ? queries.join("\n") : undefined);
  if (query !== undefined || action["type"] === undefined || action["type"] === "search")
    return ["web_search", compact({ query }) ?? {}];
  const { type, ...rest } = action;
  return [asName(type), compact(rest) ?? {}];
}

function served(call: Call, { status }: JsonRecord): Call {
  const ok = status === "completed" ? true : status === "failed" ? false : undefined;
  return { ...call, isOver: true, ...(ok === undefined ? {} : { result: { ok } }) };
}

function readReasoning(rollout: Rollout, { item, timestamp }: ItemRow): void {
  const text = joined(contentOf(item["summary"]).text, contentOf(item["content"]).text);
  rollout.ledger.mapped("items reasoning", "thoughts");
  if (text !== "") responseOf(rollout, timestamp).reasoning.push(text);
}

const OUTPUTS = new Set([
  "function_call_output",
  "custom_tool_call_output",
  "local_shell_call_output",
  "tool_search_output",
]);
const RUNS_ON = /^Script running with cell ID (\S{1,40})/;

function readOutput(rollout: Rollout, { item, line }: ItemRow, type: string): FormatProblem | undefined {
  const { text, result } = codexOutput(type === "tool_search_output" ? listed(item) : item["output"]);
  const id = asText(item["call_id"]);
  const call = id === undefined ? undefined : rollout.calls.get(id);
  closeResponse(rollout);
  rollout.talk.say("user", resultMessage(text));
  if (call === undefined) {
    rollout.ledger.kept(`items ${type} without their call`, "text that the agent read");
    addWords(rollout, text, false);
    const message = `the result of the call ${JSON.stringify((id ?? "").slice(0, 60))} stands here, and the call is missing; its text is kept.`;
    return warning(line, message, "Check whether the beginning of the session is missing.");
  }
  rollout.ledger.mapped(`items ${type}`, "observations and results");
  call.outputs.push(text);
  call.result ??= isScript(call) ? scriptResult(text) : result;
  const cell = RUNS_ON.exec(text)?.[1];
  if (cell !== undefined && isScript(call)) rollout.cells.set(cell, call);
  return undefined;
}

const listed = (item: JsonRecord): string => JSON.stringify(item["tools"] ?? item["output"] ?? "");

function scriptResult(text: string): Call["result"] {
  if (text.startsWith("Script failed")) return { ok: false };
  return text.startsWith("Script completed") ? { ok: true } : undefined;
}

function readMessage(rollout: Rollout, row: ItemRow): void {
  const { item, timestamp } = row;
  const { text, others } = contentOf(item["content"]);
  const role = asName(item["role"]);
  rollout.ledger.dropped("images in messages", "a mark stands in their place", others.length);
  if (role === "assistant") {
    rollout.ledger.mapped("messages of the assistant", "thoughts or FINAL");
    responseOf(rollout, timestamp).texts.push(text);
    return;
  }
  closeResponse(rollout);
  const isPersons = role === "user" ? personsIn(item, text) : false;
  rollout.ledger.mapped(
    `messages of ${role}`,
    isPersons === false ? "prelude or observations" : "question or prompts",
  );
  if (isPersons !== false) takeTyped(rollout, typedText(item), text, isPersons);
  else if (text !== "") addWords(rollout, text, false);
  rollout.talk.say(role === "user" ? "user" : "system", text);
}

/** Whether a person wrote the message: the file says so, or its words are the program's; else an event has to tell. */
function personsIn(item: JsonRecord, text: string): boolean | undefined {
  const about = asRecord(item["internal_chat_message_metadata_passthrough"]);
  const sources = recordsOf(about["content_item_metadata"]).map(
    (part) => asRecord(part["provenance"])["type"],
  );
  if (sources.length > 0) return sources.includes("user");
  return PROGRAM_WORDS.test(text) ? false : undefined;
}

/** The words of a message without what stands around an image: so events tell them. */
function typedText(item: JsonRecord): string {
  const parts = recordsOf(item["content"]).flatMap(({ text }) => (typeof text === "string" ? [text] : []));
  return parts
    .filter((part) => !IMAGE_TAG.test(part.trim()))
    .join("")
    .trim();
}

/** Adds words that may be a person's, unless an event told them before. */
function takeTyped(rollout: Rollout, typed: string, text: string, isPersons: boolean | undefined): void {
  const told = rollout.told.get(typed) ?? 0;
  if (told > 0) {
    rollout.told.set(typed, told - 1);
    return;
  }
  const words = addPersonsWords(rollout, text, isPersons);
  const untold = rollout.untold.get(typed);
  if (untold === undefined) rollout.untold.set(typed, [words]);
  else untold.push(words);
}

const OPAQUE = "[encrypted_content]";
/** The lines before the words of an agent's message. */
const ORDER = /^Message Type: [A-Z_]+\n(?:[^\n]{0,200}\n){0,4}Payload:\s*(\S[^]*)$/;

/** A message of another agent. Those of the agent that called this one stand in a person's place. `what`: as the file names it. */
export function readAgentWords(rollout: Rollout, item: JsonRecord, what: string): void {
  const { content } = item;
  const parts = recordsOf(content).map((part) => {
    const sealed = asText(part["encrypted_content"]);
    // Words that nobody sealed have blanks between them.
    if (sealed !== undefined) return { type: "text", text: /\s/.test(sealed) ? sealed : OPAQUE };
    return part;
  });
  const { text } = contentOf(typeof content === "string" ? content : parts);
  const { parent, agentPath } = rollout.about;
  const ordered = ORDER.exec(text)?.[1];
  const isOrder = parent !== undefined && asText(item["author"]) !== agentPath;
  closeResponse(rollout);
  rollout.ledger.mapped(what, isOrder ? "question or prompts" : "prelude or observations");
  if (isOrder) addPersonsWords(rollout, ordered ?? text, true);
  else addWords(rollout, text, false);
  rollout.talk.say("user", text);
}
