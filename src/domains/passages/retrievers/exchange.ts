import { oneLine, type Redactor } from "../../../llm/redact.ts";
import { askedWait, waitBefore, type RetryLimits } from "../../../llm/retry.ts";
import type { Timing } from "../../../llm/timing.ts";
import type { WebSend } from "../../environment.ts";
import { RetrieverError } from "./retriever.ts";

export interface WireLimits extends RetryLimits {
  /** Milliseconds for one try, from the first byte out to the last byte in. */
  readonly timeoutMs: number;
  /** Bytes of one answer. */
  readonly mostBytes: number;
}

export const WIRE_LIMITS: WireLimits = {
  timeoutMs: 30_000,
  mostBytes: 8 * 1024 * 1024,
  retries: 3,
  backoffMs: 500,
  longestWaitMs: 60_000,
};

/** What calls go over. */
export interface Wire {
  readonly send: WebSend;
  readonly timing: Timing;
  /** Knows the keys; hides them in all that comes back. */
  readonly redactor: Redactor;
  readonly limits: WireLimits;
}

/** One thing to ask, and of whom. */
export interface Call {
  /** Begins messages: `The retriever at http://127.0.0.1:8000/retrieve`. */
  readonly who: string;
  readonly method: "GET" | "POST";
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Looks at an answer first: true where it says "not now", whatever its status. Throws RetrieverError where no other try would help. */
  readonly notNow?: (answer: Answer) => boolean;
}

/** An answer, whatever its status. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
}

/** Wikimedia asks clients to say who they are and where they come from. */
const USER_AGENT = "hasp-studio/0.1 (https://github.com/hasp-studio/hasp-studio)";

/** Passing troubles of a server; 429 is too many requests. */
const PASSING = new Set([408, 429, 500, 502, 503, 504, 529]);
/** Connections that another try may cure. */
const CURABLE = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "EAI_AGAIN",
  "ERR_STREAM_PREMATURE_CLOSE",
]);

type Try =
  | { readonly kind: "answer"; readonly answer: Answer }
  | {
      readonly kind: "failed";
      readonly error: RetrieverError;
      readonly again: boolean;
      readonly waitMs?: number | undefined;
    };

/**
 * Asks until there is an answer that is no passing trouble (408, 429, 5xx, a lost connection), at most `retries` times more, with
 * growing pauses or the pause that the server asks for. A server that asks for more than `longestWaitMs` is not asked again. Redirects are
 * not followed: they are answers. Rejects with RetrieverError, or with the signal's reason.
 */
export async function exchange(wire: Wire, call: Call, signal: AbortSignal): Promise<Answer> {
  const { limits, timing } = wire;
  for (let failed = 1; ; failed++) {
    const result = await tryOnce(wire, call, signal);
    if (result.kind === "answer") return result.answer;
    const { error, again, waitMs } = result;
    if (!again || failed > limits.retries || (waitMs ?? 0) > limits.longestWaitMs)
      throw afterTries(error, failed);
    await timing.sleep(waitBefore(failed, waitMs, limits, timing), signal);
  }
}

function afterTries(error: RetrieverError, tries: number): RetrieverError {
  if (tries === 1) return error;
  return new RetrieverError(error.kind, error.brief, `${error.message.replace(/\.$/, "")} (${tries} tries).`);
}

async function tryOnce(wire: Wire, call: Call, signal: AbortSignal): Promise<Try> {
  signal.throwIfAborted();
  const { timeoutMs, mostBytes } = wire.limits;
  const late = new AbortController();
  const stop = wire.timing.after(timeoutMs, () =>
    late.abort(new RetrieverError("failed", "no answer in time", `${call.who} ${lateness(timeoutMs)}`)),
  );
  const { method, url, body } = call;
  const headers = { "user-agent": USER_AGENT, "accept-encoding": "identity", ...call.headers };
  try {
    const response = await wire.send({
      method,
      url,
      headers,
      signal: AbortSignal.any([signal, late.signal]),
      ...(body !== undefined && { body }),
    });
    const bytes = await bodyOf(response, mostBytes, call.who);
    return weighed(wire, call, { status: response.status, headers: response.headers, bytes });
  } catch (error) {
    signal.throwIfAborted();
    const known: unknown = late.signal.aborted ? late.signal.reason : error;
    if (known instanceof RetrieverError) return { kind: "failed", error: known, again: false };
    return lost(call.who, known);
  } finally {
    stop();
  }
}

const lateness = (ms: number): string =>
  `was not done after ${ms < 1000 ? `${ms} ms` : `${Math.round(ms / 100) / 10} s`}.`;

async function bodyOf(response: Response, most: number, who: string): Promise<Uint8Array> {
  const tooLarge = new RetrieverError(
    "failed",
    "answer too large",
    `${who} sent more than ${Math.round(most / 1024)} KiB, which is more than any answer needs.`,
  );
  if (Number(response.headers.get("content-length") ?? 0) > most) {
    await response.body?.cancel();
    throw tooLarge;
  }
  const pieces: Uint8Array[] = [];
  let total = 0;
  for await (const piece of response.body ?? []) {
    total += piece.length;
    // Leaving the loop cancels the stream, and with it the connection.
    if (total > most) throw tooLarge;
    pieces.push(piece);
  }
  return joined(pieces, total);
}

function joined(pieces: readonly Uint8Array[], total: number): Uint8Array {
  const bytes = new Uint8Array(total);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

function weighed(wire: Wire, call: Call, answer: Answer): Try {
  const passing = call.notNow?.(answer) === true || PASSING.has(answer.status);
  if (!passing) return { kind: "answer", answer };
  const { status } = answer;
  const waitMs = askedWait(answer.headers, wire.timing.now());
  const why = status === 429 || status < 300 ? "is answering too many requests" : "failed";
  const pause = waitMs === undefined ? "" : `; it asks for a pause of ${Math.ceil(waitMs / 1000)} s`;
  const error = new RetrieverError(
    "failed",
    `status ${status}`,
    `${call.who} ${why} (${status})${pause}${said(wire.redactor, answer)}`,
  );
  return { kind: "failed", error, again: true, waitMs };
}

/** What a server says about its trouble, fit for a message; a whole web page says nothing. */
export function said(redactor: Redactor, { bytes }: Answer): string {
  const text = new TextDecoder().decode(bytes.subarray(0, 2_000));
  const error = /"(?:error|detail|info|message)"\s*:\s*"((?:[^"\\]|\\.){1,300})"/.exec(text)?.[1];
  const words = error ?? (/^\s*[<{[]/.test(text) ? "" : text);
  const line = oneLine(redactor.redact(words), 160);
  return line === "" ? "." : `: ${line}`;
}

function lost(who: string, error: unknown): Try {
  const code: unknown = error instanceof Error && "code" in error ? error.code : undefined;
  const name = typeof code === "string" ? code : undefined;
  const message = `The connection to ${lowerFirst(who)} failed${name === undefined ? "" : ` (${name})`}.`;
  return {
    kind: "failed",
    error: new RetrieverError("unreachable", "no connection", message),
    again: name !== undefined && CURABLE.has(name),
  };
}

const lowerFirst = (text: string): string => text.replace(/^The /, "the ");
