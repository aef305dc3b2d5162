import { addAll } from "./add-all.ts";
import type { ToolResult } from "../../model/coding-context.ts";
import { type Block, blocksOf, summaryOf, wordsOf } from "./chat-blocks.ts";
import { agentTurns, turnsOfMessages } from "./chat-messages.ts";
import { resultOf } from "./coding-turns.ts";
import { exitCodeOf } from "./counts.ts";
import type { Ledger } from "./ledger.ts";
import {
  asList,
  asName,
  asRecord,
  asText,
  compact,
  isRecord,
  type JsonRecord,
  recordsOf,
  without,
} from "./records.ts";
import type { ToolCall, Turn } from "./turn.ts";

type Call = Pick<ToolCall, "name" | "args">;

/** Items by which the model calls a tool, and what each calls. Those that the server runs itself have their results in them. */
const CALLS: Readonly<Record<string, (item: JsonRecord) => Call>> = {
  function_call: (item) => ({ name: nameIn(item), args: item["arguments"] }),
  custom_tool_call: (item) => ({ name: nameIn(item), args: item["input"] }),
  hosted_tool_call: (item) => ({ name: nameIn(item), args: item["arguments"] }),
  mcp_call: (item) => ({
    name: `mcp__${asName(item["server_label"])}__${asName(item["name"])}`,
    args: item["arguments"],
  }),
  mcp_approval_request: (item) => ({
    name: `mcp__${asName(item["server_label"])}__${asName(item["name"])}`,
    args: item["arguments"],
  }),
  web_search_call: (item) => ({ name: "web_search", args: withoutType(item["action"], ["sources"]) }),
  file_search_call: (item) => ({ name: "file_search", args: { queries: item["queries"] } }),
  code_interpreter_call: (item) => ({ name: "code_interpreter", args: { code: item["code"] } }),
  image_generation_call: (item) => ({
    name: "image_generation",
    args: compact({ prompt: item["revised_prompt"] ?? item["prompt"] }) ?? {},
  }),
  computer_call: (item) => ({ name: "computer", args: item["action"] ?? { actions: item["actions"] } }),
  local_shell_call: (item) => ({ name: "local_shell", args: withoutType(item["action"]) }),
  shell_call: (item) => ({ name: "shell", args: item["action"] }),
  apply_patch_call: (item) => ({ name: "apply_patch", args: item["operation"] }),
  tool_search_call: (item) => ({ name: "tool_search", args: item["arguments"] }),
};

/** Known items without content for an episode, with the reason. */
const SILENT: Readonly<Record<string, string>> = {
  mcp_list_tools: "they are the tools that a server offers",
  compaction: "only the vendor can read what they sum up",
  compaction_summary: "only the vendor can read what they sum up",
  context_compaction: "only the vendor can read what they sum up",
  compaction_trigger: "they are no part of the conversation",
  item_reference: "they name items that the file does not hold",
  additional_tools: "they are the tools that a request offers",
};

const OUTPUT = /^[a-z_]+_(?:output|call_result)$/;

function nameIn(item: JsonRecord): string {
  const space = asText(item["namespace"]);
  const name = asName(item["name"]);
  return space === undefined || name === "" ? name : `${space}.${name}`;
}

function withoutType(action: unknown, more: readonly string[] = []): unknown {
  return isRecord(action) ? without(action, ["type", ...more]) : action;
}

/** An item of the Responses API, or of a session of the Agents SDK. */
export function isItem(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const type = asName(value["type"]);
  if (type === "message") return typeof value["role"] === "string" && "content" in value;
  if (type === "reasoning") return Array.isArray(value["summary"]) || Array.isArray(value["content"]);
  if (OUTPUT.test(type))
    return "output" in value && ("call_id" in value || "callId" in value || "id" in value);
  return Object.hasOwn(CALLS, type) && ("call_id" in value || "callId" in value || "id" in value);
}

/** The agent's words and calls since the last result of a tool, as one message. */
interface Reply {
  readonly texts: unknown[];
  readonly thoughts: string[];
  readonly calls: JsonRecord[];
  readonly rest: Record<string, unknown>;
}

/** The turns of items in their order; reasoning, words and calls with no answer between them are one turn. Also the places of what is none. */
export function turnsOfItems(
  items: readonly unknown[],
  { ledger, ends }: { readonly ledger: Ledger; readonly ends: boolean },
): { readonly turns: readonly Turn[]; readonly unreadable: readonly number[] } {
  const turns: Turn[] = [];
  const unreadable: number[] = [];
  let reply: Reply | undefined;
  const open = (): Reply => (reply ??= { texts: [], thoughts: [], calls: [], rest: {} });
  const close = (last = false): void => {
    if (reply !== undefined) for (const turn of turnsOfReply(reply, last && ends, ledger)) turns.push(turn);
    reply = undefined;
  };
  const add = (turn: Turn): void => {
    close();
    turns.push(turn);
  };
  items.forEach((item, index) => {
    if (!isRecord(item)) {
      unreadable.push(index);
      return;
    }
    const type = asName(item["type"]);
    if (typeof item["role"] === "string" && (type === "" || type === "message")) {
      if (item["role"] === "assistant") {
        addMessage(open(), item);
        return;
      }
      close();
      for (const turn of turnsOfMessages([item], { ledger, ends: false }).turns) add(turn);
    } else if (type === "reasoning") addThoughts(open(), item, ledger);
    else if (Object.hasOwn(CALLS, type)) {
      open().calls.push(callOf(item, type, ledger));
      const answer = answerIn(item, type, ledger);
      if (answer !== undefined) add(answer);
    } else if (OUTPUT.test(type)) add(outputOf(item, ledger));
    else if (type === "mcp_approval_response") add(approvalOf(item));
    else if (Object.hasOwn(SILENT, type)) ledger.dropped(`items ${type}`, SILENT[type] ?? "");
    else ledger.unknown(`items of type ${type === "" ? "(none)" : type}`);
  });
  close(true);
  return { turns, unreadable };
}

function addMessage({ texts, rest }: Reply, item: JsonRecord): void {
  const { content } = item;
  addAll(texts, Array.isArray(content) ? (content as unknown[]) : [content]);
  if (asText(item["phase"]) !== undefined) rest["phase"] = item["phase"];
  if (item["status"] !== undefined && item["status"] !== "completed") rest["status"] = item["status"];
}

function addThoughts({ thoughts }: Reply, item: JsonRecord, ledger: Ledger): void {
  const told = summaryOf(item["summary"]) ?? summaryOf(item["content"]);
  ledger.mapped("items reasoning", "thoughts", told === undefined ? 0 : 1);
  if (told !== undefined) thoughts.push(told);
  else ledger.dropped("items reasoning without a summary", "only the vendor can read it");
}

/** As a call of a chat message, which `agentTurns` reads. */
function callOf(item: JsonRecord, type: string, ledger: Ledger): JsonRecord {
  const { name, args } = CALLS[type]?.(item) ?? { name: type, args: undefined };
  ledger.mapped(`items ${type}`, "actions");
  const { status } = item;
  return {
    id: idOf(item),
    function: { name, arguments: args },
    ...(status === undefined || status === "completed" ? {} : { status }),
  };
}

/** Calls are answered by their `call_id`; a local shell's and an approval by the item's own id. */
function idOf(item: JsonRecord): string | undefined {
  return asText(item["call_id"]) ?? asText(item["callId"]) ?? asText(item["id"]);
}

function turnsOfReply(
  { texts, thoughts, calls, rest }: Reply,
  ends: boolean,
  ledger: Ledger,
): readonly Turn[] {
  const content = [...thoughts.map((thinking) => ({ type: "thinking", thinking })), ...texts];
  const extra = Object.keys(rest).length === 0 ? undefined : { item: rest };
  return agentTurns({ content, tool_calls: calls }, { extra, ends }, ledger);
}

const isThere = (text: string | undefined): text is string => text !== undefined;

/** The result within the item of a call, of a tool that the server ran. */
const ANSWERS: Readonly<Record<string, (item: JsonRecord) => unknown>> = {
  mcp_call: (item) => item["output"] ?? item["error"],
  hosted_tool_call: (item) => item["output"],
  file_search_call: ({ results }) =>
    recordsOf(results).flatMap(({ filename, text }) => [asText(filename), asText(text)].filter(isThere)),
  code_interpreter_call: (item) => item["outputs"],
  web_search_call: (item) => asRecord(item["action"])["sources"],
  image_generation_call: (item) => (item["result"] === undefined ? undefined : { type: "output_image" }),
};

function answerIn(item: JsonRecord, type: string, ledger: Ledger): Turn | undefined {
  if (!Object.hasOwn(ANSWERS, type)) return undefined;
  const given = ANSWERS[type]?.(item);
  const failed = item["status"] === "failed" || (item["error"] !== undefined && item["error"] !== null);
  const logs = type === "code_interpreter_call" ? recordsOf(given).map(logOf) : given;
  return {
    kind: "result",
    callId: idOf(item),
    text: wordsOf(logs, ledger),
    ...(failed ? { result: { ok: false } } : {}),
  };
}

const logOf = (output: JsonRecord): unknown =>
  output["type"] === "logs" ? output["logs"] : { ...output, type: "image" };

function outputOf(item: JsonRecord, ledger: Ledger): Turn {
  ledger.mapped(`items ${asName(item["type"])}`, "observations");
  const given = item["output"] ?? item["tools"];
  const commands = recordsOf(given).filter((one) => "stdout" in one || "stderr" in one);
  const isShell = commands.length > 0 && commands.length === asList(given).length;
  const failed = item["status"] === "failed" || item["status"] === "incomplete";
  const result = isShell ? shellResult(commands) : failed ? { ok: false } : undefined;
  return {
    kind: "result",
    callId: idOf(item),
    text: isShell
      ? commands.map((one) => `${asText(one["stdout"]) ?? ""}${asText(one["stderr"]) ?? ""}`).join("\n")
      : textOf(blocksIn(given, ledger), given, ledger),
    ...(result === undefined ? {} : { result }),
  };
}

/** Of several commands the first that went wrong tells how the call ended; one that ran out of time has no code. */
function shellResult(commands: readonly JsonRecord[]): ToolResult | undefined {
  const ends = commands.map(({ outcome }) => asRecord(outcome));
  if (ends.some(({ type }) => type === "timeout")) return { ok: false };
  const codes = ends.map((end) => exitCodeOf(end["exit_code"]));
  return resultOf(codes.find((code) => code !== 0 && code !== undefined) ?? codes.at(-1), undefined);
}

function blocksIn(given: unknown, ledger: Ledger): readonly Block[] | undefined {
  const parts = recordsOf(given);
  const isContent =
    parts.length > 0 && parts.every(({ type }) => /^(?:input|output)_|^text$/.test(asName(type)));
  return isContent ? blocksOf(given, "tool", ledger) : undefined;
}

function textOf(blocks: readonly Block[] | undefined, given: unknown, ledger: Ledger): string {
  if (blocks === undefined) return wordsOf(given, ledger);
  return blocks
    .map((block) => (block.kind === "text" ? block.text : block.kind === "other" ? block.mark : ""))
    .join("\n");
}

function approvalOf(item: JsonRecord): Turn {
  const said = item["approve"] === true ? "approved" : "not approved";
  const reason = asText(item["reason"]);
  return {
    kind: "result",
    callId: asText(item["approval_request_id"]),
    text: reason === undefined ? said : `${said}: ${reason}`,
    ...(item["approve"] === true ? {} : { result: { ok: false } }),
  };
}
