import { parseJson } from "../../../model/read-json.ts";
import { asList, asRecord, asText, isRecord, type JsonRecord } from "../records.ts";
import type { ToolCall } from "../turn.ts";
import type { Notes } from "./notes.ts";
import { callOf, type Content, isPart, readPart, resultText, type ToolAnswer } from "./parts.ts";

export type Role = "system" | "user" | "assistant" | "tool";

/** A message of a conversation with a model, whichever convention wrote it. */
export interface Message {
  readonly role: Role;
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly ToolCall[];
  readonly answers: readonly ToolAnswer[];
  /** Parts that are no words. */
  readonly others: readonly JsonRecord[];
  readonly finish: string | undefined;
}

const ROLES: ReadonlyMap<string, Role> = new Map<string, Role>([
  ["system", "system"],
  ["developer", "system"],
  ["assistant", "assistant"],
  ["model", "assistant"],
  ["ai", "assistant"],
  ["tool", "tool"],
  ["function", "tool"],
  ["ipython", "tool"],
]);

/** A message of words alone. */
export function plainMessage(role: Role, text: string): Message {
  return { role, text, reasoning: "", calls: [], answers: [], others: [], finish: undefined };
}

/** The messages of a value: a list of them, one, or a text in their place. `role`: whose such a text is. */
export function messagesOf(value: unknown, role: Role, notes: Notes): readonly Message[] {
  if (typeof value === "string") return value === "" ? [] : [plainMessage(role, value)];
  if (isRecord(value)) {
    const inner = value["messages"];
    return Array.isArray(inner) ? messagesOf(inner, role, notes) : [messageOf(value, role, notes)];
  }
  return asList(value).flatMap((entry) => {
    // A list of attributes holds texts, each a message as JSON.
    const read = typeof entry === "string" ? parseJson(entry) : entry;
    if (isRecord(read)) return [messageOf(read, role, notes)];
    return typeof entry === "string" ? messagesOf(entry, role, notes) : [];
  });
}

/** A message, or an item of OpenAI's Responses in its place. */
export function messageOf(given: JsonRecord, role: Role, notes: Notes): Message {
  const content: Content = { words: [], thoughts: [], calls: [], answers: [], others: [] };
  // LangChain and some tracers wrap what OpenAI would say.
  const message = isRecord(given["message"]) && given["role"] === undefined ? given["message"] : given;
  const isItem = message["role"] === undefined && typeof message["type"] === "string";
  const own = roleOf(message, role);
  if (isItem && message["type"] !== "message") readPart(message, content, notes);
  else readContent(message, content, notes);
  for (const call of asList(message["tool_calls"])) if (isRecord(call)) content.calls.push(callOf(call));
  const legacy = message["function_call"];
  if (isRecord(legacy) && !isItem) content.calls.push(callOf(legacy));
  const answers =
    content.answers.length > 0 || own !== "tool" ? content.answers : resultItself(message, content);
  return {
    // Anthropic has results in the user's place.
    role: content.answers.length > 0 && own === "user" && content.words.length === 0 ? "tool" : own,
    text: answers === content.answers ? content.words.join("\n") : "",
    reasoning: content.thoughts.join("\n"),
    calls: content.calls,
    answers,
    others: content.others,
    finish:
      asText(given["finish_reason"]) ?? asText(message["finish_reason"]) ?? asText(message["stop_reason"]),
  };
}

function roleOf(message: JsonRecord, otherwise: Role): Role {
  const given = asText(message["role"])?.toLowerCase();
  if (given !== undefined) return ROLES.get(given) ?? "user";
  const type = asText(message["type"]) ?? "";
  if (type.endsWith("_output")) return "tool";
  return /call$|^reasoning$|^tool_use$/.test(type) ? "assistant" : otherwise;
}

function readContent(message: JsonRecord, content: Content, notes: Notes): void {
  const thought = asText(message["reasoning_content"]) ?? asText(message["reasoning"]);
  if (thought !== undefined) content.thoughts.push(thought);
  const given = message["parts"] ?? message["content"] ?? message["contents"];
  const parts = typeof given === "string" ? partsIn(given) : given;
  if (isRecord(parts)) readPart(parts, content, notes);
  else if (Array.isArray(parts)) for (const part of parts) readPart(part, content, notes);
  else if (typeof parts === "string") content.words.push(parts);
  const refusal = asText(message["refusal"]);
  if (refusal !== undefined) content.words.push(refusal);
}

/** Parts that were written as one text; an answer that is JSON itself stays a text. */
function partsIn(text: string): unknown {
  const list = /^\[\s*\{/.test(text) ? parseJson(text) : undefined;
  return Array.isArray(list) && list.every(isPart) ? list : text;
}

/** A message of the role `tool` without parts for it is the result itself. */
function resultItself(message: JsonRecord, { words }: Content): readonly ToolAnswer[] {
  const id = asText(message["tool_call_id"]) ?? asText(message["id"]);
  return words.length === 0 ? [] : [{ id, text: resultText(words.join("\n")) }];
}

/** Several messages as one: pieces of one reply. */
export function joinedMessage(pieces: readonly Message[]): Message | undefined {
  const [first] = pieces;
  if (first === undefined || pieces.length === 1) return first;
  const lines = (of: (piece: Message) => string): string =>
    pieces
      .map(of)
      .filter((text) => text !== "")
      .join("\n");
  return {
    role: first.role,
    text: lines(({ text }) => text),
    reasoning: lines(({ reasoning }) => reasoning),
    calls: pieces.flatMap(({ calls }) => calls),
    answers: pieces.flatMap(({ answers }) => answers),
    others: pieces.flatMap(({ others }) => others),
    finish: pieces.findLast(({ finish }) => finish !== undefined)?.finish,
  };
}

/** Words of system instructions: a text, a list of parts, or of messages. */
export function instructionsOf(value: unknown, notes: Notes): readonly Message[] {
  if (typeof value === "string") return messagesOf(value, "system", notes);
  return asList(value).flatMap((part) => {
    if (typeof part === "string") return messagesOf(part, "system", notes);
    const record = asRecord(part);
    if (record["role"] !== undefined || record["parts"] !== undefined)
      return [{ ...messageOf(record, "system", notes), role: "system" as const }];
    return [messageOf({ role: "system", parts: [record] }, "system", notes)];
  });
}
