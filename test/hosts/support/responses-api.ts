import type { Api, Call, Raw, Turn } from "./model-server.ts";

function callItem({ name, input, namespace }: Call, id: string): Raw {
  // A tool whose input is no JSON, such as a patch.
  if (typeof input === "string")
    return { type: "custom_tool_call", id: `ctc_${id}`, call_id: `call_${id}`, name, input };
  return {
    type: "function_call",
    id: `fc_${id}`,
    call_id: `call_${id}`,
    name,
    ...(namespace !== undefined && { namespace }),
    arguments: JSON.stringify(input),
  };
}

function itemsOf(turn: Turn, number: number): Raw[] {
  if ("calls" in turn) return turn.calls.map((call, index) => callItem(call, `${number}_${index}`));
  const content = [{ type: "output_text", text: turn.say }];
  return [{ type: "message", id: `msg_${number}`, role: "assistant", content }];
}

/** Of a turn: other numbers for each, so that a sum tells which were counted. */
const usageOf = (number: number) => ({
  input_tokens: 100 + number,
  input_tokens_details: null,
  output_tokens: 10 + number,
  output_tokens_details: null,
  total_tokens: 110 + 2 * number,
});

/** OpenAI's Responses API, as Codex speaks it. */
export const responsesApi: Api = {
  isTurn: (url) => url.startsWith("/v1/responses"),
  otherwise: () => ({ type: "application/json", text: JSON.stringify({ data: [], models: [] }) }),
  events: (turn, number) => [
    { type: "response.created", response: { id: `resp_${number}` } },
    ...itemsOf(turn, number).map((item, output_index) => ({
      type: "response.output_item.done",
      output_index,
      item,
    })),
    { type: "response.completed", response: { id: `resp_${number}`, usage: usageOf(number) } },
  ],
};
