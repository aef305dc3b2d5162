import { expect, test } from "vitest";
import type { Behaviour } from "../../support/loopback-model.ts";
import { ask, bench } from "./support.ts";

const good: Behaviour = { kind: "text", text: "Sam Walton did." };
const SCHEMA = { type: "object", properties: { name: { type: "string" } } };

test("stop sequences and a schema are sent: at most four, none of them empty", async () => {
  const { model, server } = await bench([good]);
  await model.chat(ask("Who?", { stop: ["", "\nResult:", "a", "b", "c", "d"], schema: SCHEMA }));
  expect(server.calls[0]?.request).toMatchObject({
    stop: ["\nResult:", "a", "b", "c"],
    response_format: { type: "json_schema", json_schema: { name: "reply", schema: SCHEMA, strict: true } },
  });
});

test("without a stop sequence the field is absent: some servers refuse an empty list", async () => {
  const { model, server } = await bench([good]);
  await model.chat(ask("Who?", { stop: [""] }));
  expect(Object.keys(server.calls[0]?.request ?? {})).not.toContain("stop");
});

test("an endpoint that refuses stop sequences or a schema is asked without them, and from then on", async () => {
  const { model, server } = await bench([{ kind: "text", text: "Sam.\nResult: 7" }], {
    refuses: ["stop", "response_format"],
  });
  const request = ask("Who?", { stop: ["\nResult:"], schema: SCHEMA });
  expect(await model.chat(request)).toMatchObject({ text: "Sam.", finish: "stop" });
  expect(server.calls).toHaveLength(3);
  await model.chat(request);
  expect(server.calls).toHaveLength(4);
});

test("the reasoning models' way to refuse stop sequences is known", async () => {
  const message = "Unsupported parameter: 'stop' is not supported with this model.";
  const { model, server } = await bench(({ request }) =>
    Object.hasOwn(request, "stop") ? { kind: "status", status: 400, message } : good,
  );
  expect((await model.chat(ask("Who?", { stop: ["\nResult:"] }))).text).toBe("Sam Walton did.");
  expect(server.calls).toHaveLength(2);
});

test("a refusal that has nothing to do with them is not asked again", async () => {
  const { model, server } = await bench([{ kind: "status", status: 400, message: "We stopped the service" }]);
  await expect(model.chat(ask("Who?", { stop: ["\nResult:"] }))).rejects.toThrow("stopped the service");
  expect(server.calls).toHaveLength(1);
});

test("a model that ignores stop sequences is cut off, and its connection is closed: it generates no further", async () => {
  let lost = 0;
  const { promise: gone, resolve } = Promise.withResolvers<void>();
  const { model, server } = await bench(
    [{ kind: "text", text: `Act[1]\nResult: 7\n${"Act[2]\n".repeat(10_000)}`, pieces: 1000, everyMs: 5 }],
    { onEvent: (event) => event === "lost" && (lost++, resolve()) },
  );
  let shown = "";
  const reply = await model.chat(ask("Who?", { stop: ["\nResult:"] }), { onText: (text) => (shown += text) });
  await gone;
  expect([shown, lost, server.calls.length]).toEqual(["Act[1]", 1, 1]);
  expect(reply).toMatchObject({
    text: "Act[1]",
    finish: "stop",
    usage: { estimated: true, outputTokens: 2 },
  });
});

test("a whole answer with a stop text is cut off, and its count holds", async () => {
  const { model } = await bench([{ kind: "whole", text: "Act[1]\nResult: 7" }]);
  const reply = await model.chat(ask("Who?", { stop: ["\nResult:"] }));
  expect(reply).toMatchObject({ text: "Act[1]", finish: "stop", usage: { outputTokens: 3 } });
  expect(reply.usage.estimated).toBeUndefined();
});

test("a reply of a megabyte ends early, as one that was cut off at its longest", async () => {
  const { model } = await bench([{ kind: "endless" }]);
  const reply = await model.chat(ask());
  expect([reply.finish, reply.text.length]).toEqual(["length", 5600]);
});

test.each([
  [{ prompt_tokens: 10, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 7 } }, 7],
  [{ prompt_tokens: 10, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 70 } }, 10],
  [{ prompt_tokens: 10, completion_tokens: 2, prompt_tokens_details: { cached_tokens: null } }, undefined],
  [{ prompt_tokens: 10, completion_tokens: 2, prompt_tokens_details: "seven" }, undefined],
  [{ prompt_tokens: 10, completion_tokens: 2 }, undefined],
])("tokens from the server's cache are told where it counts them: %j", async (usage, cached) => {
  const body = JSON.stringify({ choices: [{ message: { content: "Sam" }, finish_reason: "stop" }], usage });
  const { model } = await bench([{ kind: "raw", type: "application/json", body }]);
  const reply = await model.chat(ask());
  expect(reply.usage).toMatchObject({ inputTokens: 10, outputTokens: 2 });
  expect(reply.usage.cachedInputTokens).toBe(cached);
});
