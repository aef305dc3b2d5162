import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Imported } from "./formats-support.ts";
import { importContent } from "./formats-support.ts";
import {
  chat,
  importSpans,
  outline,
  reported,
  says,
  steps,
  type TestSpan,
  user,
} from "./formats-otel-support.ts";

/** What real programs wrote of one talk with a scripted model; the names say which, and in which version. */
const recorded = (name: string): Promise<Imported> =>
  importContent(readFileSync(`test/fixtures/otel/${name}`, "utf8"));

const TURN_ONE = [
  ["weather", "Oslo"],
  ["clock", ""],
  ["FINAL", "It rains at noon."],
];
const TURN_TWO = [["FINAL", "Better stay in."]];

describe("what programs write", () => {
  test.each([
    ["vercel-ai-4.3.19.json", true],
    ["vercel-ai-6.0.325.json", true],
    ["openllmetry-openai-0.62.4-snake-case.json", true],
    ["openai-v2-2.4b0-events.json", false],
    ["openai-v2-2.4b0-details-console.txt", true],
    ["openinference-openai-0.1.66-console.txt", true],
  ])("%s: every step, result, prompt and use of tokens", async (name, counts) => {
    const { episodes, diagnostics } = await recorded(name);
    expect(diagnostics).toEqual([]);
    expect(episodes.map(({ question }) => question)).toEqual(["Weather in Oslo, and when?", "And so?"]);
    expect(episodes.map((episode) => steps(episode).map(([type, arg]) => [type, arg]))).toEqual([
      TURN_ONE,
      TURN_TWO,
    ]);
    expect(steps(episodes[0]).map(([, , seen]) => seen)).toEqual([
      expect.stringContaining("rain"),
      "noon",
      "",
    ]);
    const proposals = episodes.flatMap((episode) => episode.steps.map((step) => step.proposals[0]));
    const first = proposals.filter((_, n) => n !== 1);
    expect(first.map((proposal) => typeof proposal?.messages)).toEqual(["string", "string", "string"]);
    expect(first.map((proposal) => typeof proposal?.completion)).toEqual(["object", "object", "object"]);
    if (counts) expect(first.map((proposal) => proposal?.usage?.inputTokens)).toEqual([11, 12, 13]);
    expect(episodes[1]?.prelude).toContain(
      "Earlier in this conversation:\n\nUser: Weather in Oslo, and when?",
    );
  });

  test("vercel-ai-7: tools that call agents, side by side, and an image", async () => {
    const { episodes, diagnostics } = await recorded("vercel-ai-7.0.173-sub-agents.json");
    expect(diagnostics).toEqual([]);
    expect(outline({ episodes })).toEqual([
      ["Compare cats and dogs\n[image]", ["research", "research", "FINAL"]],
      ["Research dogs", ["lookup", "FINAL"]],
      ["Research cats", ["lookup", "FINAL"]],
    ]);
    expect(episodes.map(({ origin }) => origin?.t)).toEqual([undefined, 1, 0]);
    expect(episodes[1]?.steps[0]?.proposals[0]?.usage).toMatchObject({
      inputTokens: 10,
      cachedInputTokens: 4,
    });
  });
});

const vercel = (id: string, parent: string | undefined, at: number, attributes: object): TestSpan => ({
  id,
  parent,
  at,
  for: 1,
  attributes: { ...attributes },
});

describe("Vercel's AI SDK", () => {
  test("version 3: results, and the prompt of the span around", async () => {
    const { episodes } = await importSpans(
      vercel("a", undefined, 0, { "ai.operationId": "ai.streamText", "ai.prompt": { prompt: "Hi?" } }),
      vercel("b", "a", 1, {
        "ai.operationId": "ai.streamText.doStream",
        "ai.prompt.messages": [{ role: "user", content: [{ type: "text", text: "Hi?" }] }],
        "ai.result.text": "Ho.",
        "ai.finishReason": "stop",
        "ai.usage.promptTokens": 3,
        "ai.usage.completionTokens": 2,
      }),
    );
    expect(outline({ episodes })).toEqual([["Hi?", ["FINAL"]]]);
    expect(episodes[0]?.cost).toEqual({ inputTokens: 3, outputTokens: 2 });
  });

  test("an object as the reply, a tool that failed, and only the span around", async () => {
    const object = await importSpans(
      vercel("a", undefined, 1, {
        "ai.operationId": "ai.generateObject.doGenerate",
        "ai.prompt.messages": [{ role: "user", content: "A city?" }],
        "ai.response.object": '{"city":"Oslo"}',
        "ai.response.finishReason": "stop",
      }),
    );
    expect(steps(object.episodes[0])).toEqual([["FINAL", '{"city":"Oslo"}', ""]]);
    const failing = { "ai.operationId": "ai.toolCall", "ai.toolCall.name": "ls", "ai.toolCall.args": "{}" };
    const failed = await importSpans({
      ...vercel("b", undefined, 1, failing),
      more: { status: { code: 2, message: "no folder" } },
    });
    expect(steps(failed.episodes[0])).toEqual([["ls", "", "no folder"]]);
    const around = await importSpans(
      vercel("c", undefined, 1, {
        "ai.operationId": "ai.generateText",
        "ai.prompt": { system: "Be brief.", messages: [{ role: "user", content: "Hi?" }] },
        "ai.response.text": "Ho.",
        "ai.response.finishReason": "stop",
      }),
    );
    expect(around.episodes[0]).toMatchObject({ question: "Hi?", prelude: "Be brief.", answer: "Ho." });
  });
});

describe("OpenInference", () => {
  const llm = (more: object): object => ({
    "openinference.span.kind": "LLM",
    "llm.model_name": "m",
    ...more,
  });

  test("an agent with tools and a retriever: calls without ids find their results", async () => {
    const { episodes } = await importSpans(
      vercel("a", undefined, 0, {
        "openinference.span.kind": "AGENT",
        "input.value": "Compare",
        "agent.name": "cmp",
      }),
      vercel("r", "a", 1, {
        "openinference.span.kind": "RETRIEVER",
        "input.value": "pets",
        "output.value": "cats, dogs",
      }),
      vercel(
        "b",
        "a",
        2,
        llm({
          "llm.input_messages.0.message.role": "system",
          "llm.input_messages.0.message.content": "Be brief.",
          "llm.input_messages.1.message.role": "user",
          "llm.input_messages.1.message.contents.0.message_content.type": "text",
          "llm.input_messages.1.message.contents.0.message_content.text": "Compare",
          "llm.input_messages.1.message.contents.1.message_content.type": "image",
          "llm.input_messages.1.message.contents.1.message_content.image.image.url": "https://a.b/c.png",
          "llm.output_messages.0.message.role": "assistant",
          "llm.output_messages.0.message.tool_calls.0.tool_call.function.name": "look",
          "llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments": '{"at":"cat"}',
          "llm.output_messages.0.message.tool_calls.1.tool_call.function.name": "smell",
          "llm.output_messages.0.message.tool_calls.1.tool_call.function.arguments": '{"at":"dog"}',
          "llm.token_count.prompt": 9,
          "llm.token_count.completion": 4,
          "llm.token_count.prompt_details.cache_read": 5,
        }),
      ),
      // The second call is done first.
      vercel("d", "a", 3, { "openinference.span.kind": "TOOL", "tool.name": "smell", "output.value": "wet" }),
      vercel("c", "a", 4, { "openinference.span.kind": "TOOL", "tool.name": "look", "output.value": "grey" }),
      vercel("e", "a", 5, llm({ "input.value": "…", "output.value": "Both.", "llm.finish_reason": "stop" })),
    );
    expect(episodes[0]).toMatchObject({ question: "Compare", settings: { model: "m", agent: "cmp" } });
    expect(episodes[0]?.prelude).toBe("Be brief.\n\nCompare\n[image https://a.b/c.png]");
    expect(steps(episodes[0]).slice(0, 3)).toEqual([
      ["retrieval", "pets", "cats, dogs"],
      ["look", "cat", "grey"],
      ["smell", "dog", "wet\n\n…"],
    ]);
    expect(episodes[0]?.steps[1]?.proposals[0]?.usage).toMatchObject({ cachedInputTokens: 5 });
  });

  test("a request and a response as one attribute each", async () => {
    const { episodes } = await importSpans(
      vercel(
        "a",
        undefined,
        1,
        llm({
          "input.value": { messages: [{ role: "user", content: "Hi?" }], tools: [] },
          "output.value": {
            choices: [{ finish_reason: "stop", message: { role: "assistant", content: "Ho." } }],
          },
        }),
      ),
    );
    expect(episodes[0]).toMatchObject({ question: "Hi?", answer: "Ho." });
  });

  test("prompts and choices of completions, and the old function call", async () => {
    const { episodes } = await importSpans(
      vercel(
        "a",
        undefined,
        1,
        llm({ "llm.prompts.0.prompt.text": "Once upon", "llm.choices.0.completion.text": "a time" }),
      ),
      vercel(
        "b",
        undefined,
        3,
        llm({
          "llm.input_messages.0.message.role": "user",
          "llm.input_messages.0.message.content": "List",
          "llm.output_messages.0.message.role": "assistant",
          "llm.output_messages.0.message.function_call_name": "ls",
          "llm.output_messages.0.message.function_call_arguments_json": '{"in":"/"}',
        }),
      ),
    );
    expect(episodes.map((episode) => [episode.question, steps(episode)])).toEqual([
      ["Once upon", [["FINAL", "a time", ""]]],
      ["List", [["ls", "/", ""]]],
    ]);
  });
});

describe("OpenLLMetry (Traceloop) and Langfuse", () => {
  test("one attribute a field of each message", async () => {
    const { episodes } = await importSpans(
      vercel("w", undefined, 0, { "traceloop.span.kind": "workflow", "traceloop.entity.name": "joke" }),
      vercel("a", "w", 1, {
        "llm.request.type": "chat",
        "gen_ai.prompt.0.role": "system",
        "gen_ai.prompt.0.content": "Be brief.",
        "gen_ai.prompt.1.role": "user",
        "gen_ai.prompt.1.content": '[{"type":"text","text":"List"}]',
        "gen_ai.completion.0.role": "assistant",
        "gen_ai.completion.0.finish_reason": "tool_calls",
        "gen_ai.completion.0.tool_calls.0.id": "c1",
        "gen_ai.completion.0.tool_calls.0.name": "ls",
        "gen_ai.completion.0.tool_calls.0.arguments": '{"in":"/"}',
        "llm.request.functions.0.name": "ls",
        "gen_ai.usage.prompt_tokens": 7,
        "gen_ai.usage.completion_tokens": 2,
      }),
      vercel("b", "w", 2, {
        "traceloop.span.kind": "tool",
        "traceloop.entity.name": "ls",
        "traceloop.entity.output": "a b",
      }),
    );
    expect(episodes[0]).toMatchObject({
      question: "List",
      prelude: "Be brief.",
      settings: { agent: "joke" },
    });
    expect(steps(episodes[0])).toEqual([["ls", "/", "a b"]]);
    expect(episodes[0]?.cost).toEqual({ inputTokens: 7, outputTokens: 2 });
  });

  test("Langfuse: a generation, its tool and the agent around them", async () => {
    const observation = (type: string, input: unknown, output: unknown, more: object = {}): object => ({
      "langfuse.observation.type": type,
      "langfuse.observation.input": input,
      "langfuse.observation.output": output,
      ...more,
    });
    const { episodes } = await importSpans(
      vercel("a", undefined, 0, observation("agent", [{ role: "user", content: "List" }], "Done")),
      vercel(
        "b",
        "a",
        1,
        observation(
          "generation",
          [{ role: "user", content: "List" }],
          {
            role: "assistant",
            content: "",
            tool_calls: [{ id: "1", function: { name: "ls", arguments: "{}" } }],
          },
          {
            "langfuse.observation.model.name": "m",
            "langfuse.observation.usage_details": '{"input":8,"output":2,"total":10}',
            "langfuse.observation.cost_details": '{"total":0.5}',
          },
        ),
      ),
      { ...vercel("c", "a", 2, observation("tool", "{}", "a b")), name: "ls" },
      vercel("d", "a", 3, observation("generation", "Say that you are done", "Done")),
    );
    expect(episodes[0]?.question).toBe("List");
    expect(steps(episodes[0])).toEqual([
      ["ls", "", "a b\n\nSay that you are done"],
      ["FINAL", "Done", ""],
    ]);
    expect(episodes[0]).toMatchObject({
      settings: { model: "m" },
      cost: { inputTokens: 8, outputTokens: 2, cost: 0.5 },
    });
  });

  test("Google's ADK: a request, a response and a tool", async () => {
    const contents = [{ role: "user", parts: [{ text: "List" }] }];
    const response = {
      content: { role: "model", parts: [{ function_call: { id: "1", name: "ls", args: { in: "/" } } }] },
    };
    const { episodes } = await importSpans(
      { id: "a", at: 0, for: 9, name: "invoke_agent helper", attributes: {} },
      vercel("b", "a", 1, {
        "gen_ai.request.model": "m",
        "gcp.vertex.agent.llm_request": { contents, config: { system_instruction: "Be brief." } },
        "gcp.vertex.agent.llm_response": response,
      }),
      {
        ...vercel("c", "a", 2, {
          "gen_ai.tool.call.id": "1",
          "gcp.vertex.agent.tool_response": { result: "a b" },
        }),
        name: "execute_tool ls",
      },
    );
    expect(episodes[0]).toMatchObject({ question: "List", prelude: "Be brief." });
    expect(steps(episodes[0])).toEqual([["ls", "/", '{"result":"a b"}']]);
    const cut = await importSpans(
      vercel("b", undefined, 1, {
        "gen_ai.request.model": "m",
        "gcp.vertex.agent.llm_request": { contents },
        "gcp.vertex.agent.llm_response": {
          candidates: [{ content: { role: "model", parts: [{ text: "And" }] } }],
        },
        "gen_ai.response.finish_reasons": '["MAX_TOKENS"]',
      }),
    );
    expect(steps(cut.episodes[0])).toEqual([["other", "And", ""]]);
    const hidden = { "gen_ai.request.model": "m", "gcp.vertex.agent.llm_request": {} };
    const silent = await importSpans(
      vercel("b", undefined, 1, { ...hidden, "gcp.vertex.agent.llm_response": {} }),
    );
    expect(silent.diagnostics[0]?.message).toContain("tells nothing of what the model said");
  });

  test("a workflow's own input is not taken for what a model said", async () => {
    const imported = await importSpans(
      vercel("w", undefined, 0, {
        "traceloop.span.kind": "workflow",
        "traceloop.entity.input": '{"args":[]}',
      }),
    );
    expect(imported.episodes).toEqual([]);
    expect(imported.diagnostics[0]?.message).toContain("has no chat and no tool span");
  });
});

test("an operation that nobody knows is counted; one that tells messages is a chat", async () => {
  const imported = await importSpans(
    { id: "a", at: 1, attributes: { "gen_ai.operation.name": "dream" } },
    chat({
      id: "b",
      at: 2,
      read: [user("Hi?")],
      said: [says("Ho.")],
      attributes: { "gen_ai.operation.name": "converse" },
    }),
  );
  expect(outline(imported)).toEqual([["Hi?", ["FINAL"]]]);
  expect(reported(imported, "unknown")).toEqual(['gen_ai.operation.name "dream" ×1']);
});
