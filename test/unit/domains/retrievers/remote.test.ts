import { describe, expect, it } from "vitest";
import { httpRetriever } from "../../../../src/domains/passages/retrievers/http-retriever.ts";
import { openLanes } from "../../../../src/model/lanes.ts";
import { createMemory } from "../../../../src/domains/passages/retrievers/memory.ts";
import { remoteRetriever } from "../../../../src/domains/passages/retrievers/remote.ts";
import { wikipedia } from "../../../../src/domains/passages/retrievers/wikipedia.ts";
import { openWebSearch } from "../../../../src/domains/web-search/tools.ts";
import { webSearchRules } from "../../../../src/domains/web-search/context-rules.ts";
import type { LoopbackRetrieverOptions, Misbehaviour } from "../../../support/loopback-retriever.ts";
import { always, failureOf, server, wire } from "./support.ts";

async function shared(
  ways: readonly Misbehaviour[] = [],
  options: LoopbackRetrieverOptions = {},
  concurrency = 8,
) {
  const started = await server(ways, options);
  const retriever = remoteRetriever(httpRetriever(wire(), `${started.origin}/retrieve`), { concurrency });
  return { ...started, retriever };
}

describe("a remote retriever, shared by all episodes of a run", () => {
  it("is asked once for what 64 episodes ask at once, and for what was answered before", async () => {
    const { retriever, calls } = await shared([{ kind: "late", ms: 20 }]);
    const found = await Promise.all(Array.from({ length: 64 }, () => retriever.search("Anderby", 3)));
    await retriever.search("  Anderby ", 3);
    expect(calls).toHaveLength(1);
    expect(new Set(found.map((one) => JSON.stringify(one))).size).toBe(1);
    await retriever.search("Anderby", 4);
    await retriever.search("anderby", 3);
    expect(calls).toHaveLength(3);
  });

  it("is asked eight things at once, and the rest waits", async () => {
    const { retriever, calls, atOnce } = await shared([], { misbehave: () => ({ kind: "late", ms: 100 }) });
    await Promise.all(Array.from({ length: 64 }, (_, i) => retriever.search(`Anderby ${i}`, 3)));
    expect(calls).toHaveLength(64);
    expect(atOnce()).toBe(8);
  });

  it("who leaves disturbs nobody; when all have left, the call is aborted", async () => {
    const { retriever, calls, lost } = await shared([{ kind: "late", ms: 50 }, { kind: "stall" }]);
    const [leaves, stays] = [new AbortController(), new AbortController()];
    const both = [
      retriever.search("Anderby", 3, leaves.signal),
      retriever.search("Anderby", 3, stays.signal),
    ];
    leaves.abort(new Error("gone"));
    await expect(both[0]).rejects.toThrow("gone");
    expect(await both[1]).not.toEqual([]);
    const last = retriever.search("stalled", 3, stays.signal);
    await expect.poll(() => calls.length).toBe(2);
    stays.abort(new Error("gone too"));
    await expect(last).rejects.toThrow("gone too");
    await expect.poll(lost).toBe(1);
  });

  it("who leaves while waiting frees the way for others", async () => {
    const inLane = openLanes(1);
    const [never, leaves] = [new AbortController().signal, new AbortController()];
    const ran: string[] = [];
    let open = (): void => undefined;
    const first = inLane(never, () => new Promise<void>((resolve) => void (open = resolve)));
    const waits = inLane(leaves.signal, async () => ran.push("left"));
    const next = inLane(never, async () => ran.push("next"));
    leaves.abort(new Error("gone"));
    await expect(waits).rejects.toThrow("gone");
    open();
    await Promise.all([first, next]);
    await expect(inLane(never, () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
    await inLane(never, async () => ran.push("after"));
    expect(ran).toEqual(["next", "after"]);
  });

  it("a failure is not remembered", async () => {
    const { retriever } = await shared([{ kind: "raw", status: 400, body: "" }]);
    expect((await failureOf(retriever.search("Anderby", 3))).kind).toBe("failed");
    expect(await retriever.search("Anderby", 3)).not.toEqual([]);
  });

  it("unreachable means refused until something good came", async () => {
    const html: Misbehaviour = { kind: "raw", type: "text/html", body: "<p>" };
    const { retriever } = await shared([html, undefined, html]);
    expect((await failureOf(retriever.search("a", 3))).kind).toBe("refused");
    await retriever.search("b", 3);
    expect((await failureOf(retriever.search("c", 3))).kind).toBe("unreachable");
  });
});

describe("what is remembered", () => {
  it("fits its limit, and what was not asked for the longest goes first", () => {
    const memory = createMemory<string>(10);
    memory.set("a", "A", 4);
    memory.set("b", "B", 4);
    memory.get("a");
    memory.set("c", "C", 4);
    expect([memory.get("a"), memory.get("b"), memory.get("c")].map((one) => one?.value)).toEqual([
      "A",
      undefined,
      "C",
    ]);
    memory.set("a", "A2", 10);
    memory.set("d", "D", 11);
    expect(["a", "c", "d"].map((key) => memory.get(key)?.value)).toEqual(["A2", undefined, undefined]);
  });
});

describe("an episode over a remote retriever", () => {
  const episode = async (ways: readonly Misbehaviour[]) => {
    const { retriever, calls } = await shared(ways);
    const troubles: string[] = [];
    const tools = openWebSearch(retriever, {
      results: 2,
      onTrouble: ({ message }) => troubles.push(message),
    });
    const run = async (type: string, arg: string) => (await tools.execute({ type, arg })).observation;
    return { run, troubles, calls };
  };
  const bad: Misbehaviour = { kind: "raw", status: 400, body: '{"detail":"bad \\"query\\""}' };

  it("searches, reads what it found, and says when there is nothing", async () => {
    const { run, calls } = await episode([]);
    expect(await run("SEARCH", "Marl Lighthouse keeper")).toMatch(
      /^doc_0 {2}Marl Lighthouse: .*\ndoc_1 {2}Ida Thorne: /,
    );
    expect(await run("READ", "doc_1")).toMatch(/^Ida Thorne\nIda Thorne, born 1850/);
    expect(calls).toHaveLength(1);
    expect(await run("SEARCH", "xyzzy")).toBe("No results.");
  });

  it("a search that failed is an observation that counts as empty; the episode goes on", async () => {
    const { run, troubles } = await episode([undefined, bad]);
    await run("SEARCH", "Anderby");
    const failed = await run("SEARCH", "b");
    expect(failed).toBe("No results found: the search itself failed (status 400). Try it once more.");
    expect(webSearchRules.isEmptySearch(failed)).toBe(true);
    expect(troubles).toEqual([expect.stringMatching(/refused the request \(400\): bad/)]);
    // What was listed before can still be read.
    expect(await run("READ", "doc_0")).toContain("harbour town");
  });

  it("whatever the reason, it counts as empty", () => {
    const longest = "x".repeat(32);
    const words = `No results found: the search itself failed (${longest}). Try it once more.`;
    expect(webSearchRules.isEmptySearch(words)).toBe(true);
  });

  it("three failures in a row end the episode, a good answer between them does not", async () => {
    const { run } = await episode([undefined, bad, bad, undefined, bad, bad, bad]);
    for (const query of ["Anderby", "b", "c", "Thorne", "d", "e"]) await run("SEARCH", query);
    await expect(run("SEARCH", "f")).rejects.toThrow(/^The retriever at http.* refused the request/);
  });

  it("a retriever that was never reached ends it at once", async () => {
    const { run } = await episode([{ kind: "raw", type: "text/html", body: "<h1>nginx" }]);
    await expect(run("SEARCH", "a")).rejects.toThrow(/text\/html where JSON was expected/);
  });

  it("Wikipedia's articles are read in full", async () => {
    const { origin } = await server();
    const tools = openWebSearch(
      remoteRetriever(wikipedia(wire(), `${origin}/w/api.php`), { concurrency: 3 }),
    );
    await tools.execute({ type: "SEARCH", arg: "lighthouse keeper" });
    const { observation, documents } = await tools.execute({ type: "READ", arg: "doc_0" });
    expect(observation).toMatch(
      /^Marl Lighthouse\nThe Marl Lighthouse was lit in 1871 on the east mole of Anderby\./,
    );
    expect(documents?.[0]).toMatchObject({ id: "doc_0", title: "Marl Lighthouse" });
    expect((await tools.execute({ type: "READ", arg: "Tide almanac" })).observation).toContain("high water");
    const missing = (await tools.execute({ type: "READ", arg: "No such article" })).observation;
    expect(webSearchRules.isEmptySearch(missing)).toBe(true);
  });

  it("a page that cannot be read is an observation, however often", async () => {
    const { origin } = await server([], always({ kind: "raw", status: 403, type: "text/html", body: "" }));
    const { readPage } = await import("../../../../src/domains/passages/retrievers/page.ts");
    const over = wire();
    const tools = openWebSearch({
      search: async () => [{ title: "T", text: "words", url: `${origin}/page/0` }],
      byTitle: async () => undefined,
      whole: async (found, signal = new AbortController().signal) => ({
        ...found,
        text: await readPage(over, found.url ?? "", signal),
      }),
    });
    await tools.execute({ type: "SEARCH", arg: "a" });
    for (let i = 0; i < 5; i++) {
      const { observation } = await tools.execute({ type: "READ", arg: "doc_0" });
      expect(observation).toBe(
        "Could not find [doc_0]. It could not be opened (status 403). The latest results are doc_0 to doc_0.",
      );
      expect(webSearchRules.isEmptySearch(observation)).toBe(true);
    }
  });
});
