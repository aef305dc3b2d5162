import { describe, expect, it } from "vitest";
import { wikipedia, wikipediaUrl } from "../../../../src/domains/passages/retrievers/wikipedia.ts";
import type { Misbehaviour } from "../../../support/loopback-retriever.ts";
import { always, failureOf, server, wire } from "./support.ts";

const json = (value: unknown, headers: Record<string, string> = {}): Misbehaviour => ({
  kind: "raw",
  body: JSON.stringify(value),
  headers,
});

async function opened(ways: readonly Misbehaviour[] = []) {
  const started = await server(ways);
  const over = wire();
  return { ...started, over, wiki: wikipedia(over, `${started.origin}/w/api.php`) };
}

describe("Wikipedia", () => {
  it("is searched politely, and its snippets are read without markup", async () => {
    const { wiki, calls } = await opened();
    const found = await wiki.search("harbour town mole", 2);
    expect(found[0]).toEqual({
      title: "Anderby",
      text: "Anderby is a harbour town. Its mole was rebuilt after the flood of 1866.".replace("of", '"of"'),
    });
    const { url, method, headers } = calls[0] ?? expect.fail("nobody called");
    expect(method).toBe("GET");
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      action: "query",
      list: "search",
      srsearch: "harbour town mole",
      srlimit: "2",
      maxlag: "5",
      formatversion: "2",
    });
    expect(headers["user-agent"]).toMatch(/hasp-studio\/\S+ \(https:/);
  });

  it("gives a whole article by its title, as plain text", async () => {
    const { wiki, calls } = await opened();
    expect((await wiki.byTitle(" ida thorne "))?.text).toContain("tide almanac");
    expect((await wiki.whole?.({ title: "Anderby", text: "…" }))?.text).toContain("flood of 1866");
    expect(Object.fromEntries(calls[0]?.url.searchParams ?? [])).toMatchObject({
      prop: "extracts",
      explaintext: "1",
      redirects: "1",
      titles: "ida thorne",
    });
  });

  it("knows what is not there", async () => {
    const { wiki, calls } = await opened();
    expect(await wiki.byTitle("Nobody")).toBeUndefined();
    expect(await wiki.search("xyzzy qqqq", 5)).toEqual([]);
    await wiki.byTitle("A|B");
    expect(calls.at(-1)?.url.searchParams.get("titles")).toBe("\u001fA|B");
  });

  it("a query is cut to what the API takes", async () => {
    const { wiki } = await opened();
    expect(await wiki.search(`Anderby ${"x".repeat(400)}`, 5)).not.toEqual([]);
  });

  it("waits as long as the API asks where the replicas lag", async () => {
    const lag = json(
      { error: { code: "maxlag", info: "Waiting for db1: 6 seconds lagged." } },
      { "retry-after": "5" },
    );
    const { wiki, over, calls } = await opened([
      lag,
      { kind: "raw", status: 429, body: "", headers: { "retry-after": "2" } },
    ]);
    expect(await wiki.search("Anderby", 5)).not.toEqual([]);
    expect(over.waits).toEqual([5_000, 2_000]);
    expect(calls).toHaveLength(3);
  });

  it("gives up after four lags, and says why", async () => {
    const { wiki } = await opened(
      Array.from({ length: 4 }, () => json({ error: { code: "maxlag", info: "6 seconds lagged" } })),
    );
    const failure = await failureOf(wiki.search("Anderby", 5));
    expect(failure.kind).toBe("failed");
    expect(failure.message).toMatch(
      /is answering too many requests \(200\): 6 seconds lagged \(4 tries\)\.$/,
    );
  });

  it.each<[string, Misbehaviour, string, RegExp]>([
    [
      "an error of the API",
      json({ error: { code: "badvalue", info: "Bad\u001b[31m value" } }),
      "failed",
      /refused the request: Bad \[31m value/,
    ],
    [
      "HTML of another site",
      { kind: "raw", type: "text/html", body: "<p>" },
      "unreachable",
      /text\/html where JSON/,
    ],
    [
      "JSON of another service",
      json({ hits: [] }),
      "unreachable",
      /JSON of another shape\. Expected is an answer of a MediaWiki/,
    ],
  ])("%s", async (_name, way, kind, message) => {
    const { origin } = await server([], always(way));
    const failure = await failureOf(wikipedia(wire(), `${origin}/w/api.php`).search("q", 5));
    expect(failure.kind).toBe(kind);
    expect(failure.message).toMatch(message);
  });

  it("is asked in its language", () => {
    expect(wikipediaUrl("de")).toBe("https://de.wikipedia.org/w/api.php");
  });
});
