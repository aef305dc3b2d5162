import http, { type IncomingMessage } from "node:http";
import https from "node:https";
import { Readable } from "node:stream";
import type { WebSend } from "../domains/environment.ts";
import type { HttpPost } from "../llm/guarded-fetch.ts";
import type { HttpGet } from "../llm/list-models.ts";
import { guardedLookup, refuseAddress, type AddressRule } from "./public-address.ts";

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
  const send: WebSend = async ({ method, url, headers, body, signal }) => {
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
    return responseFrom(await answer);
  };
  return {
    send,
    post: (request) => send({ method: "POST", ...request }),
    get: (request) => send({ method: "GET", ...request }),
    close() {
      agents.plain.destroy();
      agents.secure.destroy();
    },
  };
}

/** Statuses whose answer has no body by definition; `Response` insists. */
const BODILESS = new Set([204, 205, 304]);

function responseFrom(answer: IncomingMessage): Response {
  const status = answer.statusCode ?? 0;
  const headers = new Headers();
  for (const [name, value] of Object.entries(answer.headers)) {
    for (const one of [value ?? []].flat()) headers.append(name, one);
  }
  // What is no status of an answer is a server's failure.
  const known = status >= 200 && status <= 599 ? status : 502;
  if (BODILESS.has(known)) {
    answer.resume();
    return new Response(null, { status: known, headers });
  }
  return new Response(Readable.toWeb(answer) as ReadableStream<Uint8Array>, { status: known, headers });
}
