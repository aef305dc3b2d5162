import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readCutJson } from "../../../src/trace/formats/otel/cut-json.ts";
import { importContent } from "./formats-support.ts";
import {
  agent,
  answers,
  calls,
  chat,
  documentOf,
  importSpans,
  reported,
  says,
  steps,
  tool,
  user,
} from "./formats-otel-support.ts";

const said = (...parts: object[]): object => ({ role: "assistant", parts, finish_reason: "stop" });

describe("parts of messages", () => {
  test.each<[string, object, string]>([
    ["an image", { type: "blob", modality: "image", mime_type: "image/png", content: "aGk=" }, "[image]"],
    ["Pydantic AI's image", { type: "binary", media_type: "image/png", content: "aGk=" }, "[image]"],
    ["Pydantic AI's document", { type: "document-url", url: "https://a.b/c" }, "[document https://a.b/c]"],
    ["a sound with its words", { type: "blob", modality: "audio", transcript: "Hello" }, "[audio] Hello"],
    [
      "a document elsewhere",
      { type: "uri", modality: "document", uri: "https://a.b/c" },
      "[document https://a.b/c]",
    ],
    ["an uploaded file", { type: "file", modality: "document", file_id: "f-1" }, "[document f-1]"],
    ["OpenAI's image", { type: "image_url", image_url: { url: "data:image/png;base64,x" } }, "[image]"],
    [
      "OpenAI's image elsewhere",
      { type: "input_image", image_url: "https://a.b/c" },
      "[image https://a.b/c]",
    ],
    ["Google's image", { inlineData: { mimeType: "image/png", data: "x" } }, "[image]"],
    ["a compaction", { type: "compaction", content: "They met." }, "[compaction] They met."],
    ["OpenAI's text", { type: "input_text", text: "Really?" }, "Really?"],
    ["Google's text", { text: "Really?" }, "Really?"],
  ])("%s is words or leaves a mark", async (_, part, mark) => {
    const read = [{ role: "user", parts: [{ type: "text", content: "See:" }, part] }];
    const { episodes, diagnostics } = await importSpans(chat({ id: "a", at: 1, read, said: [says("Yes")] }));
    expect(diagnostics).toEqual([]);
    expect(episodes[0]?.question).toBe(`See:\n${mark}`);
  });

  test("an encoded file is kept nowhere: not in a result, not in what a reply keeps", async () => {
    const content = "A".repeat(5000);
    const image = { type: "blob", modality: "image", mime_type: "image/png", content };
    const read = [{ role: "user", parts: [{ type: "text", content: "Draw" }] }, calls(["t1", "draw", {}])];
    for (const response of [
      [{ type: "text", content: "Here" }, image],
      JSON.stringify([{ type: "text", text: "Here" }, image]),
    ]) {
      const { episodes } = await importSpans(
        chat({ id: "a", at: 1, read: read.slice(0, 1), said: [calls(["t1", "draw", {}])] }),
        chat({
          id: "b",
          at: 2,
          read: [...read, { role: "tool", parts: [{ type: "tool_call_response", id: "t1", response }] }],
          said: [said(image, { type: "text", content: "There." })],
        }),
      );
      expect(episodes[0]?.steps[0]?.observation).toBe("Here\n[image]");
      expect(JSON.stringify(episodes)).not.toContain(content);
    }
  });

  test("a part of a kind that nobody knows leaves a mark with its words, and is counted", async () => {
    const unknown = [
      { type: "hologram", content: "A cube" },
      { type: "smell", content: "A".repeat(5000) },
    ];
    const read = [{ role: "user", parts: unknown }];
    const imported = await importSpans(chat({ id: "a", at: 1, read, said: [said({ type: "aura" })] }));
    expect(imported.episodes[0]?.question).toBe("[hologram] A cube\n[smell] [5000 characters]");
    expect(reported(imported, "unknown").toSorted()).toEqual([
      'message part of type "aura" ×1',
      'message part of type "hologram" ×1',
      'message part of type "smell" ×1',
    ]);
    expect(imported.diagnostics.map(({ code }) => code)).toEqual(["HASP522"]);
    expect(imported.episodes[0]?.steps[0]?.extra?.["parts"]).toEqual([{ type: "aura" }]);
  });

  test.each<[string, object[]]>([
    [
      "GenAI v0.1.0",
      [
        {
          type: "server_tool_call",
          id: "1",
          name: "web_search",
          server_tool_call: { type: "x", query: "cats" },
        },
        { type: "server_tool_call_response", id: "1", server_tool_call_response: { results: ["Siamese"] } },
      ],
    ],
    [
      "Anthropic",
      [
        { type: "server_tool_use", id: "1", name: "web_search", input: { query: "cats" } },
        { type: "web_search_tool_result", tool_use_id: "1", content: [{ title: "Siamese" }] },
      ],
    ],
    ["OpenAI", [{ type: "web_search_call", id: "1", action: { query: "cats", sources: ["Siamese"] } }]],
  ])("%s: what the provider's own tool did stands in the thought", async (_, parts) => {
    const output = [
      said({ type: "reasoning", content: "I look." }, ...parts, { type: "text", content: "One." }),
    ];
    const { episodes } = await importSpans(chat({ id: "a", at: 1, read: [user("Cats?")], said: output }));
    expect(steps(episodes[0])).toEqual([["FINAL", "One.", ""]]);
    const thought = episodes[0]?.steps[0]?.proposals[0]?.thought ?? "";
    expect(thought).toMatch(/^I look\.\n\[.*cats.*Siamese/s);
    // The words are not all that the model said.
    expect(episodes[0]?.steps[0]?.proposals[0]?.completion).toBeUndefined();
  });

  test("tools that the provider ran within a reply are steps, and the words after them the end", async () => {
    const output = [
      said(
        { type: "tool_call", id: "1", name: "web_search", arguments: { q: "cats" } },
        { type: "tool_call_response", id: "1", response: { found: 2 } },
        { type: "text", content: "Two." },
      ),
    ];
    const { episodes } = await importSpans(chat({ id: "a", at: 1, read: [user("How many?")], said: output }));
    expect(steps(episodes[0])).toEqual([
      ["web_search", "cats", '{"found":2}'],
      ["FINAL", "Two.", ""],
    ]);
  });

  test("structured attributes are read as their JSON text is", async () => {
    const value = (given: unknown): object => {
      if (typeof given === "string") return { stringValue: given };
      if (Array.isArray(given)) return { arrayValue: { values: given.map(value) } };
      const entries = Object.entries(given as object);
      return { kvlistValue: { values: entries.map(([key, inner]) => ({ key, value: value(inner) })) } };
    };
    const attributes = Object.entries({
      "gen_ai.operation.name": "chat",
      "gen_ai.system_instructions": [{ type: "text", content: "Be brief." }],
      "gen_ai.input.messages": [user("Hi?")],
      "gen_ai.output.messages": [calls(["1", "ls", { path: "/" }])],
    }).map(([key, given]) => ({ key, value: value(given) }));
    const span = { traceId: "t", spanId: "s", name: "chat", attributes };
    const { episodes } = await importContent(
      JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] }),
    );
    expect(episodes[0]).toMatchObject({ question: "Hi?", prelude: "Be brief." });
    expect(steps(episodes[0])).toEqual([["ls", "/", ""]]);
  });

  test("several replies: the first is the step's, the others are kept; pieces of one reply are one", async () => {
    const choices = await importSpans(
      chat({ id: "a", at: 1, read: [user("A word?")], said: [says("Sun"), says("Moon")] }),
    );
    expect(choices.episodes[0]?.steps[0]?.extra?.["otherChoices"]).toEqual([
      { text: "Moon", finish: "stop" },
    ]);
    const pieces = [
      { role: "assistant", parts: [{ type: "reasoning", content: "Hm." }] },
      { role: "assistant", parts: [{ type: "tool_call", id: "1", name: "ls", arguments: {} }] },
    ];
    const attributes = { "gen_ai.response.finish_reasons": ["tool_calls"] };
    const one = await importSpans(chat({ id: "a", at: 1, read: [user("List")], said: pieces, attributes }));
    expect(steps(one.episodes[0])).toEqual([["ls", "", ""]]);
    expect(one.episodes[0]?.steps[0]?.proposals[0]?.thought).toBe("Hm.");
  });

  test("tokens of the cache and of modalities; what memory and data stores are asked is a step", async () => {
    const memory = {
      id: "b",
      at: 2,
      attributes: {
        "gen_ai.operation.name": "search_memory",
        "gen_ai.memory.query.text": "diet",
        "gen_ai.memory.records": [{ content: "vegan" }],
      },
    };
    const store = {
      id: "c",
      at: 4,
      attributes: {
        "gen_ai.operation.name": "create_memory",
        "gen_ai.memory.records": [{ content: "likes figs" }],
      },
    };
    const attributes = {
      "gen_ai.usage.text.input_tokens": 90,
      "gen_ai.usage.image.input_tokens": 40,
      "gen_ai.usage.audio.output_tokens": 7,
      "gen_ai.usage.cache_read.input_tokens": 30,
    };
    const { episodes, diagnostics } = await importSpans(
      agent({ id: "a", at: 1, for: 9, agent: "cook" }),
      { ...memory, parent: "a" },
      chat({ id: "d", parent: "a", at: 3, read: [user("Dinner?")], said: [says("Figs.")], attributes }),
      { ...store, parent: "a" },
      { id: "e", parent: "a", at: 5, attributes: { "gen_ai.operation.name": "embeddings" } },
      { id: "f", parent: "a", at: 6, attributes: { "gen_ai.operation.name": "plan" } },
    );
    expect(diagnostics).toEqual([]);
    expect(episodes[0]?.question).toBe("Dinner?");
    expect(steps(episodes[0])).toEqual([
      ["search_memory", "diet", '[{"content":"vegan"}]'],
      ["FINAL", "Figs.", ""],
      ["create_memory", '[{"content":"likes figs"}]', ""],
    ]);
    expect(episodes[0]?.steps[1]?.proposals[0]?.usage).toEqual({
      inputTokens: 130,
      cachedInputTokens: 30,
      outputTokens: 7,
      latencyMs: 1000,
    });
    expect(episodes[0]?.extra?.["spans"]).toHaveLength(3);
  });
});

describe("attributes that were cut", () => {
  const long = "word ".repeat(100);
  const cut = (value: unknown, length: number): string => JSON.stringify(value).slice(0, length);

  test.each([90, 128, 200, 333])(
    "at %i characters: the words before the cut are kept, and it is said",
    async (at) => {
      const attributes = {
        "gen_ai.input.messages": cut([user(`Sum up: ${long}`)], at),
        "gen_ai.output.messages": cut([says(`In short: ${long}`)], at),
      };
      const { episodes, diagnostics } = await importSpans(chat({ id: "a", at: 1, attributes }));
      expect(episodes[0]?.question).toMatch(/^Sum up: word/);
      const [step] = episodes[0]?.steps ?? [];
      // A reply that was cut is no last word.
      expect([step?.executed.type, step?.executed.arg.slice(0, 14)]).toEqual(["other", "In short: word"]);
      expect(step?.proposals[0]?.messages).toBeUndefined();
      expect(diagnostics.map(({ message }) => message)).toEqual([
        "Line 1: attributes are cut off: `gen_ai.input.messages` ×1, `gen_ai.output.messages` ×1. The words before the cut are imported; such requests are no prompts.",
      ]);
    },
  );

  test("the mark of VS Code, a name that was cut, and plain texts that the same limit cut", async () => {
    const marked = `${cut([user(`Fix it: ${long}`)], 80)}...[truncated, original 600 chars]`;
    const whole = JSON.stringify([calls(["c1", "run_in_terminal", { command: "ls" }])]);
    const reply = whole.slice(0, whole.indexOf("_in_terminal"));
    const attributes = { "gen_ai.input.messages": marked, "gen_ai.output.messages": reply };
    const { episodes, diagnostics } = await importSpans(
      chat({ id: "a", at: 1, attributes }),
      tool({ id: "b", at: 2, tool: "run_in_terminal", callId: "c1", result: "x".repeat(reply.length) }),
    );
    expect(episodes[0]?.question).toMatch(/^Fix it: (?:word )+w$/);
    expect(steps(episodes[0])).toEqual([["run_in_terminal", "", "x".repeat(reply.length)]]);
    expect(diagnostics[0]?.message).toContain("`gen_ai.tool.call.result` ×1");
  });

  test("a request that is cut within what was heard before is not heard again", async () => {
    const first = [user("Read both files."), calls(["c1", "read", {}])];
    const history = [...first, answers("c1", long), calls(["c2", "read", {}]), answers("c2", "short")];
    const { episodes } = await importSpans(
      chat({ id: "a", at: 1, read: first.slice(0, 1), said: [calls(["c1", "read", {}])] }),
      chat({ id: "b", at: 3, read: history.slice(0, 3), said: [calls(["c2", "read", {}])] }),
      chat({
        id: "c",
        at: 5,
        said: [says("Done")],
        attributes: { "gen_ai.input.messages": cut(history, 300) },
      }),
    );
    expect(steps(episodes[0])).toEqual([
      ["read", "", long],
      ["read", "", ""],
      ["FINAL", "Done", ""],
    ]);
  });

  test("a text that is no JSON stays a text", async () => {
    const attributes = { "gen_ai.input.messages": "[{'role': 'user'}]", "gen_ai.output.messages": "Fine." };
    const { episodes } = await importSpans(chat({ id: "a", at: 1, attributes }));
    expect(episodes[0]).toMatchObject({ question: "[{'role': 'user'}]", answer: "Fine." });
  });

  test("property: any beginning of JSON is read as far as it goes", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), fc.nat(), (json, at) => {
        const text = JSON.stringify([JSON.parse(json)]);
        const part = text.slice(0, at % text.length);
        const value = readCutJson(part);
        if (part === "") expect(value).toBeUndefined();
        else expect(Array.isArray(value)).toBe(true);
      }),
    );
    expect(readCutJson(String.raw`["a\u12`)).toEqual(["a"]);
    expect(readCutJson(String.raw`["a\\`)).toEqual(["a\\"]);
    expect(readCutJson('{"a":[1,2')).toEqual({ a: [1] });
    expect(readCutJson('{"a":"b","c')).toEqual({ a: "b" });
  });
});

test("spans in documents of their own, and a document that breaks off", async () => {
  const text = JSON.stringify(
    documentOf(
      chat({ id: "a", at: 1, read: [user("List")], said: [calls(["1", "ls", {}])] }),
      tool({ id: "b", at: 2, tool: "ls", callId: "1", result: "x".repeat(500) }),
    ),
  );
  const { episodes, diagnostics } = await importContent(text.slice(0, -200));
  expect(steps(episodes[0])).toEqual([["ls", "", ""]]);
  expect(diagnostics.map(({ code }) => code)).toContain("HASP536");
  expect(episodes[0]?.stopReason).toBe("interrupted");
  const lines = ["One?", "Two?"].map((words, n) =>
    JSON.stringify(
      documentOf(chat({ id: "a", trace: `t${n}`, at: n, read: [user(words)], said: [says("Yes")] })),
    ),
  );
  const cut = await importContent(lines.join("\n").slice(0, -3), "x.jsonl");
  expect(cut.episodes.map(({ stopReason, answer }) => [stopReason, answer])).toEqual([
    ["final", "Yes"],
    ["interrupted", undefined],
  ]);
});
