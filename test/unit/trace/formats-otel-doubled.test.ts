import { describe, expect, test } from "vitest";
import { chat, importSpans, outline, says, steps, type TestSpan, user } from "./formats-otel-support.ts";

describe("instrumentations that tell one thing twice, or under two names", () => {
  const gen = (given: Record<string, unknown>): Record<string, unknown> => ({
    "gen_ai.operation.name": "chat",
    "gen_ai.response.id": "m1",
    "gen_ai.usage.input_tokens": 7,
    ...given,
  });
  const talk = {
    "gen_ai.input.messages": JSON.stringify([user("Weather?")]),
    "gen_ai.output.messages": JSON.stringify([says("Rain.")]),
  };
  const span = (id: string, parent: string | undefined, at: number, attributes: object): TestSpan => ({
    id,
    parent,
    at,
    for: 1,
    attributes: { ...attributes },
  });

  test("a client's own span beside that of an instrumentation is no second step, and counts nothing", async () => {
    const turn = span("t", undefined, 0, {});
    const { episodes, diagnostics } = await importSpans(
      turn,
      { ...span("a", "t", 1, gen(talk)), for: 5 },
      span("b", "t", 2, gen({})),
    );
    expect(diagnostics).toEqual([]);
    expect(outline({ episodes })).toEqual([["Weather?", ["FINAL"]]]);
    expect(episodes[0]?.cost?.inputTokens).toBe(7);
    // A server of tests gives the next response the same id.
    const later = await importSpans(turn, span("a", "t", 1, gen(talk)), span("b", "t", 9, gen({})));
    expect(later.episodes.flatMap((episode) => episode.steps)).toHaveLength(2);
  });

  test("a call whose id is another one in the history is one step", async () => {
    const call = (id: string) => ({
      role: "assistant",
      parts: [{ type: "tool_call", id, name: "weather", arguments: { city: "Oslo" } }],
      finish_reason: "tool_call",
    });
    const answer = { role: "tool", parts: [{ type: "tool_call_response", id: "k1", response: "snow" }] };
    const { episodes } = await importSpans(
      chat({ id: "a", at: 1, read: [user("Oslo?")], said: [call("fc_1")] }),
      chat({ id: "b", at: 2, read: [user("Oslo?"), call("k1"), answer], said: [says("Snow.")] }),
    );
    expect(steps(episodes[0])).toEqual([
      ["weather", "Oslo", "snow"],
      ["FINAL", "Snow.", ""],
    ]);
  });

  test("OpenInference's calls among the contents are those of the list, or stand for them", async () => {
    const at = "llm.output_messages.0.message";
    const call = (place: string) => ({
      [`${place}.tool_call.id`]: "c1",
      [`${place}.tool_call.function.name`]: "weather",
      [`${place}.tool_call.function.arguments`]: '{"city":"Lima"}',
    });
    const contents = {
      "openinference.span.kind": "LLM",
      "llm.input_messages.0.message.role": "user",
      "llm.input_messages.0.message.content": "Lima?",
      [`${at}.role`]: "assistant",
      [`${at}.contents.0.message_content.type`]: "text",
      [`${at}.contents.0.message_content.text`]: "Looking.",
      [`${at}.contents.1.message_content.type`]: "tool_use",
      ...call(`${at}.contents.1`),
    };
    for (const more of [{}, call(`${at}.tool_calls.0`)]) {
      const { episodes } = await importSpans(span("a", undefined, 1, { ...contents, ...more }));
      expect(steps(episodes[0])).toEqual([["weather", "Lima", ""]]);
      expect(episodes[0]?.steps[0]?.proposals[0]?.thought).toBe("Looking.");
    }
  });
});
