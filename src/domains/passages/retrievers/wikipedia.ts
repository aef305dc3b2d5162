import { oneLine } from "../../../llm/redact.ts";
import { z } from "../../../model/zod.ts";
import { cleanText, cleanTitle } from "./clean-text.ts";
import type { Answer, Wire } from "./exchange.ts";
import { markupLine } from "./html-text.ts";
import { askJson, jsonOf, notTheService } from "./json-answer.ts";
import { RetrieverError, type Found, type Retriever } from "./retriever.ts";

/** Seconds that the database replicas may lag behind before the API asks us to come later; what Wikimedia recommends. */
const MAX_LAG = "5";
/** CirrusSearch refuses longer ones. */
const LONGEST_QUERY = 300;
/** The API's own "not now", sent with status 200. */
const NOT_NOW = new Set(["maxlag", "ratelimited", "readonly", "cirrussearch-too-busy-error"]);
const EXPECTED = "an answer of a MediaWiki API, such as https://en.wikipedia.org/w/api.php";

const errorSchema = z.object({ error: z.object({ code: z.string(), info: z.string().optional() }) });
const searchSchema = z.object({
  query: z.object({ search: z.array(z.object({ title: z.string(), snippet: z.string().nullish() })) }),
});
const pageSchema = z.object({
  query: z.object({ pages: z.array(z.object({ title: z.string(), extract: z.string().nullish() })) }),
});

/** The API address of a Wikipedia by its language code. */
export function wikipediaUrl(language: string): string {
  return `https://${language}.wikipedia.org/w/api.php`;
}

async function askApi(
  wire: Wire,
  url: string,
  parameters: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<unknown> {
  const who = `Wikipedia's API at ${url}`;
  const query = new URLSearchParams({
    action: "query",
    format: "json",
    formatversion: "2",
    maxlag: MAX_LAG,
    ...parameters,
  });
  const notNow = (answer: Answer): boolean => {
    const failure = errorSchema.safeParse(jsonOf(wire, answer));
    return failure.success && NOT_NOW.has(failure.data.error.code);
  };
  const call = { who, method: "GET" as const, url: `${url}?${query.toString()}`, notNow, expected: EXPECTED };
  const value = await askJson(wire, call, signal);
  const failure = errorSchema.safeParse(value);
  if (!failure.success) return value;
  const { code, info = code } = failure.data.error;
  throw new RetrieverError(
    "failed",
    "request refused",
    `${who} refused the request: ${oneLine(wire.redactor.redact(info), 160)}`,
  );
}

/** A bar would separate two titles, unless the list begins with this mark. */
const oneTitle = (title: string): string => (title.includes("|") ? `\u001f${title}` : title);

/** An article may be found by its title alone. The text is blank where the title is, too. */
async function listed(hit: {
  readonly title: string;
  readonly snippet?: string | null | undefined;
}): Promise<Found> {
  const title = cleanTitle(hit.title);
  const words = cleanText(await markupLine(hit.snippet ?? ""));
  return { title, text: words === "" ? title : words };
}

/**
 * Wikipedia, or another wiki with MediaWiki's API and TextExtracts. A search lists the words around the hits
 * (`list=search`); the whole of an article is asked for by its title (`prop=extracts`), redirects followed. Waits where the API
 * asks to (`maxlag`, 429 and 503 with Retry-After).
 */
export function wikipedia(wire: Wire, url: string): Retriever {
  const who = `Wikipedia's API at ${url}`;
  async function byTitle(title: string, signal = new AbortController().signal): Promise<Found | undefined> {
    const parameters = { prop: "extracts", explaintext: "1", redirects: "1", titles: oneTitle(title.trim()) };
    const read = pageSchema.safeParse(await askApi(wire, url, parameters, signal));
    if (!read.success) throw notTheService(who, "JSON of another shape", EXPECTED);
    const [page] = read.data.query.pages;
    const text = cleanText(page?.extract ?? "");
    return page === undefined || text === "" ? undefined : { title: cleanTitle(page.title), text };
  }
  return {
    byTitle,
    async check(signal) {
      await askApi(wire, url, { meta: "siteinfo" }, signal);
    },
    whole: ({ title }, signal) => byTitle(title, signal),
    async search(query, most, signal = new AbortController().signal) {
      const parameters = {
        list: "search",
        srsearch: query.slice(0, LONGEST_QUERY),
        srlimit: String(most),
        srprop: "snippet",
      };
      const read = searchSchema.safeParse(await askApi(wire, url, parameters, signal));
      if (!read.success) throw notTheService(who, "JSON of another shape", EXPECTED);
      const found = await Promise.all(read.data.query.search.slice(0, most).map(listed));
      return found.filter(({ text }) => text.trim() !== "");
    },
  };
}
