import type { Endpoint } from "./endpoint.ts";

/** An answer as it arrives. A `Response` is one, too. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Pick<Headers, "get">;
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

export interface GuardedCall {
  /** Below the base URL of the endpoint. */
  readonly path: string;
  readonly body: string;
  readonly signal: AbortSignal;
}

/**
 * The only way in which bytes leave for a model: to the origin the key is bound to, with these headers and no others, so that nothing of
 * the environment travels along.
 */
export async function guardedPost(
  post: HttpPost,
  { baseUrl, origin }: Endpoint,
  key: string | undefined,
  { path, body, signal }: GuardedCall,
): Promise<HttpAnswer> {
  const url = `${baseUrl}/${path}`;
  if (!url.startsWith(`${origin}/`)) throw new Error(`A call to ${url} was meant for ${origin}`);
  const headers = {
    accept: "text/event-stream, application/json",
    "content-type": "application/json",
    "user-agent": "hasp-studio",
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
  };
  return post({ url, headers, body, signal });
}

/** Gives each piece of the body to `onPiece` as it comes. Rejects with TooLarge past the most that a reply has. */
export async function readBody(
  { body }: Pick<HttpAnswer, "body">,
  onPiece: (piece: Uint8Array) => void,
): Promise<void> {
  if (body === null) return;
  let total = 0;
  for await (const piece of body) {
    total += piece.length;
    if (total > MOST_BYTES) throw new TooLarge(`The answer is larger than ${MOST_BYTES} bytes`);
    onPiece(piece);
  }
}
