import { afterEach, expect, test } from "vitest";
import { listModels } from "../../../src/llm/list-models.ts";
import { httpClient } from "../../../src/platform/http-fetch.ts";
import { loopbackModel, type Behaviour, type LoopbackModel } from "../../support/loopback-model.ts";

const http = httpClient();
let server: LoopbackModel | undefined;
afterEach(async () => server?.close());

async function listed(behaviour: Behaviour, key?: string): Promise<readonly string[]> {
  server = await loopbackModel([behaviour]);
  return listModels({ baseUrl: server.url }, key, http.get, AbortSignal.timeout(500));
}

const json = (value: unknown): Behaviour => ({
  kind: "raw",
  type: "application/json",
  body: JSON.stringify(value),
});

test("an endpoint's models come sorted and once, with its own key and nothing else sent", async () => {
  const data = [
    { id: "qwen3:8b" },
    { id: "gemma" },
    { id: "gemma" },
    { id: "two words" },
    { id: "two\nlines" },
    { id: 7 },
    null,
  ];
  expect(await listed(json({ object: "list", data }), "sk-own")).toEqual(["gemma", "qwen3:8b", "two words"]);
  expect(server?.calls.map(({ url, headers }) => [url, headers.authorization])).toEqual([
    ["/v1/models", "Bearer sk-own"],
  ]);
});

test.each<[string, Behaviour, RegExp]>([
  ["no such page", { kind: "status", status: 404 }, /^it answered with status 404$/],
  [
    "a redirect",
    { kind: "raw", status: 302, body: "", headers: { location: "http://127.0.0.1:1/" } },
    /status 302/,
  ],
  ["a page", { kind: "raw", body: "<html>" }, /does not list models/],
  ["an empty list", json({ data: [] }), /its list is empty/],
  ["silence", { kind: "stall" }, /abort|timeout/i],
])("%s is a reason", async (_what, behaviour, why) => {
  await expect(listed(behaviour)).rejects.toThrow(why);
});
