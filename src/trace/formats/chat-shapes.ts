import { parseJson } from "../../model/read-json.ts";
import { elementIn } from "./elements.ts";
import {
  asList,
  asName,
  asRecord,
  asText,
  isRecord,
  type JsonRecord,
  recordsOf,
  without,
} from "./records.ts";

/** Roles by the names that LangChain's classes and ShareGPT's rows have for them. */
const ROLES: Readonly<Record<string, string>> = {
  human: "user",
  HumanMessage: "user",
  HumanMessageChunk: "user",
  ai: "assistant",
  AIMessage: "assistant",
  AIMessageChunk: "assistant",
  system: "system",
  SystemMessage: "system",
  developer: "developer",
  tool: "tool",
  ToolMessage: "tool",
  function: "tool",
  FunctionMessage: "tool",
};

/** ShareGPT's names for who speaks. */
const SPEAKERS: Readonly<Record<string, string>> = {
  human: "user",
  user: "user",
  gpt: "assistant",
  assistant: "assistant",
  chatgpt: "assistant",
  model: "assistant",
  bot: "assistant",
  system: "system",
  function_call: "assistant",
  tool_call: "assistant",
  observation: "tool",
  function_response: "tool",
  tool_response: "tool",
  tool: "tool",
};

const own = (names: Readonly<Record<string, string>>, name: unknown): string | undefined =>
  typeof name === "string" && Object.hasOwn(names, name) ? names[name] : undefined;

/** A value that is a message in one of the shapes of `chatMessage`. */
export const isMessage = (value: unknown): boolean => isRecord(value) && roleOf(value) !== undefined;

function roleOf(value: JsonRecord): string | undefined {
  if (typeof value["role"] === "string") return value["role"];
  if ("value" in value) return own(SPEAKERS, value["from"]);
  const name = asList(value["id"]).at(-1);
  if (value["type"] === "constructor" && isRecord(value["kwargs"])) return own(ROLES, name);
  return "content" in value || isRecord(value["data"]) ? own(ROLES, value["type"]) : undefined;
}

/** A message with a role, as OpenAI writes it; one of LangChain, ShareGPT or Goose is brought into that shape. Anything else stays. */
export function chatMessage(value: unknown): unknown {
  if (!isRecord(value)) return value;
  const role = roleOf(value);
  if (role === undefined) return value;
  if ("from" in value && "value" in value) return ofShareGpt(value, role);
  if (typeof value["role"] === "string") return ofGoose(value);
  const inner = isRecord(value["kwargs"]) ? value["kwargs"] : isRecord(value["data"]) ? value["data"] : value;
  return ofLangChain(inner, role);
}

function ofLangChain(message: JsonRecord, role: string): JsonRecord {
  const more = asRecord(message["additional_kwargs"]);
  const listed = recordsOf(message["tool_calls"]);
  const calls = [...listed, ...recordsOf(message["invalid_tool_calls"])];
  const rest = without(message, [
    "type",
    "role",
    "tool_calls",
    "invalid_tool_calls",
    "additional_kwargs",
    "example",
  ]);
  return { ...more, ...rest, ...(calls.length === 0 ? {} : { tool_calls: calls }), role };
}

/** A turn of ShareGPT: calls are JSON in a turn of their own, or between tags in the words of the model. */
function ofShareGpt(turn: JsonRecord, role: string): JsonRecord {
  const rest = without(turn, ["from", "value"]);
  const text = asText(turn["value"]) ?? "";
  if (role === "tool") return { ...rest, role, content: elementIn(text, "tool_response")?.inside ?? text };
  if (role !== "assistant") return { ...rest, role, content: text };
  const isCall = turn["from"] === "function_call" || turn["from"] === "tool_call";
  const { found, words } = isCall ? { found: [text], words: "" } : taggedIn(text);
  const calls = found.map((one) => callIn(one));
  if (found.length === 0 || calls.includes(undefined)) return { ...rest, role, content: text };
  return { ...rest, role, content: words, tool_calls: calls.flat() };
}

/** The calls that stand between tags in a text, and the words around them. */
function taggedIn(text: string): { readonly found: readonly string[]; readonly words: string } {
  const found: string[] = [];
  const words: string[] = [];
  let left = text;
  for (let next = elementIn(left, "tool_call"); next !== undefined; next = elementIn(left, "tool_call")) {
    found.push(next.inside);
    words.push(next.before);
    left = next.after;
  }
  return { found, words: [...words, left].join("").trim() };
}

/** The calls that JSON of an object or a list of them says. */
function callIn(text: string): readonly JsonRecord[] | undefined {
  const value = parseJson(text);
  const calls = Array.isArray(value) ? value.filter(isRecord) : isRecord(value) ? [value] : [];
  return calls.length > 0 && calls.every((call) => typeof call["name"] === "string") ? calls : undefined;
}

/** Goose writes a call and its result as parts whose values stand below a status. */
function ofGoose(message: JsonRecord): JsonRecord {
  if (!recordsOf(message["content"]).some(({ type }) => /^tool(?:Request|Response)$/.test(asName(type))))
    return message;
  const content = asList(message["content"]).map((part) => {
    const record = asRecord(part);
    const call = asRecord(asRecord(record["toolCall"])["value"]);
    const result = asRecord(record["toolResult"]);
    if (record["type"] === "toolRequest") return { ...call, type: "tool_use", id: record["id"] };
    if (record["type"] !== "toolResponse") return part;
    const { value } = result;
    return {
      type: "tool_result",
      tool_use_id: record["id"],
      content: isRecord(value) && "content" in value ? value["content"] : (value ?? result["error"]),
      is_error: result["status"] !== "success" || asRecord(value)["isError"] === true,
    };
  });
  return { ...message, content };
}
