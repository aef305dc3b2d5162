import { describe, expect, test } from "vitest";
import { importContent, importValue, lines, step } from "./formats-support.ts";
import { promptsOf } from "./formats-prompts.ts";

const ask = (text: string): object => ({ role: "user", content: text });
const use = (id: string, name: string, input: object): object => ({ type: "tool_use", id, name, input });
const result = (id: string, content: unknown, more: object = {}): object => ({
  type: "tool_result",
  tool_use_id: id,
  content,
  ...more,
});
const picture = (bytes: number): object => ({
  type: "image",
  source: { type: "base64", media_type: "image/png", data: "iVBORw0K".repeat(bytes / 8) },
});
const PICTURE = picture(8_000);

const TALK = {
  model: "claude-x",
  system: [{ type: "text", text: "Be brief.", cache_control: { type: "ephemeral" } }],
  tools: [{ name: "bash", description: "runs", input_schema: { type: "object" } }],
  messages: [
    { role: "user", content: [{ type: "text", text: "What is in it?" }, PICTURE] },
    {
      role: "assistant",
      content: [
        { type: "thinking", thinking: "Two looks.", signature: "s" },
        { type: "redacted_thinking", data: "zzz" },
        { type: "text", text: "I look." },
        use("t1", "bash", { command: "ls" }),
        use("t2", "bash", { command: "pwd", timeout: 3 }),
      ],
    },
    {
      role: "user",
      content: [
        result("t2", "/x"),
        result("t1", [{ type: "text", text: "boom" }, PICTURE], { is_error: true }),
      ],
    },
    { role: "assistant", content: [{ type: "text", text: "It is empty." }] },
  ],
};

describe("Anthropic Messages", () => {
  test("each tool_use block is a step with its own result; pictures leave marks", async () => {
    const { episodes, value, diagnostics } = await importContent(JSON.stringify(TALK));
    expect(diagnostics).toEqual([]);
    expect(value?.files[0]?.format).toBe("anthropic");
    const [episode] = episodes;
    expect(episode).toMatchObject({
      source: "anthropic",
      question: "What is in it?\n[image]",
      prelude: "Be brief.",
      answer: "It is empty.",
      settings: { model: "claude-x" },
    });
    expect(
      episode?.steps.map(({ executed, observation }) => [executed.type, executed.arg, observation]),
    ).toEqual([
      ["bash", "ls", "boom\n[image]"],
      ["bash", '{"command":"pwd","timeout":3}', "/x"],
      ["FINAL", "It is empty.", ""],
    ]);
    expect(step(episode, 0)).toMatchObject({
      result: { ok: false },
      proposals: [{ thought: "Two looks.\n\nI look." }],
    });
    expect(JSON.stringify(episode).length).toBeLessThan(5_000);
    expect(value?.files[0]?.dropped.map(({ what, times }) => [what, times])).toEqual([
      ["user messages: content that is no text", 1],
      ["assistant messages: redacted_thinking", 1],
      ["tool results: files and pictures", 1],
    ]);
  });

  test("a picture of 20 MB leaves a mark, and nothing of it is kept", async () => {
    const given = { role: "user", content: [{ type: "text", text: "See" }, picture(20_000_000)] };
    const shown = { role: "user", content: [result("t", [picture(20_000_000)])] };
    const talk = {
      messages: [given, { role: "assistant", content: [use("t", "look", {}), picture(8_000)] }, shown],
    };
    const { episodes } = await importContent(lines(talk));
    expect(episodes[0]).toMatchObject({ question: "See\n[image]", steps: [{ observation: "[image]" }] });
    expect(JSON.stringify(episodes[0])).not.toContain("iVBORw0K");
  });

  test("a proposal has the whole request before it: the system message, its tools and the talk", async () => {
    const [first, , last] = await promptsOf(JSON.stringify(TALK));
    expect(first?.map(({ role }) => role)).toEqual(["system", "user"]);
    expect(first?.[0]?.content).toBe(`Be brief.\n\n<tools>\n${JSON.stringify(TALK.tools[0])}\n</tools>`);
    expect(last?.map(({ role }) => role)).toEqual(["system", "user", "assistant", "user"]);
    expect(last?.at(-1)?.content).toContain("<tool_response>\nboom\n[image]\n</tool_response>");
  });

  test("tools of the server answer within the reply, and its words after them are the answer", async () => {
    const episode = await importValue({
      request: {
        url: "/v1/messages",
        headers: { "x-api-key": "sk-1" },
        body: { model: "c", messages: [ask("When?")] },
      },
      response: {
        status: 200,
        body: {
          id: "msg_1",
          type: "message",
          role: "assistant",
          model: "c-1",
          content: [
            { type: "server_tool_use", id: "s1", name: "web_search", input: { query: "when" } },
            {
              type: "web_search_tool_result",
              tool_use_id: "s1",
              content: [
                { type: "web_search_result", url: "https://e.org", title: "E", encrypted_content: "secret" },
              ],
            },
            { type: "mcp_tool_use", id: "m1", server_name: "db", name: "ask", input: { sql: "1" } },
            {
              type: "mcp_tool_result",
              tool_use_id: "m1",
              is_error: false,
              content: [{ type: "text", text: "one" }],
            },
            { type: "text", text: "In 1990." },
          ],
          stop_reason: "end_turn",
          usage: {
            input_tokens: 10,
            cache_read_input_tokens: 100,
            cache_creation_input_tokens: 5,
            output_tokens: 7,
          },
        },
      },
    });
    expect(
      episode.steps.map(({ executed, observation }) => [executed.type, executed.arg, observation]),
    ).toEqual([
      ["web_search", "when", '{"url":"https://e.org","title":"E"}'],
      ["mcp__db__ask", "1", "one"],
      ["FINAL", "In 1990.", ""],
    ]);
    expect(episode).toMatchObject({
      id: "msg_1",
      cost: { inputTokens: 115, cachedInputTokens: 100, outputTokens: 7 },
      settings: { model: "c-1" },
    });
    expect(JSON.stringify(episode)).not.toMatch(/sk-1|secret/);
  });

  test("a batch: requests and results that name each other are one, a failure is named", async () => {
    const asked = (id: string): object => ({
      custom_id: id,
      params: { model: "c", messages: [ask(`${id}?`)] },
    });
    const message = {
      type: "message",
      role: "assistant",
      content: [{ type: "text", text: "Cut" }],
      stop_reason: "max_tokens",
    };
    const { episodes, diagnostics } = await importContent(
      lines(
        asked("a"),
        asked("b"),
        {
          custom_id: "b",
          result: { type: "errored", error: { type: "error", error: { message: "too long" } } },
        },
        { custom_id: "a", result: { type: "succeeded", message } },
      ),
    );
    expect(episodes.map(({ id, question, steps }) => [id, question, steps[0]?.executed.type])).toEqual([
      ["a", "a?", "other"],
    ]);
    expect(step(episodes[0], 0)).toMatchObject({
      proposals: [{ completion: { text: "Cut", finish: "length" } }],
    });
    expect(diagnostics.map(({ message: text }) => text).join()).toContain("too long");
  });

  test("a reply that was logged as its stream is put together", async () => {
    const events: [string, object][] = [
      [
        "message_start",
        { message: { id: "msg_2", type: "message", role: "assistant", usage: { input_tokens: 3 } } },
      ],
      ["content_block_start", { index: 0, content_block: { type: "text", text: "" } }],
      ["content_block_delta", { index: 0, delta: { type: "text_delta", text: "I " } }],
      ["content_block_delta", { index: 0, delta: { type: "text_delta", text: "look." } }],
      [
        "content_block_start",
        { index: 1, content_block: { type: "tool_use", id: "t", name: "bash", input: {} } },
      ],
      ["content_block_delta", { index: 1, delta: { type: "input_json_delta", partial_json: '{"command"' } }],
      ["content_block_delta", { index: 1, delta: { type: "input_json_delta", partial_json: ':"ls"}' } }],
      ["message_delta", { delta: { stop_reason: "tool_use" }, usage: { output_tokens: 9 } }],
    ];
    const sse = events
      .map(([type, more]) => `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`)
      .join("");
    const logged = await importValue({
      request: { body: { model: "c", messages: [ask("Go")] } },
      response: { status_code: 200, body_raw: sse },
    });
    const { episodes } = await importContent(lines(...events.map(([type, more]) => ({ type, ...more }))));
    for (const episode of [logged, episodes[0]]) {
      expect(episode).toMatchObject({ id: "msg_2", cost: { inputTokens: 3, outputTokens: 9 } });
      expect(step(episode, 0)).toMatchObject({
        executed: { type: "bash", arg: "ls" },
        proposals: [{ thought: "I look." }],
      });
    }
  });

  test("a log of requests that go on from each other is one episode, with the tokens of each", async () => {
    const mark = { cache_control: { type: "ephemeral" } };
    const logged = (messages: object[], content: object[], input: number): object => ({
      request: { body: { model: "c", messages } },
      response: {
        body: {
          id: `msg_${input}`,
          type: "message",
          role: "assistant",
          content,
          usage: { input_tokens: input, output_tokens: 1 },
        },
      },
    });
    const said = (text: string): object[] => [{ type: "text", text }];
    const first = [{ role: "user", content: [{ type: "text", text: "Go", ...mark }] }];
    const called = [use("t1", "f", { x: 1 })];
    const second = [
      ask("Go"),
      { role: "assistant", content: called },
      { role: "user", content: [{ ...result("t1", "one"), ...mark }] },
    ];
    const third = [...second, { role: "assistant", content: said("Done.") }, ask("More")];
    const text = lines(
      logged(first, called, 1),
      logged([ask("Another")], said("Title"), 2),
      logged(second, said("Other words."), 3),
      logged(second, said("Done."), 4),
      logged(third, said("Cut"), 5),
    );
    const { episodes, value } = await importContent(text);
    expect(episodes.map((one) => [one.id, one.question, one.steps.length, one.answer])).toEqual([
      ["msg_2", "Another", 1, "Title"],
      ["msg_3", "Go", 2, "Other words."],
      ["msg_5", "Go", 3, "Cut"],
    ]);
    expect(episodes[2]?.steps.map(({ proposals }) => proposals[0]?.usage?.inputTokens)).toEqual([
      undefined,
      4,
      5,
    ]);
    expect(value?.files[0]?.mapped).toContainEqual({
      what: "requests that a later one goes on from",
      to: "its episode",
      times: 2,
    });
    const cut = await importContent(text.slice(0, -150));
    expect(cut.episodes.at(-1)).toMatchObject({ question: "Go", length: 2, stopReason: "final" });
    expect(cut.episodes.find(({ stopReason }) => stopReason === "interrupted")).toMatchObject({
      question: "Go",
    });
  });

  test("blocks of both vendors in one row; a kind that nobody knows is named", async () => {
    const { episodes, value, diagnostics } = await importContent(
      lines({
        messages: [
          { role: "system", content: "s" },
          ask("Mixed?"),
          {
            role: "assistant",
            content: [{ type: "hologram", data: 1 }, use("a", "f", { x: 1 })],
            tool_calls: [
              { id: "a", type: "function", function: { name: "f", arguments: '{"x":1}' } },
              { id: "b", type: "function", function: { name: "g", arguments: '{"y":2}' } },
            ],
          },
          { role: "tool", tool_call_id: "b", content: [result("ignored", "two")] },
          { role: "user", content: [result("a", [{ type: "text", text: "one" }])] },
        ],
      }),
    );
    expect(episodes[0]?.steps.map(({ executed, observation }) => [executed.type, observation])).toEqual([
      ["f", "one"],
      ["g", "two"],
    ]);
    expect(value?.files[0]?.unknown).toEqual([
      { what: "assistant messages: parts of type hologram", to: "not read", times: 1 },
    ]);
    expect(diagnostics.map(({ code }) => code)).toEqual(["HASP522"]);
  });

  test("a result without its call stays with what was said; a line that breaks off keeps its good part", async () => {
    const cut = lines({ ...TALK, messages: TALK.messages.slice(1) }).slice(0, -60);
    const { episodes, diagnostics } = await importContent(
      `${lines({ messages: [ask("Odd"), { role: "user", content: [result("gone", "lost")] }, { role: "assistant", content: [use("t", "f", {})] }] })}\n${cut}`,
    );
    expect(episodes[0]).toMatchObject({ prelude: "lost", question: "Odd", length: 1 });
    expect(episodes[1]).toMatchObject({ stopReason: "interrupted" });
    expect(diagnostics.map(({ code }) => code)).toContain("HASP536");
  });
});
