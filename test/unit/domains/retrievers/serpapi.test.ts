import { describe, expect, it } from "vitest";
import { serpApi } from "../../../../src/domains/passages/retrievers/serpapi.ts";
import { isLoopbackAddress, isPublicAddress } from "../../../../src/platform/public-address.ts";
import type { LoopbackRetrieverOptions, Misbehaviour } from "../../../support/loopback-retriever.ts";
import { always, failureOf, server, wire } from "./support.ts";

const KEY = "serp-4f9a8b7c6d5e+/x";
const json = (value: unknown, status = 200): Misbehaviour => ({
  kind: "raw",
  status,
  body: JSON.stringify(value),
});

async function opened(options: LoopbackRetrieverOptions = {}, key = KEY, visits = isLoopbackAddress) {
  const started = await server([], { key: KEY, ...options });
  const over = wire();
  over.redactor.learn(key);
  return { ...started, over, serp: serpApi(over, { origin: started.origin, key, pages: wire({}, visits) }) };
}

describe("SerpAPI", () => {
  it("lists the answer box first, then the organic results, with their addresses", async () => {
    const { serp, calls, origin } = await opened();
    const found = await serp.search("Marl Lighthouse", 3);
    expect(found[0]).toEqual({ title: "Lit in", text: "1871", url: `${origin}/page/0` });
    expect(found[1]).toMatchObject({ title: "Marl Lighthouse", url: `${origin}/page/0` });
    expect(found).toHaveLength(3);
    expect(Object.fromEntries(calls[0]?.url.searchParams ?? [])).toEqual({
      engine: "google",
      q: "Marl Lighthouse",
      num: "3",
      api_key: KEY,
    });
  });

  it("opens the page of a result: its words alone, and the key stays at home", async () => {
    const { serp, calls } = await opened();
    const found = await serp.search("Marl Lighthouse", 3);
    const page = await serp.whole?.(found[1] ?? expect.fail("no result"));
    expect(page?.text).toMatch(
      /^Marl Lighthouse\n\nThe Marl Lighthouse was lit .* forty years\.\n\nSee more & more\.$/s,
    );
    expect(calls[1]?.url.pathname).toBe("/page/0");
    expect(JSON.stringify([calls[1]?.headers, calls[1]?.url.href])).not.toContain("serp-");
  });

  it("an empty result is none of its errors", async () => {
    const { serp } = await opened();
    expect(await serp.search("xyzzy qqqq", 5)).toEqual([]);
  });

  it("checks the key without a search", async () => {
    const { serp, calls } = await opened();
    await serp.check?.(new AbortController().signal);
    expect(calls.map(({ url }) => url.pathname)).toEqual(["/account.json"]);
  });

  it("refuses a wrong key, and the message hides it although the server repeats it", async () => {
    const { serp } = await opened({}, "wrong-key-4711+/");
    for (const call of [serp.search("q", 5), serp.check?.(new AbortController().signal) ?? expect.fail()]) {
      const failure = await failureOf(call);
      expect(failure.kind).toBe("refused");
      expect(failure.message).toMatch(/refuses access \(401\): Invalid API key: \[redacted\]$/);
    }
  });

  it.each<[string, Misbehaviour, string, RegExp]>([
    [
      "a used-up account",
      json({ error: "Your account has run out of searches." }, 429),
      "refused",
      /no searches left/,
    ],
    [
      "an error with status 200",
      json({ error: "Invalid API key. See the dashboard" }),
      "refused",
      /answered with an error: Invalid/,
    ],
    [
      "an unsupported search",
      json({ error: "Unsupported `num`." }, 400),
      "failed",
      /refused the request \(400\): Unsupported/,
    ],
    ["JSON without results", json({}), "unreachable", /JSON without results/],
    ["a list", json([]), "unreachable", /JSON of another shape/],
  ])("%s", async (_name, way, kind, message) => {
    const { serp, calls } = await opened(always(way));
    const failure = await failureOf(serp.search("q", 5));
    expect(failure.kind).toBe(kind);
    expect(failure.message).toMatch(message);
    expect(calls).toHaveLength(1);
  });

  it("results that say nothing or are none are left out, and a key in a text is hidden", async () => {
    const organic = [
      null,
      7,
      {},
      { title: "T", snippet: `key ${KEY}`, link: "no address" },
      { title: "only a title" },
    ];
    const { serp } = await opened(always(json({ organic_results: organic, answer_box: "hm" })));
    expect(await serp.search("q", 9)).toEqual([
      { title: "T", text: "key [redacted]" },
      { title: "only a title", text: "only a title" },
    ]);
  });
});

describe("the page of a result", () => {
  const page = (way: Misbehaviour) => ({
    key: KEY,
    misbehave: ({ url }: { url: URL }) => (url.pathname.startsWith("/page") ? way : undefined),
  });
  const open = async (way: Misbehaviour, link = "/page/0", visits = isLoopbackAddress) => {
    const { serp, origin, calls } = await opened(page(way), KEY, visits);
    const url = URL.canParse(link) ? link : `${origin}${link}`;
    return { read: serp.whole?.({ title: "T", text: "x", url }) ?? expect.fail("no pages"), calls, origin };
  };

  it.each<[string, Misbehaviour, string]>([
    ["plain text", { kind: "raw", type: "text/plain", body: "a < b" }, "a < b"],
    [
      "Latin-1 by its header",
      { kind: "raw", type: "text/html; charset=iso-8859-1", body: Buffer.from("<p>Köln", "latin1") },
      "Köln",
    ],
    [
      "an encoding by its own word",
      { kind: "raw", type: "text/html", body: Buffer.from('<meta charset="windows-1252"><p>Köln', "latin1") },
      "Köln",
    ],
    [
      "an encoding that nobody knows",
      { kind: "raw", type: "text/html; charset=klingon", body: "<p>Köln" },
      "Köln",
    ],
    [
      "no body element",
      { kind: "raw", type: "text/html", body: "just <b>words</b><script>x()</script><style>p{}</style>" },
      "just words",
    ],
    [
      "a script in the text",
      {
        kind: "raw",
        type: "text/html",
        body: "<body><p>a</p><script>alert('b')</script><noscript>c</noscript></body>",
      },
      "a",
    ],
  ])("is read: %s", async (_name, way, text) => {
    expect((await (await open(way)).read)?.text).toBe(text);
  });

  it.each<[string, Misbehaviour, RegExp]>([
    [
      "a PDF",
      { kind: "raw", type: "application/pdf", body: "%PDF" },
      /is application\/pdf; only HTML and plain text/,
    ],
    ["no text", { kind: "raw", type: "text/html", body: "<body><script>x</script></body>" }, /holds no text/],
    ["a refusal", { kind: "raw", status: 403, type: "text/html", body: "no" }, /cannot be had \(403\)/],
    ["too much", { kind: "endless" }, /more than 8192 KiB/],
    ["a lost connection", { kind: "drop" }, /failed \(ECONNRESET\)/],
    [
      "a circle of redirects",
      { kind: "raw", status: 302, body: "", headers: { location: "/page/1" } },
      /more than 5 redirects/,
    ],
    [
      "a redirect to a file",
      { kind: "raw", status: 302, body: "", headers: { location: "file:///etc/passwd" } },
      /no web address \(file:\)/,
    ],
    [
      "a redirect into a private network",
      { kind: "raw", status: 302, body: "", headers: { location: "http://192.168.0.1/" } },
      /192\.168\.0\.1 is no public address/,
    ],
    [
      "a redirect to a cloud's metadata",
      { kind: "raw", status: 302, body: "", headers: { location: "http://169.254.169.254/latest" } },
      /no public address/,
    ],
  ])("is not read, and that is the page's fault: %s", async (_name, way, message) => {
    const failure = await failureOf((await open(way)).read);
    expect(failure.kind).toBe("page");
    expect(failure.message).toMatch(message);
    expect(failure.brief.length).toBeLessThanOrEqual(32);
  });

  it("hostile HTML ends in bounded time and memory", async () => {
    const nested = `<body>${"<div>".repeat(100_000)}deep${"</div>".repeat(100_000)}<p>flat</p></body>`;
    const failureOrText = await (
      await open({ kind: "raw", type: "text/html", body: nested })
    ).read.catch((error: unknown) => error);
    expect(failureOrText).toBeDefined();
  });

  it.each([
    "http://localhost:1/",
    "http://127.0.0.1:1/",
    "http://[::1]:1/",
    "http://2130706433:1/",
    "http://0x7f.1:1/",
    "http://[::ffff:127.0.0.1]:1/",
  ])("%s is this machine, and is not opened for anybody else's result", async (link) => {
    const { read } = await open(undefined, link, isPublicAddress);
    expect(await failureOf(read)).toMatchObject({ kind: "page", brief: "not a public address" });
  });

  it.each(["ftp://example.org/", "http://user:secret@example.org/"])("%s is not opened", async (link) => {
    const failure = await failureOf((await open(undefined, link)).read);
    expect(failure.kind).toBe("page");
    expect(failure.message).not.toContain("secret");
  });
});
