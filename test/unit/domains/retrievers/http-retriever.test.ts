import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { httpRetriever } from "../../../../src/domains/passages/retrievers/http-retriever.ts";
import type { WireLimits } from "../../../../src/domains/passages/retrievers/exchange.ts";
import type { Misbehaviour } from "../../../support/loopback-retriever.ts";
import { always, failureOf, server, wire } from "./support.ts";

const json = (value: unknown): Misbehaviour => ({ kind: "raw", body: JSON.stringify(value) });

async function answering(way: Misbehaviour, limits: Partial<WireLimits> = {}) {
  const { origin } = await server([], always(way));
  return httpRetriever(wire(limits), `${origin}/retrieve`);
}

describe("a retriever in the style of Search-R1", () => {
  it("is asked as Search-R1 is, and its title lines are read without their quotation marks", async () => {
    const { origin, calls } = await server();
    const found = await httpRetriever(wire(), `${origin}/retrieve`).search("Marl Lighthouse keeper", 2);
    expect(found.map(({ title }) => title)).toEqual(["Marl Lighthouse", "Ida Thorne"]);
    expect(found[0]?.text).toMatch(/^The Marl Lighthouse was lit/);
    expect(calls[0]).toMatchObject({ method: "POST", headers: { "content-type": "application/json" } });
    expect(calls[0]?.headers["user-agent"]).toMatch(/^hasp-studio\/\S+ \(https:/);
    expect(JSON.parse(calls[0]?.body ?? "")).toEqual({
      queries: ["Marl Lighthouse keeper"],
      topk: 2,
      return_scores: true,
    });
  });

  it.each([
    ["with scores", [[{ document: { id: "1", contents: "T\nx" }, score: 0.5 }]]],
    ["without scores", [[{ id: "1", contents: "T\nx" }]]],
    ["with title and text", [[{ document: { title: "T", text: "x" }, score: null }]]],
    ["with a title and contents that repeat it", [[{ title: "T", contents: '"T"\nx' }]]],
    [
      "with documents that are null or empty beside",
      [[null, { document: null }, { text: " " }, { title: "T", text: "x" }]],
    ],
  ])("is read %s", async (_name, result) => {
    expect(await (await answering(json({ result }))).search("q", 5)).toEqual([{ title: "T", text: "x" }]);
  });

  it("gives a passage without a title its first words, and keeps a first line that is no title", async () => {
    const retriever = await answering(
      json({ result: [[{ contents: "only one line" }, { title: "T", contents: "a\nb" }]] }),
    );
    expect(await retriever.search("q", 5)).toEqual([
      { title: "only one line", text: "only one line" },
      { title: "T", text: "a\nb" },
    ]);
  });

  it.each([{ result: [[]] }, { result: [] }, { result: [null] }])("%j is an empty result", async (reply) => {
    expect(await (await answering(json(reply))).search("q", 5)).toEqual([]);
  });

  it("lists no more than was asked for", async () => {
    const many = Array.from({ length: 100 }, (_, i) => ({ title: `T${i}`, text: "x" }));
    expect(await (await answering(json({ result: [many] }))).search("q", 3)).toHaveLength(3);
  });

  it("finds a title among its best passages", async () => {
    const { origin } = await server();
    const retriever = httpRetriever(wire(), `${origin}/retrieve`);
    expect((await retriever.byTitle("ida thorne"))?.text).toContain("born 1850");
    expect(await retriever.byTitle("Thorne")).toBeUndefined();
  });

  it("sends colours, control characters, reordering marks and half characters to nobody", async () => {
    const text = "\u001b[31mred\u001b[0m \u001b]0;title\u0007\u0000be\u0008ll\u202e evil\ud800\r\nnext\tcell";
    const [found] = await (
      await answering(json({ result: [[{ title: "A\u001b[2J\nB", text }]] }))
    ).search("q", 1);
    expect(found).toEqual({ title: "A B", text: "red bell evil\ufffd\nnext cell" });
  });
});

describe("what is no answer is a clear error", () => {
  it.each<[string, Misbehaviour, RegExp]>([
    [
      "HTML",
      { kind: "raw", type: "text/html", body: "<html>hi</html>" },
      /sent text\/html where JSON was expected\. Expected is /,
    ],
    [
      "JSON that says it is HTML",
      { kind: "raw", type: "text/html", body: '{"result":[[]]}' },
      /text\/html where JSON/,
    ],
    ["an image", { kind: "raw", type: "image/png", body: "x" }, /image\/png where JSON/],
    ["half of a JSON", { kind: "raw", body: '{"result": [[' }, /something that is no JSON/],
    ["nothing", { kind: "raw", body: "" }, /an empty answer/],
    [
      "gzip unasked",
      { kind: "raw", body: gzipSync('{"result":[[]]}'), headers: { "content-encoding": "gzip" } },
      /no JSON/,
    ],
    ["another shape", json({ results: [] }), /JSON of another shape/],
    ["a number", json(5), /JSON of another shape/],
    ["null documents alone", json({ result: [[null, null]] }), /2 documents, none of them with a text/],
    [
      "an unknown address",
      { kind: "raw", status: 404, body: '{"detail":"Not Found"}' },
      /knows no such address \(404\): Not Found Check/,
    ],
  ])("%s", async (_name, way, message) => {
    const failure = await failureOf((await answering(way)).search("q", 5));
    expect(failure.kind).toBe("unreachable");
    expect(failure.message).toMatch(/^The retriever at http:\/\/127\.0\.0\.1:\d+\/retrieve /);
    expect(failure.message).toMatch(message);
    expect(failure.brief.length).toBeLessThanOrEqual(32);
  });

  it("a redirect is not followed, and its query is not repeated", async () => {
    const elsewhere = await server();
    const way = {
      kind: "raw",
      status: 307,
      body: "",
      headers: { location: `${elsewhere.origin}/retrieve?s=1` },
    } as const;
    const failure = await failureOf((await answering(way)).search("q", 5));
    expect(failure.message).toContain(`wants to send us to ${elsewhere.origin}/retrieve. Redirects`);
    expect(elsewhere.calls).toHaveLength(0);
  });

  it.each<[string, Misbehaviour]>([
    [
      "50 MB that are announced",
      { kind: "raw", body: "[".repeat(50_000_000), headers: { "content-length": "50000000" } },
    ],
    ["an answer without an end", { kind: "endless" }],
  ])("%s", async (_name, way) => {
    const { origin, lost, calls } = await server([], always(way));
    const failure = await failureOf(httpRetriever(wire(), `${origin}/retrieve`).search("q", 5));
    expect(failure).toMatchObject({ kind: "failed", brief: "answer too large" });
    expect(failure.message).toMatch(/more than 8192 KiB/);
    expect(calls).toHaveLength(1);
    await expect.poll(lost).toBe(1);
  });

  it("deeply nested JSON", async () => {
    const body = `{"result":${"[".repeat(200_000)}${"]".repeat(200_000)}}`;
    const failure = await failureOf((await answering({ kind: "raw", body })).search("q", 5));
    expect(failure.kind).toBe("unreachable");
  });
});

describe("passing troubles", () => {
  const busy = (status: number, headers: Record<string, string> = {}): Misbehaviour => ({
    kind: "raw",
    status,
    type: "text/plain",
    body: "busy",
    headers,
  });

  it.each<[string, readonly Misbehaviour[]]>([
    ["statuses from 500 on", [busy(500), busy(503)]],
    ["connections that are cut", [{ kind: "drop" }, { kind: "drop", midway: true }]],
  ])("%s are tried again, with growing pauses", async (_name, ways) => {
    const { origin, calls } = await server(ways);
    const over = wire();
    expect(await httpRetriever(over, `${origin}/retrieve`).search("Anderby", 5)).not.toHaveLength(0);
    expect(calls).toHaveLength(3);
    expect(over.waits).toEqual([375, 750]);
  });

  it("a pause that the server asks for is kept, and a long one is not waited for", async () => {
    const { origin, calls } = await server([
      busy(429, { "retry-after": "7" }),
      busy(429, { "retry-after": "3600" }),
    ]);
    const over = wire();
    const failure = await failureOf(httpRetriever(over, `${origin}/retrieve`).search("q", 5));
    expect(over.waits).toEqual([7_000]);
    expect(calls).toHaveLength(2);
    expect(failure).toMatchObject({ kind: "failed", brief: "status 429" });
    expect(failure.message).toMatch(
      /too many requests \(429\); it asks for a pause of 3600 s: busy \(2 tries\)\.$/,
    );
  });

  it("four tries are enough", async () => {
    const { origin, calls } = await server([], always(busy(502)));
    const failure = await failureOf(httpRetriever(wire(), `${origin}/retrieve`).search("q", 5));
    expect(failure.message).toMatch(/failed \(502\): busy \(4 tries\)\.$/);
    expect(calls).toHaveLength(4);
  });

  it("a port on which nobody listens", async () => {
    const gone = await server();
    await gone.close();
    const failure = await failureOf(httpRetriever(wire(), `${gone.origin}/retrieve`).search("q", 5));
    expect(failure.kind).toBe("unreachable");
    expect(failure.message).toMatch(
      /^The connection to the retriever at .* failed \(ECONNREFUSED\) \(4 tries\)\.$/,
    );
  });

  // Within this time a busy machine has the request at the server, which is what is counted.
  it.each([false, true])("silence ends with the time, not before (midway: %s)", async (midway) => {
    const { origin, calls, lost } = await server([], always({ kind: "stall", midway }));
    const failure = await failureOf(
      httpRetriever(wire({ timeoutMs: 1_000 }), `${origin}/retrieve`).search("q", 5),
    );
    expect(failure).toMatchObject({ kind: "failed", brief: "no answer in time" });
    expect(failure.message).toMatch(/was not done after 1 s\.$/);
    expect(calls).toHaveLength(1);
    await expect.poll(lost).toBe(1);
  });

  it.each([false, true])("an abort ends the call and the connection (midway: %s)", async (midway) => {
    const { origin, calls, lost } = await server([], always({ kind: "stall", midway }));
    const stop = new AbortController();
    const search = httpRetriever(wire(), `${origin}/retrieve`).search("q", 5, stop.signal);
    await expect.poll(() => calls.length).toBe(1);
    stop.abort(new Error("enough"));
    await expect(search).rejects.toThrow("enough");
    await expect.poll(lost).toBe(1);
  });

  it("a refused access ends the search at once", async () => {
    const failure = await failureOf(
      (await answering({ kind: "raw", status: 403, body: '{"detail":"no"}' })).search("q", 5),
    );
    expect(failure).toMatchObject({ kind: "refused", brief: "access refused" });
  });
});
