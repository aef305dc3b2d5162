import type { Endpoint } from "./endpoint.ts";

/** One POST. Rejects when no answer comes; redirects and error statuses are answers. `src/platform/http-fetch.ts` implements it. */
export type HttpPost = (request: {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
}) => Promise<Response>;

/** More than any reply has; a server that does not stop must not fill the memory. */
const MOST_BYTES = 32 * 1024 * 1024;

/** The answer of a server is larger than any reply. */
export class TooLarge extends Error {
  override readonly name = "TooLarge";
}

/**
 * The only way in which bytes leave for a model: to the origin the key is bound to, with these headers and no others, so
 * that nothing an SDK finds in the environment travels along. `onBytes` sees each piece of the answer as it comes.
 */
export function guardedFetch(
  post: HttpPost,
  endpoint: Endpoint,
  key: string | undefined,
  onBytes: (piece: Uint8Array) => void,
): typeof fetch {
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (url.origin !== endpoint.origin)
      throw new Error(`A call to ${url.origin} was meant for ${endpoint.origin}`);
    if (typeof init?.body !== "string" || !init.signal)
      throw new Error("A call to a model has a text and a signal");
    const headers = {
      accept: "text/event-stream, application/json",
      "content-type": "application/json",
      "user-agent": "hasp-studio",
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    };
    return watched(await post({ url: url.href, headers, body: init.body, signal: init.signal }), onBytes);
  };
}

function watched(response: Response, onBytes: (piece: Uint8Array) => void): Response {
  if (response.body === null) return response;
  let total = 0;
  const meter = new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, controller) {
      total += piece.length;
      if (total > MOST_BYTES) throw new TooLarge(`The answer is larger than ${MOST_BYTES} bytes`);
      onBytes(piece);
      controller.enqueue(piece);
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(meter), { status, statusText, headers });
}
