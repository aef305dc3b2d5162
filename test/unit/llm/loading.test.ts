import { afterEach, expect, test } from "vitest";
import { LOOK_AGAIN_MS, MOST_LOADING_MS, saysLoading } from "../../../src/llm/loading.ts";
import { openAiModel } from "../../../src/llm/openai-model.ts";
import { createRedactor } from "../../../src/llm/redact.ts";
import type { Timing } from "../../../src/llm/timing.ts";
import { httpClient } from "../../../src/platform/http-fetch.ts";
import { systemTiming } from "../../../src/platform/timing.ts";
import { type Behaviour, loopbackModel } from "../../support/loopback-model.ts";
import { ask, endpointAt, failure, keyStore } from "./support.ts";

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

const LOADING: Behaviour = {
  kind: "raw",
  status: 503,
  type: "application/json",
  body: JSON.stringify({ error: { message: "Loading model", type: "unavailable_error", code: 503 } }),
};
const READY: Behaviour = { kind: "text", text: "ready" };

/** A clock that only waits between tries move on. */
function skipping(): Timing & { readonly waits: number[] } {
  let now = 0;
  const waits: number[] = [];
  return {
    ...systemTiming,
    waits,
    now: () => now,
    sleep: async (ms, signal) => {
      signal.throwIfAborted();
      waits.push(ms);
      now += ms;
    },
  };
}

async function loadingModel(behave: readonly Behaviour[] | (() => Behaviour)) {
  const server = await loopbackModel(behave);
  const http = httpClient();
  cleanups.push(
    () => http.close(),
    () => server.close(),
  );
  const said: string[] = [];
  const timing = skipping();
  const model = openAiModel({
    endpoint: endpointAt(`${server.url}#tiny`),
    keys: keyStore({}),
    post: http.post,
    timing,
    redactor: createRedactor(),
    onLoading: (message) => void said.push(message.replace(server.url, "URL")),
  });
  return { server, model, said, waits: timing.waits };
}

test("a server that loads its model is waited for, beyond the usual tries, and that is said", async () => {
  const { model, said, waits } = await loadingModel([...Array.from({ length: 20 }, () => LOADING), READY]);
  expect((await model.chat(ask())).text).toBe("ready");
  expect(waits).toEqual(Array.from({ length: 20 }, () => LOOK_AGAIN_MS));
  expect(said).toEqual([
    "tiny at URL is still loading its model; waiting",
    "tiny at URL is still loading its model; waiting, 10 s",
    "tiny at URL is still loading its model; waiting, 20 s",
    "tiny at URL is still loading its model; waiting, 30 s",
  ]);
});

test("one that loads for ever is given up, at once for who asks next", async () => {
  const { server, model } = await loadingModel([LOADING]);
  const error = await failure(model.chat(ask()));
  expect([error.kind, error.message]).toEqual([
    "server_error",
    `tiny at ${server.url} is still loading its model after ${MOST_LOADING_MS / 1000} s.`,
  ]);
  expect(error.next).toContain("log of the server");
  const calls = server.calls.length;
  await failure(model.chat(ask()));
  expect(server.calls.length).toBe(calls + 1);
});

test("one that loads again later is waited for again", async () => {
  const { model, said } = await loadingModel([LOADING, READY, LOADING, READY]);
  await model.chat(ask());
  await model.chat(ask());
  expect(said).toHaveLength(2);
});

test("chats that wait at the same time say it once", async () => {
  let isLoading = true;
  const { model, said, server } = await loadingModel(() => {
    if (server.calls.length > 8) isLoading = false;
    return isLoading ? LOADING : READY;
  });
  const replies = await Promise.all([1, 2, 3, 4].map((sample) => model.chat(ask("x", { sample }))));
  expect(replies.map(({ text }) => text)).toEqual(["ready", "ready", "ready", "ready"]);
  expect(said.filter((message) => message.endsWith("waiting"))).toHaveLength(1);
});

test("the wait ends with its signal", async () => {
  const stop = new AbortController();
  const { model } = await loadingModel(() => {
    stop.abort(new Error("enough"));
    return LOADING;
  });
  await expect(model.chat(ask(), { signal: stop.signal })).rejects.toThrow("enough");
});

test("a wish to be asked again at once is not obeyed", async () => {
  const hasty: Behaviour = { ...LOADING, kind: "raw", headers: { "retry-after": "0" } };
  const { model, waits } = await loadingModel([hasty, READY]);
  await model.chat(ask());
  expect(waits).toEqual([LOOK_AGAIN_MS]);
});

test("another 503 is a passing trouble, as before", async () => {
  const { model, said, server } = await loadingModel([
    { kind: "status", status: 503, message: "Overloaded" },
  ]);
  const error = await failure(model.chat(ask()));
  expect(error.message).toContain("(5 tries)");
  expect(server.calls).toHaveLength(5);
  expect(said).toEqual([]);
});

test.each<[string, boolean]>([
  ["Loading model", true],
  ["Model Qwen/Qwen3-8B is currently loading", true],
  ["error loading model: unknown architecture", false],
  ["Failed while loading the model", false],
  ["Downloading is not allowed", false],
  ["", false],
])("%s", (text, isLoading) => {
  expect(saysLoading(text)).toBe(isLoading);
});
