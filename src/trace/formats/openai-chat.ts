import { hashText } from "../hash.ts";
import { turnsOfMessages, usageOf } from "./chat-messages.ts";
import { episodeOf } from "./conversation.ts";
import {
  type FormatReader,
  type FormatResult,
  NOTHING,
  one,
  type ReaderOptions,
  refuse,
  warning,
} from "./format-reader.ts";
import {
  asList,
  asRecord,
  asText,
  compact,
  isRecord,
  type JsonRecord,
  recordsOf,
  without,
} from "./records.ts";

const MAPPED = ["id", "messages", "model", "usage", "choices", "response", "request", "tools"];

/** A row with messages: as it is, or as `request` and `response` beside each other. */
function bodyOf(row: unknown): JsonRecord | undefined {
  if (Array.isArray(row)) return { messages: row };
  if (!isRecord(row)) return undefined;
  if (Array.isArray(row["messages"])) return row;
  const request = asRecord(row["request"] ?? row["body"]);
  const inner = isRecord(request["body"]) ? request["body"] : request;
  return Array.isArray(inner["messages"]) ? { ...row, ...inner } : undefined;
}

/** A value that holds chat messages with roles. */
export function isChat(value: unknown): boolean {
  const [first] = asList(bodyOf(value)?.["messages"]);
  return isRecord(first) && typeof first["role"] === "string";
}

/** OpenAI chat: one conversation a line, `messages` with `tool_calls`; also a logged request with its response. */
export function openaiReader({ name, ledger }: ReaderOptions): FormatReader {
  function read(value: unknown, line: number): FormatResult {
    const body = bodyOf(value);
    if (body === undefined)
      return refuse(
        line,
        "this line has no list `messages`.",
        'Write one conversation a line: {"messages": [...]}.',
      );
    const response = asRecord(asRecord(body["response"])["body"] ?? body["response"]);
    const [choice] = recordsOf(body["choices"] ?? response["choices"]);
    const answered = isRecord(choice?.["message"]) ? [choice["message"]] : [];
    const messages = [...asList(body["messages"]), ...answered];
    const reason = asText(choice?.["finish_reason"]);
    const ends = reason === undefined || reason === "stop";
    const { turns, unreadable } = turnsOfMessages(messages, { ledger, ends });
    const agents = turns.filter((turn) => turn.kind === "agent").length;
    if (agents === 0)
      return refuse(
        line,
        "no message of the conversation is the assistant's, so it has no step.",
        "Check the roles.",
      );
    for (const key of Object.keys(without(body, MAPPED))) ledger.kept(key, "extra of the episode");
    ledger.kept("tools", "extra of the episode", Array.isArray(body["tools"]) ? 1 : 0);
    ledger.dropped("messages without a role", "they are no messages", unreadable.length);
    const model = asText(body["model"]) ?? asText(response["model"]);
    const cost = usageOf(body["usage"] ?? response["usage"], ledger);
    if (model !== undefined) ledger.mapped("model", "settings.model");
    if (cost !== undefined) ledger.mapped("usage", "cost");
    const kept = compact({ ...without(body, MAPPED), tools: body["tools"], finishReason: reason });
    const id = asText(body["id"]) ?? asText(body["custom_id"]) ?? asText(response["id"]);
    const episode = episodeOf({
      id: id ?? `${name}-${hashText(JSON.stringify(messages))}`,
      source: "openai",
      turns,
      prompts: "whole",
      ...(model === undefined ? {} : { settings: { model } }),
      cost,
      ...(kept === undefined ? {} : { extra: kept }),
    });
    return one(episode, unreadable.length === 0 ? [] : [unreadableMessages(line, unreadable)]);
  }
  return { read, end: () => NOTHING };
}

/** Says which entries of a list of messages were left out. */
export function unreadableMessages(line: number, at: readonly number[]): ReturnType<typeof warning> {
  const places = at
    .slice(0, 5)
    .map((index) => index + 1)
    .join(", ");
  const more = at.length > 5 ? ` and ${at.length - 5} more` : "";
  return warning(
    line,
    `message ${places}${more} has no role and was left out.`,
    "Check the list of messages.",
  );
}
