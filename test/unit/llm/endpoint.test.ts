import fc from "fast-check";
import { expect, test } from "vitest";
import { parseModelSpec } from "../../../src/llm/endpoint.ts";
import { keyVariable } from "../../../src/llm/keys.ts";
import { openAiModel } from "../../../src/llm/openai-model.ts";
import { createRedactor } from "../../../src/llm/redact.ts";
import { environmentKeys } from "../../../src/platform/env-keys.ts";
import { plainHttpOrigins } from "../../../src/platform/plain-http.ts";
import { ask, endpointAt, failure, impatient } from "./support.ts";

test("every kind of model can be named", () => {
  const value = (text: string) => parseModelSpec(text).value;
  expect(value("openai:gpt-4o-2024-11-20")).toEqual({
    kind: "endpoint",
    endpoint: {
      baseUrl: "https://api.openai.com/v1",
      origin: "https://api.openai.com",
      needsKey: true,
      model: "gpt-4o-2024-11-20",
    },
  });
  expect(value("http://LOCALHOST:11434/v1/#qwen/qwen3:8b")).toEqual({
    kind: "endpoint",
    endpoint: {
      baseUrl: "http://localhost:11434/v1",
      origin: "http://localhost:11434",
      needsKey: false,
      model: "qwen/qwen3:8b",
    },
  });
  expect(value("scripted:replies.yaml")).toEqual({ kind: "scripted", file: "replies.yaml" });
  expect(value("recorded:.hasp/runs/a")).toEqual({ kind: "recorded", run: ".hasp/runs/a" });
  expect(value("recorded:C:\\c#\\a#2")).toEqual({ kind: "recorded", run: "C:\\c#\\a", sample: 2 });
  expect(value("recorded:c#/a")).toEqual({ kind: "recorded", run: "c#/a" });
  expect(value("vscode:copilot/gpt-4o")).toEqual({ kind: "vscode", vendor: "copilot", family: "gpt-4o" });
});

test.each([
  ["gpt-4o", "HASP601"],
  ["", "HASP601"],
  ["ftp://host/v1#m", "HASP601"],
  ["openai:", "HASP602"],
  ["scripted:", "HASP602"],
  ["recorded:", "HASP602"],
  ["recorded:#1", "HASP602"],
  ["recorded:run#one", "HASP602"],
  ["vscode:copilot", "HASP602"],
  ["https://host/v1", "HASP602"],
  ["https://#m", "HASP602"],
  ["http://llm.example.org/v1#m", "HASP603"],
  ["http://127.0.0.1.example.org/v1#m", "HASP603"],
  ["http://localhost.example.org/v1#m", "HASP603"],
  ["http://0.0.0.0:8000/v1#m", "HASP603"],
  ["https://me:secret@host/v1#m", "HASP603"],
  ["https://host/v1?key=secret#m", "HASP603"],
])("%s is refused, with what to write instead", (text, code) => {
  const { value, diagnostics } = parseModelSpec(text);
  expect(value).toBeUndefined();
  expect(diagnostics.map((d) => d.code)).toEqual([code]);
  expect(diagnostics[0]?.next).toBeTruthy();
  expect(JSON.stringify(diagnostics)).not.toContain("secret");
});

test("plain http to another machine needs an explicit yes; this machine does not, however it is written", () => {
  const isPlainHttpAllowed = (origin: string): boolean => origin === "http://gpu.lan:8000";
  const spec = "http://GPU.lan:8000/v1#m";
  expect(parseModelSpec(spec, { isPlainHttpAllowed }).value).toMatchObject({ endpoint: { needsKey: false } });
  expect(parseModelSpec("http://gpu.lan:8001/v1#m", { isPlainHttpAllowed }).value).toBeUndefined();
  for (const host of ["127.0.0.1", "127.1", "0x7f.0.0.1", "[::1]", "localhost"]) {
    expect(endpointAt(`http://${host}:8000/v1#m`).needsKey).toBe(false);
  }
});

const yes = { isPlainHttpAllowed: () => true };

test.each(
  "gpu gpu.lan gpu.local a.b.lan 10.0.0.7 172.16.0.1 172.31.9.9 192.168.1.2 169.254.3.4 [fd12::1] [fe80::1]".split(
    " ",
  ),
)("plain http to %s, in one's own network, takes a yes that names what it means", (host) => {
  const spec = `http://${host}:8000/v1#m`;
  const { value, diagnostics } = parseModelSpec(spec);
  expect(value).toBeUndefined();
  expect(diagnostics[0]?.message).toContain("not encrypted: everybody in that network can read the key");
  expect(diagnostics[0]?.next).toContain(`HASP_PLAIN_HTTP=http://${host}:8000`);
  expect(parseModelSpec(spec, yes).value).toBeDefined();
});

test.each(
  "llm.example.org 8.8.8.8 172.32.0.1 172.15.0.1 11.0.0.1 192.169.0.1 10.example.org gpu.lan.example.org [2001:db8::1] [::ffff:10.0.0.1] 0.0.0.0".split(
    " ",
  ),
)("plain http to %s is refused, also after a yes", (host) => {
  const { value, diagnostics } = parseModelSpec(`http://${host}:8000/v1#m`, yes);
  expect(value).toBeUndefined();
  expect(diagnostics[0]).toMatchObject({ code: "HASP603", next: expect.stringContaining("Use https") });
});

test("the environment names the origins that may be asked over plain http", () => {
  const origins = plainHttpOrigins({ HASP_PLAIN_HTTP: "http://GPU.lan:8000/v1, http://10.0.0.7 nonsense" });
  expect([...origins]).toEqual(["http://gpu.lan:8000", "http://10.0.0.7"]);
  expect(plainHttpOrigins({})).toEqual(new Set());
});

test("any text is read or refused, never thrown at", () => {
  const spec = fc.oneof(fc.string(), fc.webUrl({ withFragments: true, withQueryParameters: true }));
  fc.assert(
    fc.property(spec, (text) => {
      const { value, diagnostics } = parseModelSpec(text);
      return (value === undefined) === (diagnostics.length === 1);
    }),
  );
});

test("the variable with a key is named after the origin", () => {
  expect(keyVariable("https://api.openai.com")).toBe("OPENAI_API_KEY");
  expect(keyVariable("http://api.openai.com")).toBe("HASP_KEY_API_OPENAI_COM_80");
  expect(keyVariable("https://api.openai.com:8443")).toBe("HASP_KEY_API_OPENAI_COM_8443");
  expect(keyVariable("http://127.0.0.1:8000")).toBe("HASP_KEY_127_0_0_1_8000");
  expect(keyVariable("https://llm-gateway.example.org")).toBe("HASP_KEY_LLM__GATEWAY_EXAMPLE_ORG_443");
  expect(keyVariable("http://[::1]:8000")).toBe("HASP_KEY____1_8000");
  expect(keyVariable("https://a_b.example.org")).toBeUndefined();
});

test("two hosts never share a variable", () => {
  const host = fc.stringMatching(
    /^[a-c1]{1,2}(-{1,2}[a-c1]{1,2}){0,2}(\.[a-c1](-[a-c]){0,1}){1,3}\.(de|org)$/,
  );
  fc.assert(
    fc.property(host, host, (a, b) => {
      const same = keyVariable(`https://${a}`) === keyVariable(`https://${b}`);
      return same === (a === b);
    }),
    { numRuns: 2000 },
  );
});

test("the environment gives a key to its own origin only, and names the variable that is missing", async () => {
  const keys = environmentKeys({
    OPENAI_API_KEY: " sk-a ",
    HASP_KEY_LLM_EXAMPLE_ORG_443: "b",
    HASP_KEY_127_0_0_1_8000: "",
  });
  expect(await keys.keyFor("https://api.openai.com")).toBe("sk-a");
  expect(await keys.keyFor("https://llm.example.org")).toBe("b");
  for (const origin of [
    "http://127.0.0.1:8000",
    "https://api.openai.com.evil.org",
    "http://llm.example.org",
    "null",
    "",
  ]) {
    expect(await keys.keyFor(origin)).toBeUndefined();
  }
  expect(keys.howToGive("https://llm.example.org")).toContain("HASP_KEY_LLM_EXAMPLE_ORG_443");
});

test("without a key, or with a broken one, another machine is not even called", async () => {
  const calls: string[] = [];
  for (const key of [undefined, "two words", "line\nbreak"]) {
    const model = openAiModel({
      endpoint: endpointAt("https://llm.example.org/v1#m"),
      keys: environmentKeys({ HASP_KEY_LLM_EXAMPLE_ORG_443: key, OPENAI_API_KEY: "sk-not-for-this-one" }),
      post: async ({ url }) => (calls.push(url), new Response("")),
      timing: impatient(),
      redactor: createRedactor(),
    });
    const error = await failure(model.chat(ask()));
    expect([error.kind, error.next]).toEqual([
      "unauthorised",
      expect.stringContaining("HASP_KEY_LLM_EXAMPLE_ORG_443"),
    ]);
  }
  expect(calls).toEqual([]);
});
