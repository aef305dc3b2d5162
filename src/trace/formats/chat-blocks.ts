import { resultOf } from "./coding-turns.ts";
import { exitCodeOf } from "./counts.ts";
import type { Ledger } from "./ledger.ts";
import { textWithoutBlobs, withoutBlobs } from "./blobs.ts";
import { asList, asName, asRecord, asText, compact, isRecord, type JsonRecord, without } from "./records.ts";
import type { ToolCall, Turn } from "./turn.ts";

export type ResultTurn = Extract<Turn, { kind: "result" }>;

/** One part of a message's content, by its kind. */
export type Block =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "thought"; readonly text: string }
  | { readonly kind: "call"; readonly call: ToolCall }
  | { readonly kind: "result"; readonly result: ResultTurn }
  /** No text: `mark` stands in its place, and `part` may be kept. */
  | { readonly kind: "other"; readonly mark: string; readonly part: unknown };

/** Calls, as Anthropic, LangChain, Vercel and Pi write them in the content of a message. */
const CALLS = new Set(["tool_use", "server_tool_use", "mcp_tool_use", "tool_call", "tool-call", "toolCall"]);
const RESULTS = /^(?:tool_result|tool-result|mcp_tool_result|[a-z_]+_tool_result)$/;
/** Parts that hold a file, a sound or a picture, or point to one. */
const MEDIA = new Set([
  "image",
  "image_url",
  "input_image",
  "output_image",
  "audio",
  "input_audio",
  "audio_url",
  "output_audio",
  "video",
  "video_url",
  "document",
  "file",
  "input_file",
  "container_upload",
  "computer_screenshot",
]);
/** Thoughts that only the vendor can read. */
const ENCRYPTED = new Set(["redacted_thinking", "reasoning.encrypted"]);
const CALL_KEYS = [
  "type",
  "id",
  "name",
  "input",
  "args",
  "arguments",
  "toolCallId",
  "toolName",
  "cache_control",
];
const RESULT_KEYS = [
  "type",
  "tool_use_id",
  "toolCallId",
  "toolName",
  "content",
  "output",
  "result",
  "is_error",
  "isError",
  "cache_control",
];

/** The parts of a message's content, which is a text, a part or a list of them. `role` is for the report. */
export function blocksOf(content: unknown, role: string, ledger: Ledger): readonly Block[] {
  if (typeof content === "string") return content === "" ? [] : [textBlock(content)];
  const parts = isRecord(content) ? [content] : asList(content);
  return parts.flatMap((part) => {
    const block =
      typeof part === "string" ? textBlock(part) : isRecord(part) ? blockOf(part, role, ledger) : undefined;
    if (block === undefined && part !== null && !isRecord(part))
      ledger.unknown(`${role} messages: parts that are no object`);
    return block ?? [];
  });
}

const textBlock = (text: string): Block => ({ kind: "text", text: textWithoutBlobs(text) });

function blockOf(part: JsonRecord, role: string, ledger: Ledger): Block | undefined {
  const type = asName(part["type"]);
  if (CALLS.has(type)) return { kind: "call", call: callOf(part) };
  if (RESULTS.test(type)) return { kind: "result", result: resultOfBlock(part, ledger) };
  if (ENCRYPTED.has(type)) {
    ledger.dropped(`${role} messages: ${type}`, "only the vendor can read it");
    return undefined;
  }
  const thought = asText(part["thinking"]) ?? asText(part["reasoning"]) ?? summaryOf(part["summary"]);
  if (thought !== undefined) return { kind: "thought", text: thought };
  if (asList(part["citations"]).length > 0)
    ledger.dropped(`${role} messages: citations`, "the words that they are about are kept");
  const text = part["text"] ?? part["refusal"];
  if (typeof text === "string") return type === "reasoning" ? { kind: "thought", text } : textBlock(text);
  if (type === "thinking" || type === "reasoning") {
    ledger.dropped(`${role} messages: ${type} without a text`, "only the vendor can read it");
    return undefined;
  }
  if (type === "search_result") return textBlock(wordsOf(part["content"], ledger));
  const source = asRecord(part["source"]);
  if (type === "document" && typeof source["data"] === "string" && source["type"] === "text")
    return textBlock(source["data"]);
  if (!MEDIA.has(type)) ledger.unknown(`${role} messages: parts of type ${type === "" ? "(none)" : type}`);
  return { kind: "other", mark: `[${type === "" ? "part" : type}]`, part: withoutBlobs(part) };
}

/** A summary of thoughts: a text, or a list of parts with texts. */
export function summaryOf(summary: unknown): string | undefined {
  const texts = asList(summary).flatMap((part) => asText(isRecord(part) ? part["text"] : part) ?? []);
  return asText(summary) ?? asText(texts.join("\n\n"));
}

function callOf(part: JsonRecord): ToolCall {
  const rest = compact(without(part, CALL_KEYS));
  const server = asText(part["server_name"]);
  const name = asText(part["name"]) ?? asText(part["toolName"]) ?? "";
  return {
    id: asText(part["id"]) ?? asText(part["toolCallId"]),
    name: server === undefined || name === "" ? name : `mcp__${server}__${name}`,
    args: part["input"] ?? part["args"] ?? part["arguments"],
    extra: rest === undefined ? undefined : { call: withoutBlobs(rest) },
  };
}

function resultOfBlock(part: JsonRecord, ledger: Ledger): ResultTurn {
  const content = part["content"] ?? part["output"] ?? part["result"];
  const failed = part["is_error"] ?? part["isError"];
  const given = asRecord(content);
  const wrong = asName(given["type"]).endsWith("_error");
  const code = exitCodeOf(given["return_code"]);
  const result = resultOf(code, wrong ? false : typeof failed === "boolean" ? !failed : undefined);
  const rest = compact(without(part, RESULT_KEYS));
  return {
    kind: "result",
    callId: asText(part["tool_use_id"]) ?? asText(part["toolCallId"]),
    text: wordsOf(content, ledger),
    ...(result === undefined ? {} : { result }),
    ...(rest === undefined ? {} : { extra: { result: withoutBlobs(rest) } }),
  };
}

/** Keys without meaning in the words of a result: types, and data that only the vendor can read. */
const SILENT = ["type", "encrypted_content", "encrypted_index", "cache_control", "citations"];

/** The words of a result: its texts, marks of pictures, and anything else as JSON. */
export function wordsOf(content: unknown, ledger: Ledger): string {
  if (content === undefined || content === null) return "";
  if (typeof content === "string") return textWithoutBlobs(content);
  if (Array.isArray(content)) return content.map((part) => wordsOf(part, ledger)).join("\n");
  if (!isRecord(content)) return JSON.stringify(content);
  const type = asName(content["type"]);
  if (typeof content["text"] === "string") return textWithoutBlobs(content["text"]);
  // Vercel's outputs.
  if ((type === "text" || type === "json" || type === "content") && "value" in content)
    return wordsOf(content["value"], ledger);
  const source = asRecord(content["source"]);
  if (type === "document" && source["type"] === "text") return wordsOf(source["data"], ledger);
  if (MEDIA.has(type)) {
    ledger.dropped("tool results: files and pictures", "a mark stands in their place");
    return `[${type}]`;
  }
  if (type === "search_result")
    return [asText(content["title"]), asText(content["source"]), wordsOf(content["content"], ledger)]
      .filter((text) => text !== undefined && text !== "")
      .join("\n");
  return JSON.stringify(withoutBlobs(without(content, SILENT)));
}
