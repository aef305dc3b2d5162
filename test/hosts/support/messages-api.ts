import type { Api, Call, Raw, Turn } from "./model-server.ts";

/** Of a turn: other numbers for each, so that a sum tells which were counted. The end of the turn has its true output. */
const usageOf = (number: number) => ({ input_tokens: 100 + number, output_tokens: 1 });

function blockEvents(block: Raw, delta: Raw, index: number): Raw[] {
  return [
    { type: "content_block_start", index, content_block: block },
    { type: "content_block_delta", index, delta },
    { type: "content_block_stop", index },
  ];
}

function callEvents({ name, input }: Call, id: string, index: number): Raw[] {
  const delta = { type: "input_json_delta", partial_json: JSON.stringify(input) };
  return blockEvents({ type: "tool_use", id, name, input: {} }, delta, index);
}

function contentOf(turn: Turn, number: number): Raw[] {
  if ("say" in turn)
    return blockEvents({ type: "text", text: "" }, { type: "text_delta", text: turn.say }, 0);
  return turn.calls.flatMap((call, index) => callEvents(call, `toolu_${number}_${index}`, index));
}

/** Anthropic's Messages API, as Claude Code speaks it. A request without tools names a session or the like. */
export const messagesApi: Api = {
  isTurn: (url, body) =>
    url.startsWith("/v1/messages") &&
    !url.includes("count_tokens") &&
    Array.isArray(body["tools"]) &&
    body["tools"].length > 0,
  otherwise: (url, body) => {
    if (!url.startsWith("/v1/messages") || url.includes("count_tokens"))
      return { type: "application/json", text: JSON.stringify({ input_tokens: 10, data: [] }) };
    const message = {
      id: "msg_aside",
      type: "message",
      role: "assistant",
      model: body["model"],
      content: [{ type: "text", text: "A title" }],
      stop_reason: "end_turn",
      stop_sequence: null,
      usage: usageOf(0),
    };
    return { type: "application/json", text: JSON.stringify(message) };
  },
  events(turn, number, body) {
    const message = {
      id: `msg_${number}`,
      type: "message",
      role: "assistant",
      model: body["model"],
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: usageOf(number),
    };
    const stop_reason = "say" in turn ? "end_turn" : "tool_use";
    return [
      { type: "message_start", message },
      ...contentOf(turn, number),
      {
        type: "message_delta",
        delta: { stop_reason, stop_sequence: null },
        usage: { output_tokens: 10 + number },
      },
      { type: "message_stop" },
    ];
  },
};
