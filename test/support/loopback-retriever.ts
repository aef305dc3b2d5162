/**
 * A server on this machine that speaks what retrievers speak: Search-R1's `/retrieve`, MediaWiki's `/w/api.php`, SerpAPI's
 * `/search.json` and `/account.json`, and pages under `/page/<n>` with the texts. It searches our own passages, counts its calls and
 * misbehaves on demand.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Passage } from "../../src/domains/environment.ts";
import { indexPassages } from "../../src/domains/passages/search-index.ts";

export interface RetrieverCall {
  /** 0 for the first. */
  readonly index: number;
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** What becomes of one call; undefined: it is answered as it should be. */
export type Misbehaviour =
  | {
      readonly kind: "raw";
      readonly status?: number;
      readonly type?: string;
      readonly body: string | Buffer;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** The connection is cut, before the answer or in its middle. */
  | { readonly kind: "drop"; readonly midway?: boolean }
  /** Nothing ever comes, or nothing after the beginning. */
  | { readonly kind: "stall"; readonly midway?: boolean }
  /** JSON's beginning, then blanks for ever. */
  | { readonly kind: "endless" }
  /** As it should be, but later. */
  | { readonly kind: "late"; readonly ms: number }
  | undefined;

export interface LoopbackRetriever {
  readonly origin: string;
  readonly calls: readonly RetrieverCall[];
  /** The most calls that were under way at once. */
  readonly atOnce: () => number;
  /** Calls whose connection went before they were answered. */
  readonly lost: () => number;
  close(): Promise<void>;
}

export const PASSAGES: readonly Passage[] = [
  {
    title: "Marl Lighthouse",
    text: "The Marl Lighthouse was lit in 1871 on the east mole of Anderby. Its keeper Ida Thorne served for forty years.",
  },
  {
    title: "Ida Thorne",
    text: "Ida Thorne, born 1850 in Castor, kept the Marl Lighthouse and wrote a tide almanac.",
  },
  { title: "Anderby", text: "Anderby is a harbour town. Its mole was rebuilt after the flood of 1866." },
  { title: "Tide almanac", text: "A tide almanac lists the hours of high water for each day of a year." },
];

type Answerer = (call: RetrieverCall) => Promise<{ type: string; body: string; status?: number }>;

const json = (value: unknown, status = 200) => ({
  type: "application/json; charset=utf-8",
  body: JSON.stringify(value),
  status,
});

function searchR1(passages: readonly Passage[]): Answerer {
  const index = indexPassages(passages);
  return async ({ body }) => {
    const {
      queries,
      topk,
      return_scores: scored,
    } = JSON.parse(body) as {
      queries: string[];
      topk: number;
      return_scores?: boolean;
    };
    const result = queries.map(async (query) =>
      (await index.search(query, topk)).map(({ title, text }, i) => {
        const document = { id: `p${i}`, contents: `"${title}"\n${text}` };
        return scored === true ? { document, score: 10 - i } : document;
      }),
    );
    return json({ result: await Promise.all(result) });
  };
}

/** `formatversion=2` of the parts that are asked for; errors come with status 200, as MediaWiki's do. */
function mediaWiki(passages: readonly Passage[]): Answerer {
  const index = indexPassages(passages);
  return async ({ url: { searchParams: asked } }) => {
    if (asked.get("meta") === "siteinfo") return json({ batchcomplete: true, query: { general: {} } });
    if (asked.get("list") === "search") {
      const query = asked.get("srsearch") ?? "";
      if (query.length > 300)
        return json({ error: { code: "cirrussearch-query-too-long", info: "Too long." } });
      const found = await index.search(query, Number(asked.get("srlimit")));
      const search = found.map(({ title, text }, i) => ({
        ns: 0,
        title,
        pageid: i + 1,
        snippet: text
          .replace(/^(\S+ \S+)/, '<span class="searchmatch">$1</span>')
          .replace("of", "&quot;of&quot;"),
      }));
      return json({ batchcomplete: true, query: { searchinfo: { totalhits: search.length }, search } });
    }
    const title = asked.get("titles") ?? "";
    const page = await index.byTitle(title);
    const pages = [page === undefined ? { ns: 0, title, missing: true } : { ...page, extract: page.text }];
    return json({ batchcomplete: true, query: { pages } });
  };
}

function serpApi(passages: readonly Passage[], key: string): Answerer {
  const index = indexPassages(passages);
  return async ({ url, headers }) => {
    const { searchParams: asked, pathname } = url;
    if (asked.get("api_key") !== key) return json({ error: `Invalid API key: ${asked.get("api_key")}` }, 401);
    if (pathname === "/account.json") return json({ api_key: key, total_searches_left: 100 });
    const found = await index.search(asked.get("q") ?? "", 10);
    if (found.length === 0)
      return json({
        search_metadata: { status: "Success" },
        error: "Google hasn't returned any results for this query.",
      });
    const organic = found.map((one, i) => ({
      position: i + 1,
      title: one.title,
      link: `http://${headers.host}/page/${passages.indexOf(one)}`,
      snippet: `${one.text.slice(0, 40)}...`,
    }));
    return json({
      search_metadata: { status: "Success" },
      search_parameters: { api_key: key },
      answer_box: { type: "organic_result", title: "Lit in", answer: "1871", link: organic[0]?.link },
      organic_results: organic,
    });
  };
}

function pages(passages: readonly Passage[]): Answerer {
  return async ({ url }) => {
    const passage = passages[Number(url.pathname.split("/").at(-1))];
    if (passage === undefined) return { type: "text/html", body: "gone", status: 404 };
    return {
      type: "text/html; charset=utf-8",
      body: `<!doctype html><html><head><title>${passage.title}</title><style>p{color:red}</style><script>alert(1)</script></head>
<body><nav><a href="/">Home</a></nav><main><h1>${passage.title}</h1><p>${passage.text}</p><p>See <a href="/x">more</a> &amp; more.</p></main><footer>imprint</footer></body></html>`,
    };
  };
}

export interface LoopbackRetrieverOptions {
  readonly passages?: readonly Passage[];
  /** The key that SerpAPI takes. */
  readonly key?: string;
  readonly misbehave?: (call: RetrieverCall) => Misbehaviour;
}

export async function loopbackRetriever(options: LoopbackRetrieverOptions = {}): Promise<LoopbackRetriever> {
  const { passages = PASSAGES, key = "none", misbehave } = options;
  const answerers: Readonly<Record<string, Answerer>> = {
    "/retrieve": searchR1(passages),
    "/w/api.php": mediaWiki(passages),
    "/search.json": serpApi(passages, key),
    "/account.json": serpApi(passages, key),
  };
  const onPage = pages(passages);
  const calls: RetrieverCall[] = [];
  let [under, most, lost] = [0, 0, 0];

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    most = Math.max(most, ++under);
    response.once("close", () => {
      under -= 1;
      if (!response.writableFinished) lost += 1;
    });
    const body = await textOf(request);
    const url = new URL(request.url ?? "/", `http://${request.headers.host ?? "127.0.0.1"}`);
    const call = { index: calls.length, method: request.method ?? "", url, headers: request.headers, body };
    calls.push(call);
    const how = misbehave?.(call);
    if (how !== undefined && how.kind !== "late") return act(response, how);
    if (how !== undefined) await new Promise((resolve) => void setTimeout(resolve, how.ms));
    const answerer = answerers[url.pathname] ?? (url.pathname.startsWith("/page/") ? onPage : undefined);
    const answer = (await answerer?.(call)) ?? { type: "text/plain", body: "no such address", status: 404 };
    response.writeHead(answer.status ?? 200, { "content-type": answer.type });
    response.end(answer.body);
  }

  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    atOnce: () => most,
    lost: () => lost,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const piece of request.setEncoding("utf8")) text += String(piece);
  return text;
}

function act(response: ServerResponse, how: Exclude<Misbehaviour, undefined | { kind: "late" }>): void {
  if (how.kind === "raw") {
    response.writeHead(how.status ?? 200, { "content-type": how.type ?? "application/json", ...how.headers });
    response.end(how.body);
    return;
  }
  if (how.kind === "drop" && how.midway !== true) return void response.destroy();
  if (how.kind === "stall" && how.midway !== true) return;
  response.writeHead(200, { "content-type": "application/json" });
  if (how.kind === "endless") return pour(response);
  response.write('{"result": [[', () => void (how.kind === "drop" && response.destroy()));
}

function pour(response: ServerResponse): void {
  const blanks = " ".repeat(1 << 20);
  const more = (): void => {
    while (!response.destroyed && response.write(blanks));
  };
  response.on("drain", more);
  more();
}
