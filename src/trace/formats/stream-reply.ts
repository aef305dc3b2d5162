import { parseJson } from "../../model/read-json.ts";
import { asList, asName, asRecord, asText, isRecord, type JsonRecord, recordsOf } from "./records.ts";

/** The events of a stream that was logged as text, as servers send it. */
export function eventsInText(text: string): readonly JsonRecord[] {
  return text.split("\n").flatMap((line) => {
    const data = line.startsWith("data:") ? parseJson(line.slice("data:".length)) : undefined;
    return isRecord(data) ? [data] : [];
  });
}

const ANTHROPIC = new Set([
  "message_start",
  "content_block_start",
  "content_block_delta",
  "content_block_stop",
  "message_delta",
  "message_stop",
]);

/** An event of a streamed reply of Anthropic's Messages API. */
export const isAnthropicEvent = (value: unknown): boolean =>
  isRecord(value) && ANTHROPIC.has(asName(value["type"])) && !("uuid" in value);

/** The reply that the events of a stream make together, as its endpoint gives it where it does not stream; undefined where they are of no stream. */
export function replyOfEvents(events: readonly JsonRecord[]): JsonRecord | undefined {
  if (events.some(isAnthropicEvent)) return anthropicReply(events);
  const ended = events.findLast((event) =>
    /^response\.(?:completed|incomplete|failed|done)$/.test(asName(event["type"])),
  );
  if (ended !== undefined) return asRecord(ended["response"]);
  return events.some((event) => recordsOf(event["choices"]).some((choice) => isRecord(choice["delta"])))
    ? chatReply(events)
    : undefined;
}

/** Pieces of one part of a reply, in the order in which they came. */
interface Block {
  readonly start: JsonRecord;
  readonly pieces: Map<string, string[]>;
}

/** The piece of text that each kind of delta holds, and the key of the block that it belongs to. */
const DELTAS: Readonly<Record<string, readonly [from: string, to: string]>> = {
  text_delta: ["text", "text"],
  thinking_delta: ["thinking", "thinking"],
  signature_delta: ["signature", "signature"],
  input_json_delta: ["partial_json", "input"],
};

function anthropicReply(events: readonly JsonRecord[]): JsonRecord {
  const blocks = new Map<unknown, Block>();
  let message: JsonRecord = { role: "assistant" };
  for (const event of events) {
    const type = asName(event["type"]);
    const delta = asRecord(event["delta"]);
    if (type === "message_start") message = { ...message, ...asRecord(event["message"]) };
    else if (type === "content_block_start")
      blocks.set(event["index"], { start: asRecord(event["content_block"]), pieces: new Map() });
    else if (type === "message_delta")
      message = {
        ...message,
        ...delta,
        usage: { ...asRecord(message["usage"]), ...asRecord(event["usage"]) },
      };
    else if (type === "content_block_delta") addPiece(blocks.get(event["index"]), delta);
  }
  return { ...message, content: Array.from(blocks.values(), blockOf) };
}

function addPiece(block: Block | undefined, delta: JsonRecord): void {
  const [from, to] = DELTAS[asName(delta["type"])] ?? [];
  const piece = from === undefined ? undefined : asText(delta[from]);
  if (block === undefined || to === undefined || piece === undefined) return;
  const pieces = block.pieces.get(to) ?? [];
  pieces.push(piece);
  block.pieces.set(to, pieces);
}

function blockOf({ start, pieces }: Block): JsonRecord {
  const block: Record<string, unknown> = { ...start };
  for (const [key, list] of pieces) {
    const text = list.join("");
    block[key] = key === "input" ? (parseJson(text) ?? text) : `${asText(start[key]) ?? ""}${text}`;
  }
  return block;
}

/** Pieces of one choice of a chat completion. */
interface Choice {
  readonly texts: string[];
  readonly thoughts: string[];
  readonly calls: Map<unknown, { id: string | undefined; name: string; readonly args: string[] }>;
  reason: unknown;
}

function chatReply(events: readonly JsonRecord[]): JsonRecord {
  const choices = new Map<unknown, Choice>();
  let head: JsonRecord = {};
  for (const event of events) {
    for (const key of ["id", "model", "usage"])
      if (event[key] !== undefined && event[key] !== null) head = { ...head, [key]: event[key] };
    for (const given of recordsOf(event["choices"])) {
      const at = given["index"] ?? 0;
      const choice = choices.get(at) ?? { texts: [], thoughts: [], calls: new Map(), reason: undefined };
      choices.set(at, choice);
      addDelta(choice, asRecord(given["delta"]));
      choice.reason = given["finish_reason"] ?? choice.reason;
    }
  }
  return { ...head, choices: Array.from(choices.values(), choiceOf) };
}

function addDelta(choice: Choice, delta: JsonRecord): void {
  choice.texts.push(asText(delta["content"]) ?? "");
  choice.thoughts.push(asText(delta["reasoning_content"]) ?? asText(delta["reasoning"]) ?? "");
  asList(delta["tool_calls"])
    .filter(isRecord)
    .forEach((call, place) => {
      const at = call["index"] ?? place;
      const named = asRecord(call["function"]);
      const known = choice.calls.get(at) ?? { id: undefined, name: "", args: [] };
      known.id ??= asText(call["id"]);
      known.name ||= asText(named["name"]) ?? "";
      known.args.push(asText(named["arguments"]) ?? "");
      choice.calls.set(at, known);
    });
}

function choiceOf({ texts, thoughts, calls, reason }: Choice): JsonRecord {
  const listed = Array.from(calls.values(), ({ id, name, args }) => ({
    ...(id === undefined ? {} : { id }),
    type: "function",
    function: { name, arguments: args.join("") },
  }));
  const thought = thoughts.join("");
  return {
    message: {
      role: "assistant",
      content: texts.join(""),
      ...(thought === "" ? {} : { reasoning_content: thought }),
      ...(listed.length === 0 ? {} : { tool_calls: listed }),
    },
    finish_reason: reason,
  };
}
