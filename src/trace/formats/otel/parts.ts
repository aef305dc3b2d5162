import { parseJson } from "../../../model/read-json.ts";
import { withoutBlobs } from "../blobs.ts";
import { asList, asName, asRecord, asText, isRecord, type JsonRecord } from "../records.ts";
import type { ToolCall } from "../turn.ts";
import type { Notes } from "./notes.ts";

export interface ToolAnswer {
  readonly id: string | undefined;
  readonly text: string;
  /** The format says that the tool failed. */
  readonly failed?: true;
}

/** What the parts of one message are read into. */
export interface Content {
  readonly words: string[];
  /** Thoughts, and marks of what the provider's own tools did. */
  readonly thoughts: string[];
  readonly calls: ToolCall[];
  readonly answers: ToolAnswer[];
  /** Parts that are no words: a mark stands in their place. */
  readonly others: JsonRecord[];
}

type PartKind = "words" | "thought" | "call" | "answer" | "server" | "media" | "mark" | "compaction";

/** Parts of GenAI v0.1.0, and of the APIs whose messages instrumentations write down as they are. */
const KINDS: ReadonlyMap<string, PartKind> = new Map<string, PartKind>([
  ...words("text", "input_text", "output_text", "summary_text", "refusal"),
  ...entries("thought", ["reasoning", "thinking", "reasoning_text"]),
  ...entries("call", ["tool_call", "tool_use", "tool-call", "function_call", "custom_tool_call", "function"]),
  ...entries("answer", ["tool_call_response", "tool_result", "tool-result", "function_call_output"]),
  ...entries("answer", ["custom_tool_call_output"]),
  ...entries("server", ["server_tool_call", "server_tool_call_response", "server_tool_use", "mcp_tool_use"]),
  ...entries("server", ["mcp_tool_result", "web_search_tool_result", "web_fetch_tool_result", "mcp_call"]),
  ...entries("server", ["code_execution_tool_result", "web_search_call", "file_search_call"]),
  ...entries("server", ["code_interpreter_call", "image_generation_call", "computer_call"]),
  ...entries("media", [
    "blob",
    "file",
    "uri",
    "image",
    "image_url",
    "input_image",
    "input_file",
    "input_audio",
  ]),
  ...entries("media", ["audio", "video", "document", "media", "inline_data", "file_data"]),
  ...entries("media", ["binary", "image-url", "audio-url", "video-url", "document-url"]),
  ...entries("mark", ["redacted_thinking", "redacted-reasoning", "reasoning-file", "custom", "source"]),
  ...entries("mark", ["tool_approval_request", "tool_approval_response", "tool-approval-request"]),
  ...entries("mark", ["tool-approval-response", "item_reference"]),
  ["compaction", "compaction"],
]);

function entries(kind: PartKind, types: readonly string[]): [string, PartKind][] {
  return types.map((type) => [type, kind]);
}

function words(...types: readonly string[]): [string, PartKind][] {
  return entries("words", types);
}

/** An object whose type says that it is a part of a message. */
export const isPart = (value: unknown): boolean => KINDS.has(typeOf(value));

/** Reads a part of a message. One of an unknown type leaves a mark with its words, and is noted. */
export function readPart(given: unknown, into: Content, notes: Notes): void {
  if (typeof given === "string") return say(into.words, given);
  if (!isRecord(given)) return;
  const part = geminiPart(given);
  const type = asText(part["type"]);
  const kind = type === undefined ? kindOfUntyped(part) : KINDS.get(type);
  switch (kind) {
    case "words":
      return say(into.words, part["content"] ?? part["text"] ?? part["refusal"]);
    case "thought":
      return say(into.thoughts, thoughtOf(part));
    case "call":
      into.calls.push(callOf(part));
      return;
    case "answer":
      into.answers.push(answerOf(part));
      return;
    case "server":
      into.thoughts.push(serverMark(part));
      break;
    case "media":
      into.words.push(mediaMark(part));
      break;
    case "compaction":
      into.words.push(joinedMark("compaction", asText(part["content"])));
      break;
    case "mark":
      into.words.push(joinedMark(type ?? "part", undefined));
      break;
    case undefined:
      if (isStump(part, type)) return;
      notes.ledger.unknown(`message part of type ${JSON.stringify((type ?? "none").slice(0, 60))}`);
      into.words.push(joinedMark(type ?? "part", wordsIn(part["content"]) ?? wordsIn(part["text"])));
  }
  into.others.push(asRecord(withoutBlobs(part)));
}

/** What a cut left of a part: nothing but the beginning of its type. */
function isStump(part: JsonRecord, type: string | undefined): boolean {
  const keys = Object.keys(part).length;
  return (
    keys === 0 ||
    (keys === 1 && type !== undefined && [...KINDS.keys()].some((kind) => kind.startsWith(type)))
  );
}

function say(into: string[], text: unknown): void {
  if (typeof text === "string" && text !== "") into.push(text);
  else if (Array.isArray(text)) for (const part of text) say(into, asRecord(part)["text"] ?? part);
}

function kindOfUntyped(part: JsonRecord): PartKind | undefined {
  if (typeof part["text"] === "string" || typeof part["content"] === "string")
    return part["thought"] === true ? "thought" : "words";
  return undefined;
}

/** Google's parts have no type; the key tells it. */
function geminiPart(part: JsonRecord): JsonRecord {
  if (part["type"] !== undefined) return part;
  for (const [key, type] of GEMINI) {
    const inner = part[key];
    if (isRecord(inner)) return { ...inner, type };
  }
  return part;
}

const GEMINI: readonly (readonly [key: string, type: string])[] = [
  ["functionCall", "tool_call"],
  ["function_call", "tool_call"],
  ["functionResponse", "tool_call_response"],
  ["function_response", "tool_call_response"],
  ["inlineData", "inline_data"],
  ["inline_data", "inline_data"],
  ["fileData", "file_data"],
  ["file_data", "file_data"],
];

function thoughtOf(part: JsonRecord): unknown {
  return part["content"] ?? part["text"] ?? part["thinking"] ?? part["reasoning"] ?? part["summary"];
}

/** A call, whichever API's way to write it. */
export function callOf(part: JsonRecord): ToolCall {
  const named = asRecord(part["function"]);
  const id = part["id"] ?? part["toolCallId"] ?? part["tool_call_id"];
  return {
    // The items of OpenAI's Responses have an id of their own beside the call's.
    id: asText(part["call_id"]) ?? asText(id),
    name: asText(part["name"]) ?? asText(part["toolName"]) ?? asText(named["name"]) ?? "",
    args: part["arguments"] ?? part["input"] ?? part["args"] ?? named["arguments"],
  };
}

function answerOf(part: JsonRecord): ToolAnswer {
  const id =
    part["tool_call_id"] ?? part["tool_use_id"] ?? part["toolCallId"] ?? part["call_id"] ?? part["id"];
  const response = part["response"] ?? part["result"] ?? part["output"] ?? part["content"];
  const failed =
    part["is_error"] === true || part["isError"] === true || typeOf(response).startsWith("error-");
  return { id: asText(id)?.trim(), text: resultText(response), ...(failed && { failed: true as const }) };
}

const typeOf = (value: unknown): string => asName(asRecord(value)["type"]);

/** What a tool gave back, as text: its own words where it is words alone, else JSON. */
export function resultText(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "string") return PARTS.test(value) ? partsText(value) : unquoted(value);
  const wrapped = asRecord(value);
  if ("value" in wrapped && /^(?:error-)?(?:text|json|content)$/.test(typeOf(value)))
    return resultText(wrapped["value"]);
  const texts = asList(value).map(partText);
  if (texts.length > 0 && texts.every((text) => text !== undefined)) return texts.join("\n");
  return JSON.stringify(withoutBlobs(value));
}

/** The words of a part; of a file a mark. */
function partText(part: unknown): string | undefined {
  const type = typeOf(part);
  if (KINDS.get(type) === "media") return mediaMark(asRecord(part));
  const { text, content } = asRecord(part);
  return asText(text) ?? (KINDS.get(type) === "words" ? asText(content) : undefined);
}

const PARTS = /^\s*\[\s*\{/;

/** A list of parts that was written as JSON; any other text as it is. */
function partsText(text: string): string {
  const parts = parseJson(text);
  return Array.isArray(parts) && parts.some(isPart) ? resultText(parts) : text;
}

/** A text that was written as JSON once more. */
function unquoted(text: string): string {
  if (!text.startsWith('"') || !text.endsWith('"')) return text;
  const inner = parseJson(text);
  return typeof inner === "string" ? inner : text;
}

/** A text that is no encoded file. */
function wordsIn(value: unknown): string | undefined {
  const text = asText(value);
  return text === undefined ? undefined : asText(withoutBlobs(text));
}

const joinedMark = (name: string, text: string | undefined): string =>
  text === undefined ? `[${name}]` : `[${name}] ${text}`;

/** What a tool of the provider was asked, or gave back. The agent's host had no part in it, so it is no step. */
function serverMark(part: JsonRecord): string {
  const { type, id: _id, name, signature: _signature, ...rest } = part;
  const details =
    rest["server_tool_call"] ?? rest["server_tool_call_response"] ?? rest["input"] ?? rest["content"];
  const { type: _type, ...inner } = asRecord(details);
  const body = isRecord(details) ? inner : (details ?? rest);
  return `[${[asName(type), asName(name), JSON.stringify(body)].filter((text) => text !== "").join(" ")}]`;
}

/** An image, a sound or a file: its kind, and where it stands if it is elsewhere. */
function mediaMark(part: JsonRecord): string {
  const type = asName(part["type"]);
  const mime =
    asText(part["mime_type"]) ??
    asText(part["media_type"]) ??
    asText(part["mimeType"]) ??
    asText(part["mediaType"]) ??
    "";
  const ofMime = /^(image|audio|video)\//.exec(mime)?.[1] ?? (mime === "" ? undefined : "document");
  const own = /image|audio|video|document/.exec(type)?.[0];
  const kind = asText(part["modality"]) ?? own ?? ofMime ?? type;
  const place = asText(part["uri"]) ?? asText(part["file_id"]) ?? asText(part["fileUri"]) ?? linkOf(part);
  const said = asText(part["transcript"]);
  return [place === undefined ? `[${kind}]` : `[${kind} ${place}]`, said].filter(Boolean).join(" ");
}

/** The address of an image that is elsewhere; one that holds the image itself is none. */
function linkOf(part: JsonRecord): string | undefined {
  const { image_url: given, url } = part;
  const link =
    asText(given) ?? asText(asRecord(given)["url"]) ?? asText(url) ?? asText(asRecord(part["image"])["url"]);
  return link !== undefined && /^https?:/.test(link) ? link : undefined;
}
