import { oneLine } from "../../../llm/redact.ts";
import { exchange, type Answer, type Wire } from "./exchange.ts";
import { htmlText } from "./html-text.ts";
import { cleanText } from "./clean-text.ts";
import { RetrieverError } from "./retriever.ts";

/** Pages move to https, to `www.` and back; more than that is a loop. */
const MOST_REDIRECTS = 5;
const TEXT_TYPES = /^(?:text\/(?:html|plain|markdown)|application\/xhtml\+xml)\s*(?:;|$)/i;
const HTML_TYPES = /html/i;
/** Where a page may name its own encoding. */
const HEAD_BYTES = 2_048;

function unreadable(url: URL, brief: string, why: string): RetrieverError {
  return new RetrieverError("page", brief, `The page ${oneLine(url.origin + url.pathname, 160)} ${why}`);
}

/** Http or https, without a user or password. The address behind the name is checked where the connection is made. */
function readableUrl(text: string, base?: URL): URL {
  const url = URL.canParse(text, base?.href) ? new URL(text, base) : undefined;
  if (url === undefined)
    throw new RetrieverError("page", "no address", "The result names no address that can be opened.");
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw unreadable(url, "not a web address", `is no web address (${url.protocol}).`);
  if (url.username !== "" || url.password !== "")
    throw unreadable(url, "not a public address", "asks for a password in its address.");
  url.hash = "";
  return url;
}

/** By the header, else by what the page says of itself, else UTF-8. */
function decoded(type: string, bytes: Uint8Array): string {
  const named = /charset\s*=\s*["']?([\w-]{2,40})/i;
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, HEAD_BYTES));
  const label = named.exec(type)?.[1] ?? named.exec(head)?.[1] ?? "utf-8";
  try {
    return new TextDecoder(label).decode(bytes);
  } catch {
    // An encoding that nobody knows.
    return new TextDecoder().decode(bytes);
  }
}

async function textOf(url: URL, { headers, bytes }: Answer): Promise<string> {
  const type = headers.get("content-type") ?? "text/html";
  if (!TEXT_TYPES.test(type))
    throw unreadable(
      url,
      "neither HTML nor text",
      `is ${oneLine(type, 60)}; only HTML and plain text are read.`,
    );
  if ((headers.get("content-encoding") ?? "identity") !== "identity")
    throw unreadable(url, "compressed unasked", "is compressed although that was not asked for.");
  const text = decoded(type, bytes);
  const words = cleanText(HTML_TYPES.test(type) ? await htmlText(text) : text);
  if (words === "")
    throw unreadable(url, "a page without text", "holds no text; it may need a browser to show itself.");
  return words;
}

/** Troubles with a page are the page's, whatever they are. */
function asPageError(error: unknown): unknown {
  return error instanceof RetrieverError ? new RetrieverError("page", error.brief, error.message) : error;
}

/**
 * The text of a web page. `wire` must refuse addresses that are not public, on each connection: a page may redirect anywhere, and a
 * name may point anywhere. Follows redirects, at most five. Rejects with RetrieverError `page`, or with the signal's reason.
 */
export async function readPage(wire: Wire, address: string, signal: AbortSignal): Promise<string> {
  let url = readableUrl(address);
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
    const who = `The page ${oneLine(url.origin + url.pathname, 160)}`;
    const headers = { accept: "text/html, text/plain;q=0.9" };
    const answer = await exchange(wire, { who, method: "GET", url: url.href, headers }, signal).catch(
      (error: unknown) => {
        throw asPageError(error);
      },
    );
    const to = answer.headers.get("location");
    if (answer.status < 300) return textOf(url, answer);
    if (answer.status >= 400 || to === null)
      throw unreadable(url, `status ${answer.status}`, `cannot be had (${answer.status}).`);
    url = readableUrl(to, url);
  }
  throw unreadable(url, "too many redirects", `is behind more than ${MOST_REDIRECTS} redirects.`);
}
