import http, { type IncomingMessage } from "node:http";
import https from "node:https";
import { Readable } from "node:stream";
import type { HttpPost } from "../llm/guarded-fetch.ts";

export interface HttpClient {
  readonly post: HttpPost;
  /** Closes connections that are kept for later calls. */
  close(): void;
}

/**
 * POST over Node's own http and https with connections kept open. Not the global `fetch`: that one obeys
 * `NODE_USE_ENV_PROXY` and gives up after five silent minutes. Follows no redirect, uses no proxy, always checks certificates.
 */
export function httpClient(): HttpClient {
  const agents = {
    plain: new http.Agent({ keepAlive: true }),
    secure: new https.Agent({ keepAlive: true, rejectUnauthorized: true }),
  };
  return {
    post: async ({ url, headers, body, signal }) => {
      signal.throwIfAborted();
      const secure = url.startsWith("https:");
      const options = { method: "POST", headers, signal };
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
    },
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
