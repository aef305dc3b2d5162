import { chatReader } from "./chat-reader.ts";
import { chatRow } from "./chat-row.ts";
import type { FormatReader, ReaderOptions } from "./format-reader.ts";
import { asList, asName, asRecord, isRecord, recordsOf } from "./records.ts";
import { isAnthropicEvent } from "./stream-reply.ts";

const BLOCKS = new Set([
  "tool_use",
  "tool_result",
  "thinking",
  "redacted_thinking",
  "server_tool_use",
  "mcp_tool_use",
]);

/** A conversation in the form of Anthropic's Messages API, an answer of it, or a row that mixes it with OpenAI's. */
export function isAnthropic(value: unknown): boolean {
  if (isAnthropicEvent(value)) return true;
  const [first] = asList(value);
  const row = chatRow(Array.isArray(value) && isRecord(first) && !("role" in first) ? first : value);
  if (row === undefined) return false;
  const { body, response, messages, replies } = row;
  if (body["anthropic_version"] !== undefined || response["type"] === "message" || body["type"] === "message")
    return true;
  if (recordsOf(body["tools"]).some((tool) => "input_schema" in tool)) return true;
  const said = [...messages, ...replies.flatMap((reply) => reply.messages)].map(asRecord);
  if (said.some(({ content }) => recordsOf(content).some(({ type }) => BLOCKS.has(asName(type)))))
    return true;
  const roles = new Set(said.map(({ role }) => asName(role)));
  return body["system"] !== undefined && ![...roles].some((role) => role === "system" || role === "tool");
}

/** Anthropic's Messages: conversations, requests with their responses, batches, and streamed replies. */
export function anthropicReader(options: ReaderOptions): FormatReader {
  return chatReader({ ...options, source: "anthropic" });
}
