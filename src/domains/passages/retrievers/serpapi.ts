import { oneLine } from "../../../llm/redact.ts";
import { z } from "../../../model/zod.ts";
import { cleanText, cleanTitle } from "./clean-text.ts";
import type { Answer, Wire } from "./exchange.ts";
import { askJson, jsonOf, notTheService } from "./json-answer.ts";
import { readPage } from "./page.ts";
import { RetrieverError, type Found, type Retriever } from "./retriever.ts";

export const SERPAPI_ORIGIN = "https://serpapi.com";
const EXPECTED = "an answer of SerpAPI's /search.json";
/** How SerpAPI says that Google found nothing. */
const NOTHING_FOUND = /hasn't returned any results|no results/i;
const USED_UP = /run out of searches/i;

const word = z.string().nullish();
const answerBoxSchema = z.object({
  title: word,
  answer: z.union([z.string(), z.number()]).nullish(),
  result: z.union([z.string(), z.number()]).nullish(),
  snippet: word,
  link: word,
});
const organicSchema = z.object({ title: word, link: word, snippet: word });
const replySchema = z.object({
  error: word,
  organic_results: z.array(z.unknown()).nullish(),
  answer_box: z.unknown().optional(),
});

/** A result as it is listed; nothing where it says nothing. */
function foundOf(title: string, text: string, link: string | null | undefined): Found[] {
  const [name, words] = [cleanTitle(title), cleanText(text)];
  if (name === "" && words === "") return [];
  const url = typeof link === "string" && URL.canParse(link) ? { url: new URL(link).href } : {};
  return [{ title: name || words.slice(0, 60), text: words || name, ...url }];
}

function fromAnswerBox(value: unknown): Found[] {
  const read = answerBoxSchema.safeParse(value);
  if (!read.success) return [];
  const { title, answer, result, snippet, link } = read.data;
  const text = [answer ?? result, snippet].filter((part) => part !== undefined && part !== null).join(". ");
  return text === "" ? [] : foundOf(title ?? "Answer", text, link);
}

function fromOrganic(value: unknown): Found[] {
  const read = organicSchema.safeParse(value);
  if (!read.success) return [];
  return foundOf(read.data.title ?? "", read.data.snippet ?? "", read.data.link);
}

/** SerpAPI, or what speaks like it. */
export interface SerpApi {
  /** Scheme, host and port, without a slash at the end. */
  readonly origin: string;
  /** Goes to `origin` and nowhere else; the redactor of the wire knows it. */
  readonly key: string | undefined;
  /** For the pages of results: refuses addresses that are not public. */
  readonly pages: Wire;
}

/** An account without searches left answers 429, as too many requests do. Waiting does not help there. */
function refuseUsedUp(wire: Wire, who: string, answer: Answer): void {
  const value = replySchema.safeParse(jsonOf(wire, answer));
  const error = value.success ? (value.data.error ?? "") : "";
  if (answer.status !== 429 || !USED_UP.test(error)) return;
  throw new RetrieverError(
    "refused",
    "account used up",
    `${who} says that the account has no searches left.`,
  );
}

/**
 * Google through SerpAPI (`GET /search.json?engine=google`): the answer box first where there is one, then the organic results. `whole`
 * opens the page of a result; the key does not travel there. It has no titles to look up.
 */
export function serpApi(wire: Wire, { origin, key, pages }: SerpApi): Retriever {
  const who = `SerpAPI at ${origin}`;
  async function ask(query: string, most: number, signal: AbortSignal): Promise<unknown> {
    const parameters = new URLSearchParams({
      engine: "google",
      q: query,
      num: String(most),
      ...(key !== undefined && { api_key: key }),
    });
    const url = `${origin}/search.json?${parameters.toString()}`;
    const notNow = (answer: Answer): boolean => {
      refuseUsedUp(wire, who, answer);
      return false;
    };
    return askJson(wire, { who, method: "GET", url, notNow, expected: EXPECTED }, signal);
  }
  return {
    async search(query, most, signal = new AbortController().signal) {
      const read = replySchema.safeParse(await ask(query, most, signal));
      if (!read.success) throw notTheService(who, "JSON of another shape", EXPECTED);
      const { error, organic_results: organic, answer_box: box } = read.data;
      if (typeof error === "string" && !NOTHING_FOUND.test(error)) throw saidError(wire, who, error);
      if (error === undefined && organic === undefined && box === undefined)
        throw notTheService(who, "JSON without results", EXPECTED);
      return [...fromAnswerBox(box), ...(organic ?? []).flatMap(fromOrganic)].slice(0, most);
    },
    byTitle: async () => undefined,
    async check(signal) {
      const parameters = new URLSearchParams({ ...(key !== undefined && { api_key: key }) });
      const url = `${origin}/account.json?${parameters.toString()}`;
      await askJson(wire, { who, method: "GET", url, expected: EXPECTED }, signal);
    },
    async whole(found, signal = new AbortController().signal) {
      if (found.url === undefined) return undefined;
      return { ...found, text: await readPage(pages, found.url, signal) };
    },
  };
}

function saidError(wire: Wire, who: string, error: string): RetrieverError {
  const refused = /api key/i.test(error) || USED_UP.test(error);
  const words = oneLine(wire.redactor.redact(error), 160);
  return new RetrieverError(
    refused ? "refused" : "failed",
    refused ? "access refused" : "search refused",
    `${who} answered with an error: ${words}`,
  );
}
