import { isLoopback } from "../../llm/endpoint.ts";
import { START_OF_FILE, type Checked, type Diagnostic } from "../../model/diagnostic.ts";
import { didYouMean } from "../../skill/suggest.ts";
import type {
  EnvironmentOrder,
  EnvironmentPorts,
  RunEnvironment,
  ToolOrder,
  WebClient,
} from "../environment.ts";
import { MOST_RESULTS, RETRIEVER_KINDS, type RetrieverKind } from "../passages/retriever-kinds.ts";
import { WIRE_LIMITS, type Wire, type WireLimits } from "../passages/retrievers/exchange.ts";
import { httpRetriever } from "../passages/retrievers/http-retriever.ts";
import { remoteRetriever } from "../passages/retrievers/remote.ts";
import { RetrieverError, type Retriever } from "../passages/retrievers/retriever.ts";
import { SERPAPI_ORIGIN, serpApi } from "../passages/retrievers/serpapi.ts";
import { openSnippetSearch } from "./snippet-mode.ts";
import { wikipedia, wikipediaUrl } from "../passages/retrievers/wikipedia.ts";
import { indexPassages } from "../passages/search-index.ts";
import { openWebSearch } from "./tools.ts";

type RemoteKind = Exclude<RetrieverKind, "corpus" | "teacher-snippet">;

/** Calls at once. Wikimedia asks for few; the others are made for programs. */
const CONCURRENCY: Readonly<Record<RemoteKind, number>> = { http: 8, wikipedia: 3, serpapi: 8 };
/** Pages are slower to come by than answers, and another try seldom helps. */
const PAGE_LIMITS = { timeoutMs: 20_000, mostBytes: 4 * 1024 * 1024, retries: 1 } as const;
/** A Wikipedia is called by its language: `en`, `zh-min-nan`, `simple`. */
const LANGUAGE = /^[a-z]{2,12}(?:-[a-z]{2,12}){0,3}$/;
/** Messages differ by their words; so many of them are kept apart, and the rest is not told. */
const MOST_MESSAGES = 50;

function failed(message: string, next: string) {
  const problem = { code: "HASP585", severity: "error", message, next, range: START_OF_FILE } as const;
  return { value: undefined, diagnostics: [problem] } as const;
}

const found = <T>(value: T): Checked<T> => ({ value, diagnostics: [] });

/** The address that a person gave. Its text is not repeated where it may hold a password. */
function readUrl(text: string, { keys }: Pick<EnvironmentPorts, "keys">): Checked<URL> {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    return failed(
      "The address of the retriever is no http or https address.",
      "Write it as in `--retriever-url http://127.0.0.1:8000/retrieve`.",
    );
  const url = new URL(text);
  if (url.username === "" && url.password === "" && url.search === "" && url.hash === "") return found(url);
  return failed(
    `The address of ${url.host} carries a user, a password, a query or a fragment; such parts end up in files and logs.`,
    `Leave them out. ${keys.howToGive(url.origin)}`,
  );
}

/** The address that a remote retriever asks. No value where it must not be asked. */
function addressOf(
  kind: RemoteKind,
  { url: text, language }: ToolOrder,
  ports: EnvironmentPorts,
): Checked<URL> {
  if (kind === "http" && text === undefined)
    return failed(
      "The retriever http needs an address.",
      "Add `--retriever-url http://127.0.0.1:8000/retrieve`.",
    );
  if (kind === "wikipedia" && text === undefined)
    return LANGUAGE.test(language)
      ? found(new URL(wikipediaUrl(language)))
      : failed(
          `"${language.slice(0, 40)}" is no language of a Wikipedia.`,
          "Write its code, such as en, de or simple.",
        );
  const read = readUrl(text ?? SERPAPI_ORIGIN, ports);
  const url = read.value;
  if (url === undefined) return read;
  if (kind === "http" && url.pathname === "/") url.pathname = "/retrieve";
  // A key must not cross a network in plain text.
  if (kind !== "serpapi" || url.protocol === "https:" || isLoopback(url)) return read;
  const why = `${url.origin} is another machine, and over plain http everybody in between can read the key.`;
  return failed(why, "Use https.");
}

async function keyOf(
  url: URL,
  { keys, redactor }: EnvironmentPorts,
): Promise<Checked<{ readonly key: string | undefined }>> {
  const key = await keys.keyFor(url.origin);
  if (key === undefined && isLoopback(url)) return found({ key });
  if (key !== undefined && /^[\u0021-\u007e]+$/.test(key)) {
    redactor.learn(key);
    return found({ key });
  }
  const problem =
    key === undefined ? "needs a key" : "was given a key with spaces or other characters that no key has";
  return failed(`SerpAPI at ${url.origin} ${problem}.`, keys.howToGive(url.origin));
}

interface Remote {
  readonly inner: Retriever;
  readonly url: URL;
  readonly clients: readonly WebClient[];
}

async function openRemote(
  kind: RemoteKind,
  tools: ToolOrder,
  ports: EnvironmentPorts,
  given: Partial<WireLimits>,
): Promise<Checked<Remote>> {
  const address = addressOf(kind, tools, ports);
  const url = address.value;
  if (url === undefined) return { value: undefined, diagnostics: address.diagnostics };
  const key = kind === "serpapi" ? await keyOf(url, ports) : found({ key: undefined });
  if (key.value === undefined) return { value: undefined, diagnostics: key.diagnostics };
  const client = ports.openClient("any");
  const { timing, redactor } = ports;
  const wire: Wire = { send: client.send, timing, redactor, limits: { ...WIRE_LIMITS, ...given } };
  if (kind === "http") return found({ inner: httpRetriever(wire, url.href), url, clients: [client] });
  if (kind === "wikipedia") return found({ inner: wikipedia(wire, url.href), url, clients: [client] });
  // A person who runs the search engine on this machine also has its pages here; no other result may point here.
  const visitor = ports.openClient(isLoopback(url) ? "public-or-own" : "public");
  const limits = { ...wire.limits, ...PAGE_LIMITS, ...given };
  const pages: Wire = { ...wire, send: visitor.send, limits };
  const inner = serpApi(wire, { origin: url.origin, key: key.value.key, pages });
  return found({ inner, url, clients: [client, visitor] });
}

/** The environment over a local corpus or over the teacher, without a network. */
function openLocal(
  kind: "corpus" | "teacher-snippet",
  { tools, passages, hasTeacher }: EnvironmentOrder,
): Checked<RunEnvironment> {
  const { topK, url } = tools;
  if (url !== undefined)
    return failed(
      `The retriever ${kind} has no address.`,
      "Leave out `--retriever-url`, or choose http, wikipedia or serpapi.",
    );
  if (kind === "corpus" && passages === undefined)
    return failed(
      "The retriever corpus needs passages.",
      "Name a corpus (`--corpus`), or take questions that come with paragraphs.",
    );
  if (kind === "teacher-snippet" && passages === undefined && !hasTeacher)
    return failed(
      "The retriever teacher-snippet needs a teacher or passages: without either no search finds anything.",
      "Choose a teacher (`--teacher`), or a corpus (`--corpus`).",
    );
  const index = passages === undefined ? undefined : indexPassages(passages);
  return found({
    settings: { kind, topK },
    openTools: () =>
      kind === "corpus" && index !== undefined
        ? openWebSearch(index, { results: topK })
        : openSnippetSearch(index),
    check: async () => [],
    close: () => undefined,
  });
}

/** The reason that a remote service cannot be used. An abort goes through. */
function asDiagnostics(error: unknown): readonly Diagnostic[] {
  if (!(error instanceof RetrieverError)) throw error;
  return failed(
    error.message,
    "Check the address (`--retriever-url`) and the key, or choose another retriever.",
  ).diagnostics;
}

function toldOnce(tell: (message: string) => void): (error: RetrieverError) => void {
  const told = new Set<string>();
  return ({ message }) => {
    if (told.has(message) || told.size >= MOST_MESSAGES) return;
    told.add(message);
    tell(message);
  };
}

const isLocal = (kind: RetrieverKind): kind is "corpus" | "teacher-snippet" =>
  kind === "corpus" || kind === "teacher-snippet";

/** See `OpenEnvironment`. `limits`: other limits than those of docs/tools.md. */
export async function openEnvironment(
  order: EnvironmentOrder,
  ports: EnvironmentPorts,
  limits: Partial<WireLimits> = {},
): Promise<Checked<RunEnvironment>> {
  const { retriever, topK, concurrency } = order.tools;
  const kind = RETRIEVER_KINDS.find((one) => one === retriever);
  if (kind === undefined)
    return failed(
      `No retriever is called ${JSON.stringify(retriever.slice(0, 60))}.`,
      didYouMean(retriever, RETRIEVER_KINDS),
    );
  if (topK > MOST_RESULTS)
    return failed(`top_k ${topK} is more than a policy reads.`, `Take ${MOST_RESULTS} at most.`);
  if (isLocal(kind)) return openLocal(kind, order);
  const remote = await openRemote(kind, order.tools, ports, limits);
  if (remote.value === undefined) return { value: undefined, diagnostics: remote.diagnostics };
  const { inner, url, clients } = remote.value;
  const shared = remoteRetriever(inner, { concurrency: concurrency === 0 ? CONCURRENCY[kind] : concurrency });
  const onTrouble = toldOnce(ports.onTrouble);
  return found({
    settings: { kind, url: url.href, topK },
    openTools: () => openWebSearch(shared, { results: topK, onTrouble }),
    check: async (signal) => shared.check?.(signal).then(() => [], asDiagnostics) ?? [],
    close: () => clients.forEach((client) => client.close()),
  });
}
