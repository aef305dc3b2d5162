import process from "node:process";
import { Option } from "commander";
import type { Passage } from "../domains/web-search/corpus.ts";
import { WIRE_LIMITS, type Wire, type WireLimits } from "../domains/web-search/retrievers/exchange.ts";
import { httpRetriever } from "../domains/web-search/retrievers/http-retriever.ts";
import { remoteRetriever } from "../domains/web-search/retrievers/remote.ts";
import { RetrieverError, type Retriever } from "../domains/web-search/retrievers/retriever.ts";
import { SERPAPI_ORIGIN, serpApi } from "../domains/web-search/retrievers/serpapi.ts";
import { openSnippetSearch } from "../domains/web-search/retrievers/snippet-mode.ts";
import { wikipedia, wikipediaUrl } from "../domains/web-search/retrievers/wikipedia.ts";
import { indexPassages } from "../domains/web-search/search-index.ts";
import { openWebSearch, RESULTS, type WebSearchTools } from "../domains/web-search/tools.ts";
import { isLoopback } from "../llm/endpoint.ts";
import { createRedactor, type Redactor } from "../llm/redact.ts";
import { MOST_RESULTS, RETRIEVER_KINDS, type RetrieverKind } from "../evaluation/config-keys.ts";
import type { RetrieverSettings } from "../evaluation/run-settings.ts";
import { httpClient, type HttpClient } from "../platform/http-fetch.ts";
import { isLoopbackAddress, isPublicAddress } from "../platform/public-address.ts";
import { retrieverKeys } from "../platform/retriever-keys.ts";
import { systemTiming } from "../platform/timing.ts";
import { wholeNumber } from "./numbers.ts";
import { CliError } from "./terminal.ts";

/** What a command line says about retrievers, with the defaults; `hasp.yaml` may have replaced those. */
export interface RetrieverOptions {
  readonly retriever: RetrieverKind;
  readonly retrieverUrl?: string;
  readonly retrieverLanguage: string;
  /** 0: as many as suit the retriever. */
  readonly retrieverConcurrency: number;
  readonly topK: number;
}

/** The options, in the order in which `--help` lists them; `--corpus` is the command's own. */
export function retrieverOptions(): readonly Option[] {
  return [
    new Option("--retriever <kind>", "what SEARCH and READ ask")
      .choices([...RETRIEVER_KINDS])
      .default("corpus"),
    new Option(
      "--retriever-url <url>",
      "http: where /retrieve answers (needed); wikipedia: another api.php; serpapi: another server that speaks like it",
    ),
    new Option("--retriever-language <code>", "the Wikipedia that is asked").default("en"),
    new Option("--retriever-concurrency <n>", "calls under way at once; 0: 8, and 3 for Wikipedia")
      .argParser(wholeNumber(0))
      .default(0),
    new Option("--top-k <n>", `results that one search lists, at most ${MOST_RESULTS}`)
      .argParser(wholeNumber(1))
      .default(RESULTS),
  ];
}

/** True where this kind cannot do without passages: the run then needs `--corpus` or questions with paragraphs. */
export function needsCorpus({ retriever }: Pick<RetrieverOptions, "retriever">): boolean {
  return retriever === "corpus";
}

/** A retriever of a run. */
export interface OpenedRetriever {
  /** For run.json, where it is part of what makes episodes comparable. Holds no key. */
  readonly settings: RetrieverSettings;
  /** The tools of one episode. */
  openEnvironment(): WebSearchTools;
  /** Asks a remote retriever for something that costs nothing. CliError where it cannot be used. */
  check(signal: AbortSignal): Promise<void>;
  /** Closes connections that are kept open. */
  close(): void;
}

export interface RetrieverSetting {
  /** The local corpus; undefined where there is none. */
  readonly passages: readonly Passage[] | undefined;
  /** False where the run has no teacher: snippets then come from the corpus alone. */
  readonly hasTeacher?: boolean;
  /** Learns the key. The command's own, so that its messages hide it too. */
  readonly redactor?: Redactor;
  /** Where keys are looked up (default: the process's environment). */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Hears of calls that failed after all tries, each message once. It holds no key. */
  readonly onTrouble?: (message: string) => void;
  /** Other limits than those of docs/tools.md. */
  readonly limits?: Partial<WireLimits>;
}

/** Calls at once. Wikimedia asks for few; the others are made for programs. */
const CONCURRENCY: Readonly<Record<"http" | "wikipedia" | "serpapi", number>> = {
  http: 8,
  wikipedia: 3,
  serpapi: 8,
};
/** Pages are slower to come by than answers, and another try seldom helps. */
const PAGE_LIMITS = { timeoutMs: 20_000, mostBytes: 4 * 1024 * 1024, retries: 1 } as const;
/** A Wikipedia is called by its language: `en`, `zh-min-nan`, `simple`. */
const LANGUAGE = /^[a-z]{2,12}(?:-[a-z]{2,12}){0,3}$/;

function parsedUrl(text: string): URL {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new CliError(
      "The --retriever-url is no http or https address.",
      "Write it as in `http://127.0.0.1:8000/retrieve`.",
    );
  const url = new URL(text);
  // The text is not repeated: it may hold a password.
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "")
    throw new CliError(
      `The address of ${url.host} carries a user, a password, a query or a fragment; such parts end up in files and logs.`,
      `Leave them out. ${retrieverKeys(process.env).howToGive(url.origin)}`,
    );
  return url;
}

function httpUrl(text: string | undefined): URL {
  if (text === undefined)
    throw new CliError(
      "--retriever http needs an address.",
      "Add `--retriever-url http://127.0.0.1:8000/retrieve`.",
    );
  const url = parsedUrl(text);
  if (url.pathname === "/") url.pathname = "/retrieve";
  return url;
}

function wikiUrl({ retrieverUrl, retrieverLanguage }: RetrieverOptions): URL {
  if (retrieverUrl !== undefined) return parsedUrl(retrieverUrl);
  if (LANGUAGE.test(retrieverLanguage)) return new URL(wikipediaUrl(retrieverLanguage));
  throw new CliError(
    `"${retrieverLanguage.slice(0, 40)}" is no language of a Wikipedia.`,
    "Write its code, such as en, de or simple.",
  );
}

/** A key must not cross a network in plain text. */
function serpUrl(text: string | undefined): URL {
  const url = parsedUrl(text ?? SERPAPI_ORIGIN);
  if (url.protocol === "https:" || isLoopback(url)) return url;
  throw new CliError(
    `${url.origin} is another machine, and over plain http everybody in between can read the key.`,
    "Use https.",
  );
}

async function keyOf(url: URL, { environment = process.env }: RetrieverSetting, redactor: Redactor) {
  const keys = retrieverKeys(environment);
  const key = await keys.keyFor(url.origin);
  if (key === undefined && isLoopback(url)) return undefined;
  if (key === undefined || !/^[\u0021-\u007e]+$/.test(key))
    throw new CliError(
      `SerpAPI at ${url.origin} ${key === undefined ? "needs a key" : "was given a key with spaces or other characters that no key has"}.`,
      keys.howToGive(url.origin),
    );
  redactor.learn(key);
  return key;
}

interface Remote {
  readonly inner: Retriever;
  readonly url: URL;
  readonly clients: readonly HttpClient[];
}

type RemoteKind = keyof typeof CONCURRENCY;

async function openRemote(
  kind: RemoteKind,
  options: RetrieverOptions,
  setting: RetrieverSetting,
): Promise<Remote> {
  const redactor = setting.redactor ?? createRedactor();
  const client = httpClient();
  const limits = { ...WIRE_LIMITS, ...setting.limits };
  const wire: Wire = { send: client.send, timing: systemTiming, redactor, limits };
  if (kind === "http") {
    const url = httpUrl(options.retrieverUrl);
    return { inner: httpRetriever(wire, url.href), url, clients: [client] };
  }
  if (kind === "wikipedia") {
    const url = wikiUrl(options);
    return { inner: wikipedia(wire, url.href), url, clients: [client] };
  }
  const url = serpUrl(options.retrieverUrl);
  const key = await keyOf(url, setting, redactor);
  // Who runs the search engine on this machine also has its pages here; nobody else's result may point here.
  const loopback = isLoopback(url);
  const visitor = httpClient({
    allow: (address) => isPublicAddress(address) || (loopback && isLoopbackAddress(address)),
  });
  const pages: Wire = {
    ...wire,
    send: visitor.send,
    limits: { ...limits, ...PAGE_LIMITS, ...setting.limits },
  };
  return { inner: serpApi(wire, { origin: url.origin, key, pages }), url, clients: [client, visitor] };
}

/** Those that need no network. */
function openLocal(
  kind: "corpus" | "teacher-snippet",
  topK: number,
  { passages, hasTeacher }: RetrieverSetting,
): OpenedRetriever {
  if (kind === "corpus" && passages === undefined)
    throw new CliError(
      "--retriever corpus needs passages.",
      "Add --corpus, or take questions that come with paragraphs.",
    );
  if (kind === "teacher-snippet" && passages === undefined && hasTeacher === false)
    throw new CliError(
      "--retriever teacher-snippet needs a teacher or passages: without either no search finds anything.",
      "Add --teacher, or --corpus.",
    );
  const index = passages === undefined ? undefined : indexPassages(passages);
  return {
    settings: { kind, topK },
    openEnvironment: () =>
      kind === "corpus" && index !== undefined
        ? openWebSearch(index, { results: topK })
        : openSnippetSearch(index),
    check: async () => undefined,
    close: () => undefined,
  };
}

/** The end of the command, where a retriever cannot be used. An abort goes through. */
function asCliError(error: unknown): unknown {
  if (!(error instanceof RetrieverError)) return error;
  return new CliError(error.message, "Check --retriever-url and the key, or choose another --retriever.");
}

/** Messages differ by their words; so many of them are kept apart, and the rest is not told. */
const MOST_MESSAGES = 50;

function toldOnce(tell: ((message: string) => void) | undefined): (error: RetrieverError) => void {
  const told = new Set<string>();
  return ({ message }) => {
    if (told.has(message) || told.size >= MOST_MESSAGES) return;
    told.add(message);
    tell?.(message);
  };
}

/**
 * Opens what `--retriever` names: shared by all episodes of a run, with tools for each. Asks nobody yet. CliError where an address, a
 * key or a corpus is missing or must not be used. To be closed.
 */
export async function openRetriever(
  options: RetrieverOptions,
  setting: RetrieverSetting,
): Promise<OpenedRetriever> {
  const { retriever: kind, topK, retrieverUrl } = options;
  if (topK > MOST_RESULTS)
    throw new CliError(`--top-k ${topK} is more than a policy reads.`, `Take ${MOST_RESULTS} at most.`);
  if (kind === "corpus" || kind === "teacher-snippet") {
    if (retrieverUrl !== undefined)
      throw new CliError(
        `--retriever ${kind} has no address.`,
        "Leave out --retriever-url, or choose http, wikipedia or serpapi.",
      );
    return openLocal(kind, topK, setting);
  }
  const { inner, url, clients } = await openRemote(kind, options, setting);
  const concurrency = options.retrieverConcurrency === 0 ? CONCURRENCY[kind] : options.retrieverConcurrency;
  const shared = remoteRetriever(inner, { concurrency });
  const onTrouble = toldOnce(setting.onTrouble);
  return {
    settings: { kind, url: url.href, topK },
    openEnvironment: () => openWebSearch(shared, { results: topK, onTrouble }),
    check: (signal) =>
      shared.check?.(signal).catch((error: unknown) => {
        throw asCliError(error);
      }) ?? Promise.resolve(),
    close: () => clients.forEach((client) => client.close()),
  };
}
