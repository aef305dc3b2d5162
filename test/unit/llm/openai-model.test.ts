import { afterEach, expect, test, vi } from "vitest";
import type { ModelFailure } from "../../../src/llm/chat-model.ts";
import type { Behaviour } from "../../support/loopback-model.ts";
import { ask, bench, failure, KEY, type BenchOptions } from "./support.ts";

afterEach(() => vi.unstubAllEnvs());

const good: Behaviour = { kind: "text", text: "Sam Walton did.", pieces: 3 };

test("a streamed reply arrives in pieces, with its tokens, its cost and the model that answered", async () => {
  const { model, server } = await bench([good], { price: { input: 2.5, output: 10 } });
  const pieces: string[] = [];
  const reply = await model.chat(ask("Who founded Walmart?", { topP: 0.9, seed: 7 }), {
    onText: (piece) => void pieces.push(piece),
  });
  expect(reply).toMatchObject({
    text: "Sam Walton did.",
    finish: "stop",
    model: "walmart-8b",
    cached: false,
  });
  expect(reply.usage).toMatchObject({ inputTokens: 3, outputTokens: 3, cost: (3 * 2.5 + 3 * 10) / 1e6 });
  expect(reply.usage.estimated).toBeUndefined();
  expect(pieces.length).toBeGreaterThan(1);
  expect(pieces.join("")).toBe(reply.text);
  const [call] = server.calls;
  expect(call?.url).toBe("/v1/chat/completions");
  expect(call?.request).toEqual({
    model: "walmart-8b",
    messages: [{ role: "user", content: "Who founded Walmart?" }],
    temperature: 0,
    max_tokens: 100,
    top_p: 0.9,
    seed: 7,
    stream: true,
    stream_options: { include_usage: true },
  });
  expect(call?.headers.authorization).toBe(`Bearer ${KEY}`);
});

test("nothing of the environment reaches the server", async () => {
  vi.stubEnv("OPENAI_BASE_URL", "http://127.0.0.1:9/elsewhere");
  vi.stubEnv("OPENAI_API_KEY", "sk-of-somebody-else-123456");
  vi.stubEnv("OPENAI_ADMIN_KEY", "sk-admin-123456789012");
  vi.stubEnv("OPENAI_ORG_ID", "org-of-somebody");
  vi.stubEnv("OPENAI_PROJECT_ID", "project-of-somebody");
  vi.stubEnv("OPENAI_CUSTOM_HEADERS", "x-spy: yes\nauthorization: Bearer stolen");
  vi.stubEnv("OPENAI_LOG", "debug");
  for (const name of ["HTTP_PROXY", "http_proxy", "ALL_PROXY"]) vi.stubEnv(name, "http://127.0.0.1:9");
  vi.stubEnv("NODE_USE_ENV_PROXY", "1");
  const log = vi.spyOn(console, "debug");
  const { model, server } = await bench([good]);
  await model.chat(ask());
  const headers = server.calls[0]?.headers ?? {};
  expect(headers.authorization).toBe(`Bearer ${KEY}`);
  expect(Object.keys(headers).toSorted()).toEqual([
    "accept",
    "authorization",
    "connection",
    "content-length",
    "content-type",
    "host",
    "user-agent",
  ]);
  expect(log).not.toHaveBeenCalled();
});

/** JSON is parsed at any depth, and written again only to some thousand levels. */
const DEEP = "[".repeat(100_000) + "]".repeat(100_000);

const failures: readonly [
  string,
  Behaviour,
  ModelFailure,
  { calls: number; says: RegExp; options?: BenchOptions },
][] = [
  [
    "malformed text",
    { kind: "raw", body: "<html>Sign in</html>" },
    "malformed_reply",
    { calls: 1, says: /<html>Sign in/ },
  ],
  [
    "text called JSON",
    { kind: "raw", type: "application/json", body: "{half" },
    "malformed_reply",
    { calls: 1, says: /no chat completion/ },
  ],
  [
    "other JSON",
    { kind: "raw", type: "application/json", body: '{"hello":1}' },
    "malformed_reply",
    { calls: 1, says: /hello/ },
  ],
  ["an empty body", { kind: "raw", body: "" }, "malformed_reply", { calls: 1, says: /no chat completion/ }],
  [
    "a stream of no events",
    { kind: "raw", type: "text/event-stream", body: "hello\n\n" },
    "malformed_reply",
    { calls: 1, says: /stream/ },
  ],
  [
    "a stream of broken JSON",
    { kind: "raw", type: "text/event-stream", body: "data: {half\n\n" },
    "malformed_reply",
    { calls: 1, says: /no chat completion/ },
  ],
  [
    "a stream of other JSON that is nested deeply",
    { kind: "raw", type: "text/event-stream", body: `data: {"hello":${DEEP}}\n\n` },
    "malformed_reply",
    { calls: 1, says: /nested too deeply/ },
  ],
  [
    "a stream that breaks off with an error that is nested deeply",
    { kind: "raw", type: "text/event-stream", body: `data: {"error":${DEEP}}\n\n` },
    "malformed_reply",
    { calls: 1, says: /nested too deeply/ },
  ],
  [
    "a completion within deep JSON",
    { kind: "raw", type: "application/json", body: `{"choices":[{"message":{"content":"a"}}],"x":${DEEP}}` },
    "malformed_reply",
    { calls: 1, says: /no chat completion/ },
  ],
  [
    "a refusal whose words are nested deeply",
    { kind: "raw", status: 400, type: "application/json", body: `{"error":{"message":${DEEP}}}` },
    "malformed_reply",
    { calls: 1, says: /nested too deeply/ },
  ],
  ["no choice", { kind: "no-choice" }, "empty_reply", { calls: 1, says: /without any choice/ }],
  ["an empty text", { kind: "text", text: "" }, "empty_reply", { calls: 1, says: /empty text/ }],
  ["only white space", { kind: "text", text: " \n " }, "empty_reply", { calls: 1, says: /empty text/ }],
  [
    "a refusal",
    { kind: "refusal", text: "I would rather not." },
    "empty_reply",
    { calls: 1, says: /rather not/ },
  ],
  [
    "nothing within the length",
    { kind: "finish", text: "", reason: "length" },
    "empty_reply",
    { calls: 1, says: /used up/ },
  ],
  [
    "a content filter",
    { kind: "finish", text: "", reason: "content_filter" },
    "empty_reply",
    { calls: 1, says: /content filter/ },
  ],
  ["429 for ever", { kind: "status", status: 429 }, "rate_limited", { calls: 5, says: /429.*5 tries/ }],
  [
    "an account used up",
    { kind: "status", status: 429, code: "insufficient_quota" },
    "rate_limited",
    { calls: 1, says: /used up/ },
  ],
  [
    "500 for ever",
    { kind: "status", status: 500, message: "boom" },
    "server_error",
    { calls: 5, says: /500\): boom/ },
  ],
  ["503 for ever", { kind: "status", status: 503 }, "server_error", { calls: 5, says: /503/ }],
  ["501", { kind: "status", status: 501 }, "server_error", { calls: 1, says: /501/ }],
  [
    "a failure in the stream",
    { kind: "error-in-stream", message: "out of memory" },
    "server_error",
    { calls: 5, says: /out of memory/ },
  ],
  ["a dropped connection", { kind: "drop" }, "connection", { calls: 5, says: /ECONNRESET/ }],
  [
    "a connection dropped midway",
    { kind: "drop", midway: true },
    "connection",
    { calls: 5, says: /ECONNRESET/ },
  ],
  [
    "a stream that just ends",
    { kind: "no-finish", text: "half", mark: false },
    "connection",
    { calls: 5, says: /ended early/ },
  ],
  // Limits within which a busy machine has the request at the server, which counts it.
  [
    "a stall",
    { kind: "stall" },
    "timeout",
    { calls: 1, says: /sent nothing for 800 ms/, options: { limits: { firstMs: 800, idleMs: 800 } } },
  ],
  [
    "a stall midway",
    { kind: "stall", midway: true },
    "timeout",
    { calls: 1, says: /sent nothing for 800 ms/, options: { limits: { idleMs: 800, retries: 0 } } },
  ],
  [
    "a drip that takes too long",
    { kind: "text", text: "x".repeat(400), pieces: 400, everyMs: 10 },
    "timeout",
    { calls: 1, says: /not done after 800 ms/, options: { limits: { totalMs: 800 } } },
  ],
  [
    "401",
    { kind: "status", status: 401, message: `Incorrect API key provided: ${KEY}` },
    "unauthorised",
    { calls: 1, says: /redacted/ },
  ],
  ["403", { kind: "status", status: 403 }, "unauthorised", { calls: 1, says: /403/ }],
  [
    "a model that is not there",
    { kind: "status", status: 404, message: "The model does not exist" },
    "refused_request",
    { calls: 1, says: /does not exist/ },
  ],
  [
    "400",
    { kind: "status", status: 400, message: "Too many tokens" },
    "refused_request",
    { calls: 1, says: /Too many tokens/ },
  ],
  [
    "204",
    { kind: "raw", status: 204, body: "" },
    "malformed_reply",
    { calls: 1, says: /no chat completion/ },
  ],
];

test.each(failures)(
  "%s has its own failure, after a bounded number of calls",
  async (_name, behaviour, kind, expected) => {
    const { model, server } = await bench([behaviour], expected.options);
    const error = await failure(model.chat(ask()));
    expect(error.kind).toBe(kind);
    expect(error.message).toMatch(expected.says);
    expect(error.next).toMatch(/\.$/);
    expect(server.calls).toHaveLength(expected.calls);
    expect(`${error.message} ${error.next} ${error.stack} ${JSON.stringify(error)}`).not.toContain(KEY);
  },
);

test("what a server says about itself stays one line, without escape sequences", async () => {
  const message = `bad\u001b[31m\nnews\u202e ${"x".repeat(5000)} Bearer abcdefghijklmnop`;
  const { model } = await bench([{ kind: "status", status: 400, message }]);
  const error = await failure(model.chat(ask()));
  expect(error.message).not.toMatch(/[\p{Cc}\u202e]/u);
  expect(error.message.length).toBeLessThan(500);
});

test("a redirect is not followed: the key stays with the server it was given for", async () => {
  const elsewhere = await bench([good]);
  for (const status of [301, 302, 307, 308]) {
    const location = `${elsewhere.server.url}/chat/completions`;
    const { model } = await bench([{ kind: "status", status, headers: { location } }]);
    const error = await failure(model.chat(ask()));
    expect([error.kind, error.next]).toEqual([
      "refused_request",
      expect.stringContaining("Redirects are not followed"),
    ]);
  }
  expect(elsewhere.server.calls).toHaveLength(0);
});

test("servers that know no streams, no counting in streams or another name for the length are asked their way", async () => {
  const whole = await bench([{ kind: "whole", text: "All at once." }]);
  expect((await whole.model.chat(ask())).text).toBe("All at once.");

  const strict = await bench([good], { refuses: ["stream_options", "max_tokens"] });
  const first = await strict.model.chat(ask());
  expect(first.usage).toMatchObject({ inputTokens: 9, outputTokens: 4, estimated: true });
  await strict.model.chat(ask());
  expect(strict.server.calls).toHaveLength(4);
  expect(strict.server.calls[3]?.request).toMatchObject({ max_completion_tokens: 100 });
  expect(strict.waits).toEqual([]);

  const uncounted = await bench([{ kind: "text-without-usage", text: "Sam" }]);
  expect((await uncounted.model.chat(ask())).usage).toMatchObject({ estimated: true });
});

test("a stream that ends with its mark but without a reason is a reply", async () => {
  const { model } = await bench([{ kind: "no-finish", text: "Sam", mark: true }]);
  expect(await model.chat(ask())).toMatchObject({ text: "Sam", finish: "other" });
});

test("a reply that was cut off at its longest says so", async () => {
  const { model } = await bench([{ kind: "finish", text: "Sam Wal", reason: "length" }]);
  expect(await model.chat(ask())).toMatchObject({ text: "Sam Wal", finish: "length" });
});

test("an abort rejects with its own reason: before the call, while waiting for the first byte, in the middle, between tries", async () => {
  const reason = new Error("The person pressed Cancel");
  const { model: idle } = await bench([good]);
  await expect(idle.chat(ask(), { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);

  for (const midway of [false, true]) {
    const controller = new AbortController();
    const { model } = await bench([{ kind: "stall", midway }], {
      onEvent: (event) => event === "begin" && void setTimeout(() => controller.abort(reason), 20),
    });
    await expect(model.chat(ask(), { signal: controller.signal })).rejects.toBe(reason);
  }
  const controller = new AbortController();
  const { model } = await bench(() => (controller.abort(reason), { kind: "status", status: 500 }));
  await expect(model.chat(ask(), { signal: controller.signal })).rejects.toBe(reason);
});

test("a server that repeats the key does not get it into the reply, nor into its pieces", async () => {
  const { model } = await bench([{ kind: "text", text: `You sent ${KEY}, thanks. sk-`, pieces: 30 }]);
  let shown = "";
  const reply = await model.chat(ask(), { onText: (piece) => (shown += piece) });
  expect(reply.text).toBe("You sent [redacted], thanks. sk-");
  expect(shown).toBe(reply.text);
});

test("failed calls that were counted are charged", async () => {
  const { model } = await bench([{ kind: "no-choice" }], { price: { input: 1e6, output: 1e6 } });
  expect((await failure(model.chat(ask("one two three")))).usage).toMatchObject({
    inputTokens: 3,
    outputTokens: 0,
    cost: 3,
  });
});

test("a port where nobody listens is named as such", async () => {
  const { model, server } = await bench([good], { limits: { retries: 1 } });
  await server.close();
  const error = await failure(model.chat(ask()));
  expect([error.kind, error.next]).toEqual([
    "connection",
    "Start the server, or check host and port; vLLM listens only once its model is loaded.",
  ]);
});

test("calls overlap, and each gets its own reply", async () => {
  const { model } = await bench(({ request }) => ({
    kind: "text",
    text: `re: ${request.messages[0]?.content}`,
    pieces: 4,
  }));
  const replies = await Promise.all(Array.from({ length: 40 }, (_, n) => model.chat(ask(`question ${n}`))));
  expect(replies.map(({ text }) => text)).toEqual(replies.map((_, n) => `re: question ${n}`));
});
