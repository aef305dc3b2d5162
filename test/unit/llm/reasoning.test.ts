import { expect, test } from "vitest";
import { cachedModel } from "../../../src/llm/cached-model.ts";
import { splitReasoning } from "../../../src/llm/reasoning.ts";
import { ask, bench, failure } from "./support.ts";

test.each<[string, string, string]>([
  ["<think>I know.</think>\n\nSam", "I know.", "Sam"],
  ["\n<thinking>\nI know.\n</thinking>Sam", "I know.", "Sam"],
  ["[THINK]I know.[/THINK]Sam", "I know.", "Sam"],
  ["I know.\n</think>\n\nSam", "I know.", "Sam"],
  ["</think>Sam", "", "Sam"],
  ["</think>", "", ""],
  ["<think>I kn", "I kn", ""],
  ["Sam", "", "Sam"],
  ['{"text": "a </think> b"}', "", '{"text": "a </think> b"}'],
  ["Sam <think>", "", "Sam <think>"],
])("%j has its thoughts apart", (whole, reasoning, text) => {
  expect(splitReasoning(whole)).toEqual({ reasoning, text });
});

test.each([1, 4, 100])(
  "thoughts are no reply, and no stop text within them ends it (%i pieces)",
  async (pieces) => {
    const text = "<think>Act[1]\nResult: 5\nhm</think>\nAct[2]\nResult: 7";
    const { model } = await bench([{ kind: "text", text, pieces }]);
    let shown = "";
    const reply = await model.chat(ask("Who?", { stop: ["\nResult:"] }), {
      onText: (piece) => (shown += piece),
      onRestart: () => (shown = ""),
    });
    expect(reply).toMatchObject({ text: "Act[2]", reasoning: "Act[1]\nResult: 5\nhm", finish: "stop" });
    expect(shown).toBe("Act[2]");
  },
);

test.each(["<think>I wonder", "</think>", "I wonder\n</think>\n"])("%j is no reply", async (text) => {
  const { model, server } = await bench([{ kind: "finish", text, reason: "length" }]);
  const error = await failure(model.chat(ask()));
  expect([error.kind, error.next, server.calls.length]).toEqual(["empty_reply", "Allow longer replies.", 1]);
  if (text !== "</think>") expect(error).toMatchObject({ reasoning: "I wonder" });
});

test("a server that ends thoughts at a stop text is asked without stop texts, and from then on", async () => {
  const { model, server } = await bench(({ request }) =>
    Object.hasOwn(request, "stop")
      ? { kind: "finish", text: "<think>Act[1]", reason: "stop" }
      : { kind: "text", text: "<think>Act[1]\nResult: 5</think>Act[2]\nResult: 7" },
  );
  let shown = "";
  const request = ask("Who?", { stop: ["\nResult:"] });
  const options = { onText: (piece: string) => (shown += piece), onRestart: () => (shown = "") };
  const { text, reasoning } = await model.chat(request, options);
  expect([text, reasoning, shown]).toEqual(["Act[2]", "Act[1]\nResult: 5", "Act[2]"]);
  expect(server.calls).toHaveLength(2);
  await model.chat(request);
  expect(server.calls).toHaveLength(3);
});

test.each(["reasoning_content", "reasoning"])("thoughts in the field %s are no text", async (field) => {
  const message = { [field]: "I know.", content: "Sam" };
  const body = JSON.stringify({ choices: [{ message, finish_reason: "stop" }] });
  const { model } = await bench([{ kind: "raw", type: "application/json", body }]);
  expect(await model.chat(ask())).toMatchObject({ text: "Sam", reasoning: "I know." });
});

test("a reply in another language arrives whole", async () => {
  const text = "Мысль: 答えは東京です。🙂\nAct[東京]";
  const { model } = await bench([{ kind: "text", text, pieces: text.length }]);
  expect((await model.chat(ask("Who?", { stop: ["\nResult:"] }))).text).toBe(text);
});

test("a stream that goes on without an end after its reply is left, and the reply is kept", async () => {
  const { model, server } = await bench([{ kind: "open-end", text: "Sam" }]);
  expect(await model.chat(ask())).toMatchObject({ text: "Sam", finish: "stop", usage: { estimated: true } });
  expect(server.calls).toHaveLength(1);
});

test("thoughts that do not end are left once they are far beyond the longest reply", async () => {
  const thought = { choices: [{ index: 0, delta: { reasoning_content: "hm ".repeat(1000) } }] };
  const body = `data: ${JSON.stringify(thought)}\n\n`.repeat(1000);
  const { model } = await bench([{ kind: "raw", type: "text/event-stream", body }]);
  const error = await failure(model.chat(ask()));
  expect([error.kind, error.next]).toEqual(["empty_reply", "Allow longer replies."]);
  expect(error.reasoning?.length).toBeLessThan(10_000);
});

test("a cached reply has its thoughts, too", async () => {
  const kept = new Map<string, string>();
  const cache = {
    get: async (key: string) => kept.get(key),
    put: async (key: string, text: string) => void kept.set(key, text),
  };
  const { model, server } = await bench([{ kind: "text", text: "<think>I know.</think>Sam" }]);
  const cached = cachedModel(model, cache);
  await cached.chat(ask());
  expect(await cached.chat(ask())).toMatchObject({ text: "Sam", reasoning: "I know.", cached: true });
  expect(server.calls).toHaveLength(1);
});
