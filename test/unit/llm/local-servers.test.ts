import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import {
  findLocalServers,
  type LocalServer,
  localPorts,
  USUAL_PORTS,
} from "../../../src/llm/local-servers.ts";
import { httpClient } from "../../../src/platform/http-fetch.ts";

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

interface Asked {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
}

async function serve(answer: RequestListener, host = "127.0.0.1") {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    asked.push({ method: request.method, url: request.url, headers: request.headers });
    answer(request, response);
  });
  server.listen(0, host);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  cleanups.push(async () => {
    const closed = once(server, "close");
    server.close();
    server.closeAllConnections();
    await closed;
  });
  return { port, asked };
}

type Page = readonly [status: number, body: unknown];

/** A server with these pages; `otherwise` answers all other addresses. */
const pages =
  (known: Readonly<Record<string, Page>>, otherwise: Page = [404, { error: "not found" }]): RequestListener =>
  ({ url = "" }, response) => {
    const [status, body] = known[url] ?? otherwise;
    response.writeHead(status, { "content-type": "application/json" });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  };

async function find(ports: readonly number[], signal = new AbortController().signal) {
  const http = httpClient();
  cleanups.push(() => http.close());
  return findLocalServers(http.get, signal, ports);
}

const found = async (answer: RequestListener): Promise<LocalServer | undefined> => {
  const { port } = await serve(answer);
  return (await find([port]))[0];
};

const list = (owned_by: string, ...ids: string[]): Page => [
  200,
  { object: "list", data: ids.map((id) => ({ id, object: "model", created: 1_700_000_000, owned_by })) },
];
const studioModel = (id: string, type: string) => ({ id, object: "model", type, state: "not-loaded" });
const ollamaModel = (name: string, family: string) => ({ name, model: name, size: 1, details: { family } });

const OLLAMA = pages({
  "/v1/models": list("library", "qwen3:8b", "gemma3:4b", "nomic-embed-text:latest"),
  "/api/tags": [
    200,
    {
      models: [
        ollamaModel("qwen3:8b", "qwen3"),
        ollamaModel("gemma3:4b", "gemma3"),
        ollamaModel("nomic-embed-text:latest", "nomic-bert"),
      ],
    },
  ],
});
const LM_STUDIO = pages(
  {
    "/v1/models": list("organization_owner", "qwen3-8b", "text-embedding-nomic"),
    "/api/v0/models": [
      200,
      {
        object: "list",
        data: [studioModel("qwen3-8b", "llm"), studioModel("text-embedding-nomic", "embeddings")],
      },
    ],
  },
  [200, { error: "Unexpected endpoint or method. Returning 200 anyway" }],
);
const LLAMA_CPP = pages({
  "/v1/models": list("llamacpp", "/home/ann/my models/tiny.gguf"),
  // It imitates the list of Ollama.
  "/api/tags": [200, { models: [ollamaModel("tiny.gguf", "")] }],
  "/props": [200, { default_generation_settings: { n_ctx: 8192 } }],
});
const VLLM = pages({ "/v1/models": list("vllm", "Qwen/Qwen3-8B"), "/version": [200, { version: "0.11.0" }] });
const OTHER = pages({ "/v1/models": list("somebody", "own-model") });

describe("A server tells what it is", () => {
  test.each<[string, RequestListener, string, readonly string[]]>([
    ["Ollama", OLLAMA, "Ollama", ["gemma3:4b", "qwen3:8b"]],
    ["LM Studio", LM_STUDIO, "LM Studio", ["qwen3-8b"]],
    ["llama.cpp", LLAMA_CPP, "llama.cpp", ["/home/ann/my models/tiny.gguf"]],
    ["vLLM", VLLM, "vLLM", ["Qwen/Qwen3-8B"]],
    ["another one", OTHER, "OpenAI-compatible server", ["own-model"]],
  ])("%s", async (_what, answer, kind, models) => {
    expect(await found(answer)).toMatchObject({ kind, state: "ready", models });
  });

  test("with no model yet", async () => {
    const answer = pages({
      "/v1/models": [200, { object: "list", data: null }],
      "/api/tags": [200, { models: [] }],
    });
    expect(await found(answer)).toMatchObject({ kind: "Ollama", state: "ready", models: [] });
  });

  test("LM Studio with no model yet", async () => {
    const none: Page = [200, { object: "list", data: [] }];
    const answer = pages({ "/v1/models": none, "/api/v0/models": none }, [
      200,
      { error: "Unexpected endpoint or method. Returning 200 anyway" },
    ]);
    expect(await found(answer)).toMatchObject({ kind: "LM Studio", state: "ready", models: [] });
  });

  const refused: Page = [401, { error: { message: "Invalid API key" } }];
  test.each<[string, RequestListener, string]>([
    ["vLLM", pages({ "/v1/models": refused, "/version": [200, { version: "0.11.0" }] }), "vLLM"],
    ["llama.cpp", pages({ "/v1/models": list("llamacpp", "tiny"), "/props": refused }), "llama.cpp"],
  ])("%s with a key of its own", async (_what, answer, kind) => {
    expect(await found(answer)).toMatchObject({ kind, state: "locked", models: [] });
  });

  const loading: Page = [503, { error: { message: "Loading model", type: "unavailable_error", code: 503 } }];
  test.each<[string, RequestListener, readonly string[]]>([
    ["at every address", pages({}, loading), []],
    ["but at its list", pages({ "/v1/models": list("llamacpp", "tiny") }, loading), ["tiny"]],
  ])("while it loads its model, %s", async (_where, answer, models) => {
    expect(await found(answer)).toMatchObject({ kind: "llama.cpp", state: "loading", models });
  });
});

describe("The search", () => {
  test("sends no key and no cookie, and only reads", async () => {
    const { port, asked } = await serve(OLLAMA);
    await find([port]);
    expect(asked.length).toBeGreaterThan(1);
    for (const { method, headers } of asked) {
      expect(method).toBe("GET");
      expect(Object.keys(headers).toSorted()).toEqual(["accept", "connection", "host", "user-agent"]);
    }
  });

  test("keeps the order of the ports, and leaves out those that nobody listens on", async () => {
    const [gone, vllm, ollama] = [await serve(OTHER), await serve(VLLM), await serve(OLLAMA)];
    await cleanups.shift()?.();
    const servers = await find([ollama.port, gone.port, vllm.port]);
    expect(servers.map(({ kind, baseUrl }) => [kind, baseUrl])).toEqual([
      ["Ollama", `http://127.0.0.1:${ollama.port}/v1`],
      ["vLLM", `http://127.0.0.1:${vllm.port}/v1`],
    ]);
  });

  test("finds a server that listens on ::1 alone", async ({ skip }) => {
    const served = await serve(OLLAMA, "::1").catch(() => undefined);
    skip(served === undefined, "This machine has no ::1");
    const [server] = await find([served?.port ?? 0]);
    expect(server?.baseUrl).toBe(`http://[::1]:${served?.port}/v1`);
  });

  test("ends with its signal, although a server never answers", async () => {
    const stop = new AbortController();
    const { port } = await serve(() => stop.abort());
    expect(await find([port], stop.signal)).toEqual([]);
  });
});

const endless: RequestListener = (_request, response) => {
  response.writeHead(200, { "content-type": "application/json" });
  const more = (): void => {
    while (!response.destroyed && response.write(" ".repeat(1 << 16)));
  };
  response.on("drain", more);
  more();
};

describe("A stranger's server", () => {
  test.each<[string, RequestListener]>([
    ["with a page", pages({}, [200, "<html>Hello</html>"])],
    ["with another JSON", pages({}, [200, { status: "ok" }])],
    ["with a list of other things", pages({ "/v1/models": [200, { data: [1, null, { id: 7 }, "x"] }] })],
    ["that wants a password for everything", pages({}, [401, "no"])],
    ["that is down", pages({}, [503, { error: { message: "Service unavailable" } }])],
    ["that failed to load", pages({}, [503, { error: { message: "Error while loading the model" } }])],
    ["that never ends", endless],
    ["that sends two megabytes", pages({}, [200, { data: [{ id: "x".repeat(1 << 21) }] }])],
    ["that is silent", () => undefined],
    ["that hangs up", ({ socket }) => socket.destroy()],
    ["that nests deeply", pages({}, [200, "[".repeat(200_000)])],
  ])("%s is none", async (_what, answer) => {
    expect(await found(answer)).toBeUndefined();
  });

  test("sends nobody elsewhere", async () => {
    const target = await serve(OLLAMA);
    const redirect: RequestListener = ({ url }, response) => {
      response.writeHead(302, { location: `http://127.0.0.1:${target.port}${url ?? ""}` }).end();
    };
    expect(await found(redirect)).toBeUndefined();
    expect(target.asked).toEqual([]);
  });

  test("names models only by what can be shown and sent again", async () => {
    const names = [
      "good",
      "\u001b[31mred",
      "two\nlines",
      "\u202eevil",
      "z\u200bw",
      " blank",
      "x".repeat(300),
      "größe",
    ];
    expect((await found(pages({ "/v1/models": list("library", ...names) })))?.models).toEqual([
      "good",
      "größe",
    ]);
  });

  test("does not fill the list", async () => {
    const many = Array.from({ length: 500 }, (_, i) => `m${i}`);
    expect((await found(pages({ "/v1/models": list("vllm", ...many) })))?.models).toHaveLength(100);
  });
});

test.each<[string | undefined, number | undefined]>([
  ["127.0.0.1:4242", 4242],
  [":4242", 4242],
  ["http://localhost:4242/", 4242],
  ["0.0.0.0:4242", 4242],
  ["[::1]:4242", 4242],
  ["gpu.lan:4242", undefined],
  ["http://192.168.1.7:4242", undefined],
  ["127.0.0.1.example.org:4242", undefined],
  ["0.0.0.0", undefined],
  ["127.0.0.1:99999", undefined],
  ["$(x)", undefined],
  ["", undefined],
  [undefined, undefined],
])("OLLAMA_HOST=%s", (given, port) => {
  expect(localPorts(given)).toEqual(port === undefined ? USUAL_PORTS : [port, ...USUAL_PORTS]);
});
