export const call = (id: string, name: string, args: string): object => ({
  id,
  type: "function",
  function: { name, arguments: args },
});
export const CHAT = {
  model: "gpt",
  messages: [
    { role: "system", content: "You are terse." },
    { role: "user", content: "Weather?" },
    {
      role: "assistant",
      content: null,
      tool_calls: [call("1", "get_weather", '{"city":"Paris"}'), call("2", "clock", "{}")],
    },
    { role: "tool", tool_call_id: "2", content: "noon" },
    { role: "tool", tool_call_id: "1", content: "rain" },
    { role: "assistant", content: "Rain at noon." },
  ],
};

export const attribute = (key: string, value: unknown): object => ({
  key,
  value:
    typeof value === "number"
      ? { intValue: String(value) }
      : { stringValue: typeof value === "string" ? value : JSON.stringify(value) },
});
export const span = (
  id: string,
  start: number,
  attributes: Record<string, unknown>,
  more: object = {},
): object => ({
  traceId: "abc",
  spanId: id,
  name: id,
  startTimeUnixNano: `${start}000000000`,
  endTimeUnixNano: `${start + 1}000000000`,
  attributes: Object.entries(attributes).map(([key, value]) => attribute(key, value)),
  ...more,
});
export const otlp = (...spans: object[]): object => ({
  resourceSpans: [{ resource: { attributes: [attribute("service.name", "bot")] }, scopeSpans: [{ spans }] }],
});
const said = (role: string, ...parts: object[]): object => ({ role, parts });
export const OTEL = [
  otlp(
    span("s3", 30, {
      "gen_ai.operation.name": "chat",
      "gen_ai.input.messages": [
        said("user", { type: "text", content: "Weather?" }),
        said("assistant", { type: "tool_call", id: "c1", name: "get_weather", arguments: { city: "Paris" } }),
        said("tool", { type: "tool_call_response", id: "c1", response: "rain" }),
      ],
      "gen_ai.output.messages": [
        { ...said("assistant", { type: "text", content: "Rain." }), finish_reason: "stop" },
      ],
    }),
    span("s2", 20, {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "get_weather",
      "gen_ai.tool.call.id": "c1",
      "gen_ai.tool.call.result": "rain",
    }),
  ),
  otlp(
    span("s1", 10, {
      "gen_ai.operation.name": "chat",
      "gen_ai.request.model": "gpt",
      "gen_ai.usage.input_tokens": 7,
      "gen_ai.usage.output_tokens": 3,
      "gen_ai.system_instructions": [{ type: "text", content: "Be brief." }],
      "gen_ai.input.messages": [said("user", { type: "text", content: "Weather?" })],
      "gen_ai.output.messages": [
        said(
          "assistant",
          { type: "reasoning", content: "I look." },
          { type: "tool_call", id: "c1", name: "get_weather", arguments: { city: "Paris" } },
        ),
      ],
    }),
    span("s4", 40, { "http.method": "GET" }),
  ),
];

export const SAMPLE = {
  id: "q1",
  epoch: 1,
  input: "Weather?",
  target: "rain",
  messages: [
    { role: "user", content: "attachment://ab12" },
    {
      role: "assistant",
      content: "",
      tool_calls: [{ id: "1", function: "bash", arguments: { cmd: "curl" }, type: "function" }],
    },
    {
      role: "tool",
      tool_call_id: "1",
      function: "bash",
      content: "",
      error: { type: "timeout", message: "too slow" },
    },
    {
      role: "assistant",
      content: [
        { type: "reasoning", reasoning: "hm" },
        { type: "text", text: "rain" },
      ],
    },
  ],
  attachments: { ab12: "Weather?" },
  scores: { match: { value: "C", explanation: "the answer is right" } },
};
export const INSPECT = {
  version: 2,
  status: "success",
  eval: { task: "t", model: "m", model_args: { api_key: "secret" } },
  samples: [SAMPLE],
};

export const TRAJ = {
  trajectory: [
    {
      action: "ls -a\n",
      observation: "main.py",
      thought: "look",
      response: "look",
      state: "{}",
      execution_time: 0.5,
      query: [1],
    },
    { action: "&& x", observation: "", thought: "odd" },
    { action: "submit", observation: "done", thought: "submit" },
  ],
  history: [
    { role: "system", content: "You program." },
    { role: "user", content: "a demo", is_demo: true },
    { role: "user", content: "Fix it." },
    { role: "assistant", content: "look", action: "ls -a\n" },
    { role: "assistant", content: "submit", action: "submit", tool_calls: [call("9", "submit", "{}")] },
  ],
  info: {
    exit_status: "submitted",
    submission: "diff",
    model_stats: { instance_cost: 0.5, tokens_sent: 9, tokens_received: 1 },
  },
  replay_config: JSON.stringify({ agent: { model: { name: "m", api_key: "secret" } } }),
};
