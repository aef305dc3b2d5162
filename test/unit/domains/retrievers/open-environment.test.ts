import { afterEach, describe, expect, it } from "vitest";
import type { Passage, RunEnvironment, ToolOrder } from "../../../../src/domains/environment.ts";
import { openEnvironment } from "../../../../src/domains/web-search/open-environment.ts";
import { needsPassages } from "../../../../src/domains/passages/retriever-kinds.ts";
import { createRedactor, type Redactor } from "../../../../src/llm/redact.ts";
import type { Checked } from "../../../../src/model/diagnostic.ts";
import { retrieverKeys } from "../../../../src/platform/retriever-keys.ts";
import { systemTiming } from "../../../../src/platform/timing.ts";
import { openWebClient } from "../../../../src/platform/web-client.ts";
import {
  loopbackRetriever,
  PASSAGES,
  type LoopbackRetriever,
  type LoopbackRetrieverOptions,
} from "../../../support/loopback-retriever.ts";

const KEY = "serp-4f9a8b7c6d5e";
const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

interface Given {
  readonly passages?: readonly Passage[];
  readonly hasTeacher?: boolean;
  readonly environment?: Readonly<Record<string, string>>;
  readonly redactor?: Redactor;
  readonly onTrouble?: (message: string) => void;
}

const tools = (given: Partial<ToolOrder> = {}): ToolOrder => ({
  retriever: "corpus",
  language: "en",
  concurrency: 0,
  topK: 5,
  ...given,
});

/** Opens the environment as the command line does, with another environment of variables, and no tries after the first. */
function attempt(given: Partial<ToolOrder>, more: Given = {}): Promise<Checked<RunEnvironment>> {
  const { passages, hasTeacher = true, environment = {}, redactor = createRedactor() } = more;
  const ports = {
    openClient: openWebClient,
    keys: retrieverKeys(environment),
    timing: systemTiming,
    redactor,
    onTrouble: more.onTrouble ?? ((): void => undefined),
  };
  return openEnvironment({ tools: tools(given), passages, hasTeacher }, ports, { retries: 0 });
}

async function opened(given: Partial<ToolOrder>, more: Given = {}): Promise<RunEnvironment> {
  const { value, diagnostics } = await attempt(given, more);
  if (value === undefined) throw new Error(diagnostics[0]?.message);
  cleanups.push(() => value.close());
  return value;
}

async function server(options: LoopbackRetrieverOptions = {}): Promise<LoopbackRetriever> {
  const started = await loopbackRetriever(options);
  cleanups.push(() => started.close());
  return started;
}

const search = async (retriever: RunEnvironment, query = "Marl Lighthouse"): Promise<string> =>
  (await retriever.openTools().execute({ type: "SEARCH", arg: query })).observation;
const never = new AbortController().signal;

describe("The environment of web-search", () => {
  it("searches the corpus", async () => {
    expect(needsPassages(tools())).toBe(true);
    const retriever = await opened({ topK: 2 }, { passages: PASSAGES });
    expect((await search(retriever)).split("\n")).toHaveLength(2);
    expect(retriever.settings).toEqual({ kind: "corpus", topK: 2 });
    await retriever.check(never);
  });

  it("http asks the address, with /retrieve where it has no path", async () => {
    const { origin, calls } = await server();
    const retriever = await opened({ retriever: "http", url: origin });
    await retriever.check(never);
    expect(await search(retriever)).toMatch(/^doc_0 {2}Marl Lighthouse/);
    expect(calls.map(({ url }) => url.pathname)).toEqual(["/retrieve", "/retrieve"]);
    expect(retriever.settings).toEqual({ kind: "http", url: `${origin}/retrieve`, topK: 5 });
  });

  it("wikipedia asks the wiki of a language, or another one", async () => {
    expect((await opened({ retriever: "wikipedia", language: "de" })).settings.url).toBe(
      "https://de.wikipedia.org/w/api.php",
    );
    const { origin, calls } = await server();
    const retriever = await opened({ retriever: "wikipedia", url: `${origin}/w/api.php` });
    await retriever.check(never);
    expect(calls[0]?.url.searchParams.get("meta")).toBe("siteinfo");
    expect(await search(retriever)).toMatch(/^doc_0 {2}Marl Lighthouse/);
  });

  it("serpapi takes its key from the environment, and reads pages on this machine only where it runs there itself", async () => {
    const { origin, calls } = await server({ key: KEY });
    const { hostname, port } = new URL(origin);
    const environment = { [`HASP_KEY_${hostname.replaceAll(".", "_")}_${port}`]: KEY };
    const redactor = createRedactor();
    const retriever = await opened(
      { retriever: "serpapi", url: origin },
      {
        environment,
        redactor,
      },
    );
    await retriever.check(never);
    const tools = retriever.openTools();
    await tools.execute({ type: "SEARCH", arg: "Marl Lighthouse" });
    expect((await tools.execute({ type: "READ", arg: "doc_1" })).observation).toContain("lit in 1871");
    expect(calls.map(({ url }) => url.pathname)).toEqual(["/account.json", "/search.json", "/page/0"]);
    expect(redactor.redact(`x ${KEY}`)).toBe("x [redacted]");
    expect(JSON.stringify(retriever.settings)).not.toContain(KEY);
  });

  it("teacher-snippet needs neither an address nor a corpus", async () => {
    const retriever = await opened({ retriever: "teacher-snippet" });
    expect(needsPassages({ retriever: "teacher-snippet" })).toBe(false);
    const tools = retriever.openTools();
    expect(tools).toMatchObject({ actionTypes: ["SEARCH", "FINAL"], searchReturnsText: true });
    const ask = async () => ({ reply: "Lit in 1871." });
    expect((await tools.execute({ type: "SEARCH", arg: "q" }, never, ask)).observation).toBe("Lit in 1871.");
    expect(await search(await opened({ retriever: "teacher-snippet" }, { passages: PASSAGES }))).toMatch(
      /^Marl Lighthouse: The Marl/,
    );
  });
});

describe("What cannot be opened has no value", () => {
  it.each<[Partial<ToolOrder>, RegExp, RegExp?]>([
    [{}, /retriever corpus needs passages/],
    [{ retriever: "http" }, /needs an address/, /--retriever-url http/],
    [{ retriever: "http", url: "nonsense" }, /no http or https address/],
    [{ retriever: "http", url: "file:///etc/passwd" }, /no http or https address/],
    [{ retriever: "http", url: "http://u:hunter2@127.0.0.1/" }, /carries a user, a password/],
    [{ retriever: "wikipedia", language: "../evil" }, /no language of a Wikipedia/],
    [{ retriever: "serpapi" }, /needs a key/, /SERPAPI_API_KEY/],
    [{ retriever: "serpapi", url: "http://serp.example" }, /plain http/],
    [{ retriever: "serpapi", url: "https://serp.example" }, /needs a key/, /HASP_KEY_SERP_EXAMPLE_443/],
    [{ retriever: "wikipdia" }, /No retriever is called "wikipdia"/, /wikipedia/],
    [{ retriever: "teacher-snippet", url: "http://127.0.0.1" }, /has no address/],
    [{ topK: 500 }, /more than a policy reads/],
  ])("%j", async (given, message, next) => {
    const { value, diagnostics } = await attempt(given);
    expect(value).toBeUndefined();
    const [error] = diagnostics;
    expect(error).toMatchObject({ code: "HASP585", message: expect.stringMatching(message) });
    expect(JSON.stringify(error)).not.toContain("hunter2");
    if (next !== undefined) expect(error).toMatchObject({ next: expect.stringMatching(next) });
  });

  it("teacher-snippet without a teacher and without passages", async () => {
    const words = { retriever: "teacher-snippet" };
    await expect(opened(words, { hasTeacher: false })).rejects.toThrow(/needs a teacher or passages/);
    expect((await opened(words, { hasTeacher: false, passages: PASSAGES })).settings.kind).toBe(
      "teacher-snippet",
    );
  });

  it("the check says who does not answer, or refuses the key, and hides it", async () => {
    const gone = await loopbackRetriever();
    await gone.close();
    const nobody = await opened({ retriever: "http", url: gone.origin });
    expect((await nobody.check(never))[0]).toMatchObject({
      code: "HASP585",
      message: expect.stringMatching(/^The connection to the retriever at .* failed \(ECONNREFUSED\)\.$/),
    });
    const { origin } = await server({ key: "another-key" });
    const environment = { [`HASP_KEY_127_0_0_1_${new URL(origin).port}`]: KEY };
    const refused = await opened({ retriever: "serpapi", url: origin }, { environment });
    expect((await refused.check(never))[0]).toMatchObject({
      code: "HASP585",
      message: expect.stringMatching(/refuses access \(401\): Invalid API key: \[redacted\]$/),
    });
  });

  it("troubles are told while the episode goes on, each once", async () => {
    const { origin } = await server({
      misbehave: ({ index }) => (index > 0 ? { kind: "raw", status: 400, body: "" } : undefined),
    });
    const told: string[] = [];
    const retriever = await opened(
      { retriever: "http", url: origin },
      {
        onTrouble: (message) => told.push(message),
      },
    );
    await search(retriever, "Anderby");
    const failed = /^No results found: the search itself failed/;
    expect(await search(retriever, "b")).toMatch(failed);
    expect(await search(retriever, "c")).toMatch(failed);
    expect(told).toEqual([`The retriever at ${origin}/retrieve refused the request (400).`]);
  });
});
