import type { Endpoint } from "./endpoint.ts";

/** An answer as it arrives. A `Response` is one, too. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** Null where there is none. To leave it early ends the connection. */
  readonly body: AsyncIterable<Uint8Array> | null;
}

/** One POST. Rejects when no answer comes; redirects and error statuses are answers. `src/platform/http-fetch.ts` implements it. */
export type HttpPost = (request: {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
}) => Promise<HttpAnswer>;

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

function watched({ status, headers, body }: HttpAnswer, onBytes: (piece: Uint8Array) => void): Response {
  if (body === null) return new Response(null, { status, headers });
  const pieces = body[Symbol.asyncIterator]();
  let total = 0;
  // The one stream of a call: each further one, or a pipe between two, costs as much as all else that we do for it.
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const next = await pieces.next();
      if (next.done === true) return controller.close();
      total += next.value.length;
      if (total > MOST_BYTES) throw new TooLarge(`The answer is larger than ${MOST_BYTES} bytes`);
      onBytes(next.value);
      controller.enqueue(next.value);
    },
    async cancel() {
      await pieces.return?.();
    },
  });
  return new Response(stream, { status, headers });
}
