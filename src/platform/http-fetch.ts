import http, { type IncomingMessage } from "node:http";
import https from "node:https";
import { Readable } from "node:stream";
import type { WebSend } from "../domains/environment.ts";
import type { HttpAnswer, HttpPost } from "../llm/guarded-post.ts";
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
  const request = async ({ method, url, headers, body, signal }: WebRequest): Promise<IncomingMessage> => {
    signal.throwIfAborted();
    if (allow !== undefined) refuseAddress(url, allow);
    const secure = url.startsWith("https:");
    const options = { method, headers, signal };
    const outgoing = secure
      ? https.request(url, { ...options, agent: agents.secure })
      : http.request(url, { ...options, agent: agents.plain });
    const answer = new Promise<IncomingMessage>((resolve, reject) => {
      outgoing.once("response", resolve);
      // Stays: an error after the response, as on abort, also reaches the body and must not go unheard here.
      outgoing.on("error", reject);
    });
    outgoing.end(body);
    return answer;
  };
  const send: WebSend = async (order) => responseFrom(await request(order));
  return {
    send,
    // A model is asked thousands of times a minute, and the streams of the web cost more than all else of a call.
    post: async (order) => answerFrom(await request({ method: "POST", ...order })),
    get: (order) => send({ method: "GET", ...order }),
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

function answerFrom(answer: IncomingMessage): HttpAnswer {
  const get = (name: string): string | null => {
    const value = answer.headers[name.toLowerCase()];
    return value === undefined ? null : [value].flat().join(", ");
  };
  return { status: statusOf(answer), headers: { get }, body: answer };
}

/** Statuses whose answer has no body by definition; `Response` insists. */
const BODILESS = new Set([204, 205, 304]);

function responseFrom(answer: IncomingMessage): Response {
  const status = statusOf(answer);
  const headers = new Headers();
  for (const [name, value] of Object.entries(answer.headers)) {
    for (const one of [value ?? []].flat()) headers.append(name, one);
  }
  if (BODILESS.has(status)) {
    answer.resume();
    return new Response(null, { status, headers });
  }
  return new Response(Readable.toWeb(answer) as ReadableStream<Uint8Array>, { status, headers });
}
