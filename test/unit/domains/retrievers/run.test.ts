import { describe, expect, it } from "vitest";
import { httpRetriever } from "../../../../src/domains/passages/retrievers/http-retriever.ts";
import { remoteRetriever } from "../../../../src/domains/passages/retrievers/remote.ts";
import { openSnippetSearch } from "../../../../src/domains/web-search/snippet-mode.ts";
import { openWebSearch } from "../../../../src/domains/web-search/tools.ts";
import type { Environment } from "../../../../src/harness/policy.ts";
import { scriptedModel } from "../../../../src/llm/scripted-model.ts";
import { final, play, read, search } from "../../../support/episodes.ts";
import type { LoopbackRetrieverOptions } from "../../../support/loopback-retriever.ts";
import { always, server, wire } from "./support.ts";

async function environments(options: LoopbackRetrieverOptions = {}) {
  const started = await server([], options);
  const retriever = remoteRetriever(httpRetriever(wire(), `${started.origin}/retrieve`), { concurrency: 8 });
  return { ...started, open: (): Environment => openWebSearch(retriever, { results: 2 }) };
}

describe("episodes over a retriever on the network", () => {
  it("64 at once are what one by one they are, and do not flood the server", async () => {
    const { open, calls, atOnce } = await environments({
      misbehave: ({ index }) => ({ kind: "late", ms: (index * 7) % 5 }),
    });
    const one = (i: number) =>
      play({
        environment: open(),
        question: `Question ${i}`,
        script: [search(`Marl Lighthouse ${i % 20}`), read("doc_0"), search("Anderby"), final("1871")],
      });
    const together = await Promise.all(Array.from({ length: 64 }, (_, i) => one(i)));
    expect(calls).toHaveLength(21);
    expect(atOnce()).toBeLessThanOrEqual(8);
    const observations = together.map(({ steps }) => steps.map(({ observation }) => observation));
    for (const i of [0, 19, 63]) {
      const alone = await one(i);
      expect(alone.steps.map(({ observation }) => observation)).toEqual(observations[i]);
    }
    expect(together.every(({ stopReason }) => stopReason === "final")).toBe(true);
  });

  it("one failed search is an observation of an episode that ends with its answer", async () => {
    const { open } = await environments({
      misbehave: ({ index }) => (index === 1 ? { kind: "raw", status: 400, body: "" } : undefined),
    });
    const episode = await play({ environment: open(), script: [search("Anderby"), search("b"), final("x")] });
    expect(episode).toMatchObject({ stopReason: "final", answer: "x", length: 3 });
    expect(episode.steps[1]?.observation).toMatch(/^No results found: the search itself failed/);
  });

  it("a retriever that is none ends the episode, with the reason in its words", async () => {
    const { open } = await environments(always({ kind: "raw", type: "text/html", body: "<h1>" }));
    const episode = await play({ environment: open(), script: [search("a"), final("x")] });
    expect(episode).toMatchObject({ stopReason: "environment_error", outcome: "halted" });
    expect(episode.extra).toMatchObject({
      failure: { detail: expect.stringContaining("sent text/html where JSON was expected") },
    });
  });

  it("a cancelled episode leaves no call behind", async () => {
    const { open, calls, lost } = await environments(always({ kind: "stall" }));
    const stop = new AbortController();
    const episode = play({ environment: open(), script: [search("a"), final("x")], signal: stop.signal });
    await expect.poll(() => calls.length).toBe(1);
    stop.abort(new Error("Interrupted"));
    expect((await episode).stopReason).toBe("cancelled");
    await expect.poll(lost).toBe(1);
  });

  it("teacher snippets are counted once, as the teacher's", async () => {
    const episode = await play({
      environment: openSnippetSearch(),
      teacher: scriptedModel(() => "Lit in 1871.", "scripted:teacher"),
      script: [search("When was the Marl Lighthouse lit?"), final("1871")],
    });
    expect(episode.steps[0]?.observation).toBe("Lit in 1871.");
    expect(episode.extra).toMatchObject({ teacher: { outputTokens: expect.any(Number) } });
    expect(episode.cost).toEqual((episode.extra as { teacher: unknown }).teacher);
  });
});
