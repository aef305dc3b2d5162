import http, { type IncomingMessage } from "node:http";
import https from "node:https";
import { Readable } from "node:stream";
import type { WebSend } from "../domains/environment.ts";
import type { HttpPost } from "../llm/guarded-fetch.ts";
import type { HttpGet } from "../llm/list-models.ts";
import { guardedLookup, refuseAddress, type AddressRule } from "./public-address.ts";

type WebRequest = Parameters<WebSend>[0];

export interface HttpClient {
  readonly post: HttpPost;
  readonly get: HttpGet;
  readonly send: WebSend;
  /** Closes connections that are kept for later calls. */
  close(): void;
}

export interface HttpClientOptions {
  /** Addresses that may be connected to; without it, all. Others are RetrieverError `page`. */
  readonly allow?: AddressRule;
}

/**
 * Requests over Node's own http and https with connections kept open. Not the global `fetch`: that one obeys
 * `NODE_USE_ENV_PROXY` and gives up after five silent minutes. Follows no redirect, uses no proxy, always checks certificates.
 */
export function httpClient({ allow }: HttpClientOptions = {}): HttpClient {
  const guard = allow === undefined ? {} : { lookup: guardedLookup(allow) };
  const agents = {
    plain: new http.Agent({ keepAlive: true, ...guard }),
    secure: new https.Agent({ keepAlive: true, rejectUnauthorized: true, ...guard }),
  };
  const exchange = async ({ method, url, headers, body, signal }: WebRequest): Promise<IncomingMessage> => {
    signal.throwIfAborted();
    if (allow !== undefined) refuseAddress(url, allow);
    const secure = url.startsWith("https:");
    const options = { method, headers, signal };
    const request = secure
      ? https.request(url, { ...options, agent: agents.secure })
      : http.request(url, { ...options, agent: agents.plain });
    const answer = new Promise<IncomingMessage>((resolve, reject) => {
      request.once("response", resolve);
      // Stays: an error after the response, as on abort, also reaches the body and must not go unheard here.
      request.on("error", reject);
    });
    request.end(body);
    return answer;
  };
  const send: WebSend = async (request) => responseFrom(await exchange(request));
  return {
    send,
    async post(request) {
      const answer = await exchange({ method: "POST", ...request });
      return { status: statusOf(answer), headers: headersOf(answer), body: bodyOf(answer) };
    },
    get: (request) => send({ method: "GET", ...request }),
    close() {
      agents.plain.destroy();
      agents.secure.destroy();
    },
  };
}

/** A status that no answer has is a failure of its server. */
function statusOf({ statusCode = 0 }: IncomingMessage): number {
  return statusCode >= 200 && statusCode <= 599 ? statusCode : 502;
}

function headersOf(answer: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(answer.headers)) {
    for (const one of [value ?? []].flat()) headers.append(name, one);
  }
  return headers;
}

/** Statuses whose answer has no body by definition; `Response` insists. */
const BODILESS = new Set([204, 205, 304]);

function bodyOf(answer: IncomingMessage): IncomingMessage | null {
  if (!BODILESS.has(statusOf(answer))) return answer;
  answer.resume();
  return null;
}

function responseFrom(answer: IncomingMessage): Response {
  const body = bodyOf(answer);
  const stream = body && (Readable.toWeb(body) as ReadableStream<Uint8Array>);
  return new Response(stream, { status: statusOf(answer), headers: headersOf(answer) });
}
