import { readJson } from "../../model/read-json.ts";
import type { Span } from "./otlp.ts";
import { asList, asRecord, asText, isRecord, type JsonRecord } from "./records.ts";
import type { ToolCall } from "./turn.ts";

/** A message of the GenAI conventions, whichever of their three ways wrote it. */
export interface GenAiMessage {
  readonly role: string;
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly ToolCall[];
  readonly results: readonly { readonly id: string | undefined; readonly text: string }[];
  readonly finish: string | undefined;
}

export interface GenAiTalk {
  readonly system: readonly string[];
  readonly input: readonly GenAiMessage[];
  readonly output: readonly GenAiMessage[];
}

const DETAILS = "gen_ai.client.inference.operation.details";

/** What was said to the model and by it: of the span's attributes, else of its events, else of the flat attributes. */
export function talkOfSpan(span: Span): GenAiTalk {
  const details = span.events.find((event) => event.name === DETAILS);
  const attributes = { ...details?.attributes, ...span.attributes };
  const structured = {
    system: partsText(parsed(attributes["gen_ai.system_instructions"])),
    input: messagesOf(attributes["gen_ai.input.messages"]),
    output: messagesOf(attributes["gen_ai.output.messages"]),
  };
  if (structured.input.length + structured.output.length > 0) return structured;
  const told = ofEvents(span);
  if (told.input.length + told.output.length > 0)
    return { ...told, system: [...structured.system, ...told.system] };
  return {
    system: structured.system,
    input: flat(attributes, "gen_ai.prompt"),
    output: flat(attributes, "gen_ai.completion"),
  };
}

function parsed(value: unknown): unknown {
  if (typeof value !== "string") return value;
  const read = readJson(value);
  return read.problem === undefined ? read.value : value;
}

function partsText(value: unknown): readonly string[] {
  if (typeof value === "string") return value === "" ? [] : [value];
  return asList(value).flatMap((part) => asText(part) ?? asText(asRecord(part)["content"]) ?? []);
}

function messagesOf(value: unknown): readonly GenAiMessage[] {
  const list = parsed(value);
  return (Array.isArray(list) ? list : isRecord(list) ? [list] : []).flatMap((message) =>
    isRecord(message) ? [messageOf(message)] : [],
  );
}

function messageOf(message: JsonRecord): GenAiMessage {
  const content = message["parts"] ?? message["content"];
  const parts = typeof content === "string" ? [{ type: "text", content }] : asList(content).map(asRecord);
  const ofType = (...types: readonly string[]): readonly JsonRecord[] =>
    parts.filter((part) => types.includes(asText(part["type"]) ?? "text"));
  const textOf = (part: JsonRecord): string => asText(part["content"]) ?? asText(part["text"]) ?? "";
  const openai = asList(message["tool_calls"]).map(asRecord);
  return {
    role: asText(message["role"]) ?? "user",
    text: ofType("text")
      .map(textOf)
      .filter((text) => text !== "")
      .join("\n"),
    reasoning: ofType("reasoning", "thinking").map(textOf).join("\n"),
    calls: [...ofType("tool_call", "tool_use"), ...openai].map(callOf),
    results: [
      ...ofType("tool_call_response", "tool_result").map((part) => ({
        id: asText(part["id"]) ?? asText(part["tool_call_id"]),
        text: resultText(part["response"] ?? part["result"] ?? part["content"]),
      })),
      ...legacyResult(message, ofType("text").map(textOf).join("\n")),
    ],
    finish: asText(message["finish_reason"]),
  };
}

/** A message of the role `tool` without parts is the result itself. */
function legacyResult(message: JsonRecord, text: string): GenAiMessage["results"] {
  if (message["role"] !== "tool" || text === "") return [];
  return [{ id: asText(message["id"]) ?? asText(message["tool_call_id"]), text }];
}

function callOf(part: JsonRecord): ToolCall {
  const named = asRecord(part["function"]);
  return {
    id: asText(part["id"]),
    name: asText(part["name"]) ?? asText(named["name"]) ?? "",
    args: part["arguments"] ?? part["input"] ?? named["arguments"],
  };
}

export function resultText(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** One event a message, as the conventions wrote it before the attributes. */
function ofEvents(span: Span): GenAiTalk {
  const input: GenAiMessage[] = [];
  const output: GenAiMessage[] = [];
  const system: string[] = [];
  for (const { name, attributes } of span.events) {
    const role = /^gen_ai\.(system|user|assistant|tool)\.message$/.exec(name)?.[1];
    if (role === "system") system.push(resultText(attributes["content"]));
    else if (role !== undefined) input.push(messageOf({ role, ...readable(attributes) }));
    else if (name === "gen_ai.choice") output.push(choiceOf(attributes));
    else if (name === "gen_ai.content.prompt") input.push(...messagesOf(attributes["gen_ai.prompt"]));
    else if (name === "gen_ai.content.completion")
      output.push(...messagesOf(attributes["gen_ai.completion"]));
  }
  return { system, input, output };
}

/** Lists within event attributes come as JSON text where the exporter knows only flat values. */
function readable(attributes: JsonRecord): JsonRecord {
  return { ...attributes, tool_calls: parsed(attributes["tool_calls"]) };
}

function choiceOf(attributes: JsonRecord): GenAiMessage {
  const inner = parsed(attributes["message"]);
  const message = isRecord(inner) ? inner : { content: inner ?? attributes["content"] };
  const calls = parsed(message["tool_calls"] ?? attributes["tool_calls"]);
  const finish = asText(attributes["finish_reason"]);
  return { ...messageOf({ role: "assistant", ...message, tool_calls: calls }), finish };
}

/** `gen_ai.prompt.0.role`, `gen_ai.prompt.0.content`: one attribute a field. */
function flat(attributes: JsonRecord, prefix: string): readonly GenAiMessage[] {
  const messages: Record<string, unknown>[] = [];
  for (let n = 0; `${prefix}.${n}.role` in attributes || `${prefix}.${n}.content` in attributes; n++) {
    const at = `${prefix}.${n}`;
    const calls: JsonRecord[] = [];
    for (let c = 0; `${at}.tool_calls.${c}.name` in attributes; c++) {
      const call = `${at}.tool_calls.${c}`;
      calls.push({
        id: attributes[`${call}.id`],
        name: attributes[`${call}.name`],
        arguments: attributes[`${call}.arguments`],
      });
    }
    messages.push({
      role: attributes[`${at}.role`],
      content: attributes[`${at}.content`],
      finish_reason: attributes[`${at}.finish_reason`],
      tool_call_id: attributes[`${at}.tool_call_id`],
      tool_calls: calls,
    });
  }
  return messages.map(messageOf);
}
