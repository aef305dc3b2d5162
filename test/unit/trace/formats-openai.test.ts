import { describe, expect, test } from "vitest";
import type { Episode } from "../../../src/model/episode.ts";
import { call } from "./formats-fixtures.ts";
import { promptsOf } from "./formats-prompts.ts";
import { importContent, importValue, lines, step } from "./formats-support.ts";

const ask = (text: string): object => ({ role: "user", content: text });
const say = (text: string, more: object = {}): object => ({ role: "assistant", content: text, ...more });
const acted = (episode: Episode | undefined): unknown =>
  episode?.steps.map(({ executed, observation }) => [executed.type, executed.arg, observation]);

describe("OpenAI chat", () => {
  test("what stands beside a message's words is read: thoughts, refusals, sounds, custom tools", async () => {
    const { episodes, value } = await importContent(
      lines({
        messages: [
          { role: "developer", content: "Be good." },
          {
            role: "user",
            content: [
              { type: "text", text: "Go" },
              { type: "input_audio", input_audio: { data: "AAAA".repeat(999) } },
            ],
          },
          {
            role: "assistant",
            content: null,
            reasoning_content: "one",
            reasoning_details: [{ type: "reasoning.text", text: "one" }],
            tool_calls: [{ id: "k", type: "custom", custom: { name: "code", input: "print(1)" } }],
          },
          { role: "tool", tool_call_id: "k", content: [{ type: "text", text: "1" }] },
          {
            role: "assistant",
            reasoning_details: [{ type: "reasoning.summary", summary: "two" }],
            content: null,
            refusal: "I will not.",
          },
          ask("Then sing."),
          {
            role: "assistant",
            content: null,
            audio: { id: "a", data: "AAAA".repeat(999), transcript: "La." },
          },
        ],
        parallel_tool_calls: false,
      }),
    );
    const [episode] = episodes;
    expect(episode).toMatchObject({ question: "Go\n[input_audio]", prelude: "Be good.", answer: "La." });
    expect(acted(episode)).toEqual([
      ["code", "print(1)", "1"],
      ["other", "I will not.", "Then sing."],
      ["FINAL", "La.", ""],
    ]);
    expect(episode?.steps.map(({ proposals }) => proposals[0]?.thought)).toEqual(["one", "two", ""]);
    expect(episode?.extra).toEqual({ parallel_tool_calls: false });
    expect(JSON.stringify(episode)).not.toContain("AAAA");
    expect(value?.files[0]?.unknown).toEqual([]);
  });

  test("each answer to one request is an episode; the worse of a pair is nothing to learn from", async () => {
    const { episodes } = await importContent(
      lines(
        {
          id: "n",
          messages: [ask("Two?")],
          response: {
            choices: [
              { index: 0, finish_reason: "length", message: say("One") },
              { index: 1, finish_reason: "stop", message: say("Two") },
            ],
            usage: { prompt_tokens: 5, completion_tokens: 9, prompt_tokens_details: { cached_tokens: 2 } },
          },
        },
        {
          input: { messages: [ask("Pair?")] },
          preferred_output: [say("yes")],
          non_preferred_output: [say("no")],
        },
        { prompt: [ask("Triple?")], chosen: [say("c")], rejected: [say("r")] },
      ),
    );
    expect(
      episodes.map(({ id, question, answer, sample }) => [id.replace(/^.*~/, "~"), question, answer, sample]),
    ).toEqual([
      ["n", "Two?", undefined, 1],
      ["~choice-2", "Two?", "Two", 2],
      ["~chosen", "Pair?", "yes", 1],
      ["~rejected", "Pair?", "no", 2],
      ["~chosen", "Triple?", "c", 1],
      ["~rejected", "Triple?", "r", 2],
    ]);
    expect(episodes[0]?.cost).toEqual({ inputTokens: 5, cachedInputTokens: 2, outputTokens: 9 });
    expect(episodes[1]?.cost).toBeUndefined();
    const completions = episodes.map(({ steps }) => steps[0]?.proposals[0]?.completion?.finish);
    expect(completions).toEqual(["length", "stop", "stop", undefined, "stop", undefined]);
  });

  test("rows for fine-tuning: what has a weight of 0 has no prompt, the rest has the tools", async () => {
    const row = {
      messages: [ask("a"), say("b", { weight: 0 }), ask("c"), say("d", { weight: 1 })],
      tools: [{ type: "function" }],
    };
    const [first, second] = await promptsOf(lines(row));
    expect(first).toBeUndefined();
    expect(second?.map(({ role, content }) => [role, content])).toEqual([
      ["system", '<tools>\n{"type":"function"}\n</tools>'],
      ["user", "a"],
      ["assistant", "b"],
      ["user", "c"],
    ]);
  });

  test("rows of data sets: a list as text of JSON, under another name, with tools as text", async () => {
    const talk = [
      ask("Go"),
      say("", { tool_calls: [call("1", "f", '{"x":1}')] }),
      { role: "tool", tool_call_id: "1", content: "r" },
      say("Gone."),
    ];
    const { episodes, diagnostics } = await importContent(
      lines(
        { instance_id: "a", trajectory: talk },
        { traj_id: "b", messages: JSON.stringify(talk), tools: '[{"type":"function"}]' },
      ),
    );
    expect(diagnostics.filter(({ code }) => code !== "HASP531")).toEqual([]);
    for (const episode of episodes)
      expect(acted(episode)).toEqual([
        ["f", '{"x":1}', "r"],
        ["FINAL", "Gone.", ""],
      ]);
    expect(episodes.map(({ extra }) => extra)).toEqual([
      { instance_id: "a" },
      { traj_id: "b", tools: [{ type: "function" }] },
    ]);
  });

  test("ShareGPT's turns, also with calls in a turn of their own or between tags", async () => {
    const { episodes } = await importContent(
      JSON.stringify([
        {
          conversations: [
            { from: "system", value: "s" },
            { from: "human", value: "One?" },
            { from: "function_call", value: '{"name":"f","arguments":{"x":1}}' },
            { from: "observation", value: "42" },
            { from: "gpt", value: "It is 42." },
          ],
        },
        {
          conversations: [
            { from: "human", value: "Two?" },
            { from: "gpt", value: 'I ask. <tool_call>\n{"name":"f","arguments":{"x":2}}\n</tool_call>' },
            { from: "tool", value: "<tool_response>\n43\n</tool_response>" },
            { from: "gpt", value: "<tool_call> is a tag." },
          ],
        },
      ]),
      "x.json",
    );
    expect(episodes.map(acted)).toEqual([
      [
        ["f", '{"x":1}', "42"],
        ["FINAL", "It is 42.", ""],
      ],
      [
        ["f", '{"x":2}', "43"],
        ["FINAL", "<tool_call> is a tag.", ""],
      ],
    ]);
  });

  test("a run of LangSmith: LangChain's messages, calls listed twice counted once", async () => {
    const made = (name: string, kwargs: object): object => ({
      lc: 1,
      type: "constructor",
      id: ["langchain_core", "messages", name],
      kwargs,
    });
    const episode = await importValue({
      id: "run-1",
      run_type: "llm",
      inputs: {
        messages: [
          [
            made("HumanMessage", { content: "Go" }),
            made("AIMessage", {
              content: [{ type: "tool_use", id: "x", name: "f", input: { a: 1 } }],
              tool_calls: [{ name: "f", args: { a: 1 }, id: "x", type: "tool_call" }],
              invalid_tool_calls: [{ name: "g", args: "{bad", id: "y", error: "no JSON" }],
            }),
            made("ToolMessage", { content: "r", tool_call_id: "x" }),
          ],
        ],
      },
      outputs: {
        generations: [
          [
            {
              message: made("AIMessage", {
                content: "Fin",
                usage_metadata: { input_tokens: 4, output_tokens: 2 },
              }),
            },
          ],
        ],
      },
    });
    expect(acted(episode)).toEqual([
      ["f", '{"a":1}', "r"],
      ["g", "{bad", ""],
      ["FINAL", "Fin", ""],
    ]);
    expect(episode).toMatchObject({ id: "run-1", cost: { inputTokens: 4, outputTokens: 2 } });
  });

  test("litellm's log, a file of one message a line, Goose's parts, and chunks of a stream", async () => {
    const chunk = (delta: object, finish: string | null = null): object => ({
      id: "s",
      choices: [{ index: 0, delta, finish_reason: finish }],
    });
    const { episodes } = await importContent(
      lines(
        {
          id: "lite",
          call_type: "acompletion",
          messages: JSON.stringify([ask("Hi?")]),
          response: JSON.stringify({ choices: [{ message: say("Ho.") }] }),
          response_cost: 0.5,
        },
        {
          request: { messages: [ask("Stream?")] },
          response: [
            chunk({ content: "a" }),
            chunk({ tool_calls: [{ index: 0, id: "c", function: { name: "f", arguments: '{"x":' } }] }),
            chunk({ tool_calls: [{ index: 0, function: { arguments: "1}" } }] }),
            chunk({}, "tool_calls"),
          ],
        },
        {
          id: "goose",
          conversation: [
            { role: "user", created: 1, content: [{ type: "text", text: "List." }] },
            {
              role: "assistant",
              created: 2,
              content: [
                {
                  type: "toolRequest",
                  id: "g",
                  toolCall: { status: "success", value: { name: "shell", arguments: { command: "ls" } } },
                },
              ],
            },
            {
              role: "user",
              created: 3,
              content: [{ type: "toolResponse", id: "g", toolResult: { status: "error", error: "denied" } }],
            },
          ],
        },
      ),
    );
    // Logged requests wait for one that goes on from them.
    expect(episodes.map(acted)).toEqual([
      [["shell", "ls", "denied"]],
      [["FINAL", "Ho.", ""]],
      [["f", '{"x":1}', ""]],
    ]);
    expect(episodes[1]?.cost).toEqual({ inputTokens: 0, outputTokens: 0, cost: 0.5 });
    expect(step(episodes[0], 0)).toMatchObject({ result: { ok: false } });
    const talk = await importContent(
      lines(ask("One"), say("", { tool_calls: [call("1", "f", "{}")] }), {
        role: "tool",
        tool_call_id: "1",
        content: "r",
      }),
    );
    expect(acted(talk.episodes[0])).toEqual([["f", "", "r"]]);
  });

  test("an array over several lines is one document, though its last line is a value by itself", async () => {
    const text = `[\n${JSON.stringify(ask("Go"))},\n${JSON.stringify(say("Gone"))}\n]`;
    const { episodes, diagnostics } = await importContent(text, "chat.json");
    expect([diagnostics, episodes.map(({ question, answer }) => [question, answer])]).toEqual([
      [],
      [["Go", "Gone"]],
    ]);
    const row = `{"messages": [\n${JSON.stringify(ask("Go"))},\n${JSON.stringify(say("Gone"))}\n], "model": "m`;
    expect((await importContent(row, "chat.json")).episodes).toMatchObject([
      { question: "Go", stopReason: "interrupted" },
    ]);
  });
});
