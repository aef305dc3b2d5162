import { parseJson } from "../model/read-json.ts";
import type { ChatRequest } from "./chat-model.ts";
import { addToDraft, emptyDraft, type Draft } from "./completion.ts";
import { contextOverflow } from "./context-overflow.ts";
import { bodyOf, otherDialect, type Dialect } from "./dialect.ts";
import type { Endpoint } from "./endpoint.ts";
import {
  brokenTry,
  lostTry,
  malformedTry,
  overflowTry,
  refusedTry,
  type About,
  type FailedTry,
  type Refusal,
} from "./failed-try.ts";
import { guardedFetch, TooLarge, type HttpPost } from "./guarded-fetch.ts";
import { longestReply, replyText, type ReplyText } from "./reply-text.ts";
import { askedWait } from "./retry.ts";
import type { Watchdog } from "./watchdog.ts";

/** One try and what it needs. */
export interface Try {
  readonly endpoint: Endpoint;
  readonly key: string | undefined;
  /** Clients of this endpoint that serve no call now; one is taken and given back. */
  readonly idle: Line[];
  readonly post: HttpPost;
  readonly request: ChatRequest;
  readonly dialect: Dialect;
  readonly about: About;
  readonly watch: Watchdog;
  readonly now: () => number;
  /** As in `Timing`. */
  readonly after: (ms: number, action: () => void) => () => void;
  readonly onText: (piece: string) => void;
}

export type TryResult =
  | { readonly kind: "reply"; readonly draft: Draft }
  | { readonly kind: "failed"; readonly failed: FailedTry }
  /** Ask again in this dialect. */
  | { readonly kind: "dialect"; readonly dialect: Dialect };

type Sdk = Awaited<ReturnType<typeof loadSdk>>;

let loaded: Promise<Sdk> | undefined;

/** The package, loaded once: even an import of what is there already takes a tenth of a call's time. */
function sdkOf(): Promise<Sdk> {
  return (loaded ??= loadSdk());
}

/** The package takes 60 ms to load, which commands that ask no model should not pay. */
async function loadSdk() {
  const [{ OpenAI, APIError }, { Stream }] = await Promise.all([
    import("openai"),
    import("openai/core/streaming"),
  ]);
  return { OpenAI, APIError, Stream };
}

/** Asks once. Rejects only with the reason of `watch.signal`, or for a bug. */
export async function tryOnce(attempt: Try): Promise<TryResult> {
  const sdk = await sdkOf();
  attempt.watch.begin();
  try {
    return await exchange(sdk, attempt);
  } catch (error) {
    attempt.watch.signal.throwIfAborted();
    return explain(sdk, error, attempt);
  }
}

async function exchange(sdk: Sdk, attempt: Try): Promise<TryResult> {
  const line = attempt.idle.pop() ?? newLine(sdk, attempt.endpoint);
  try {
    return await exchangeOn(line, sdk, attempt);
  } finally {
    attempt.idle.push(line);
  }
}

async function exchangeOn(line: Line, sdk: Sdk, attempt: Try): Promise<TryResult> {
  const { watch, about } = attempt;
  const { client } = line;
  let tail = "";
  line.send = guardedFetch(attempt.post, attempt.endpoint, attempt.key, (piece) => {
    watch.touch();
    tail = (tail + String.fromCodePoint(...piece.subarray(-END_MARK.length * 2))).slice(-END_MARK.length * 2);
  });
  const response = await client.chat.completions
    .create(bodyOf(attempt.endpoint.model, attempt.request, attempt.dialect), { signal: watch.signal })
    .asResponse();
  const draft = emptyDraft();
  const reply = replyText(attempt.request);
  const type = response.headers.get("content-type") ?? "";
  const wrong = type.includes("event-stream")
    ? await readStream(sdk, response, client, { draft, reply }, attempt)
    : readWhole(await response.text(), { draft, reply }, attempt);
  watch.signal.throwIfAborted();
  if (wrong !== undefined) return { kind: "failed", failed: wrong };
  draft.text = reply.text;
  if (reply.ended !== undefined) draft.finish = reply.ended;
  // A stream that ends without saying so was cut off, also where the connection was closed in order.
  const ended = draft.finish !== undefined || tail.includes(END_MARK) || !type.includes("event-stream");
  return ended ? { kind: "reply", draft } : { kind: "failed", failed: lostTry(about, "ended early") };
}

const END_MARK = "[DONE]";

/** A client of the package. It serves one call at a time, because each call sends in its own way. */
export interface Line {
  readonly client: InstanceType<Sdk["OpenAI"]>;
  send: typeof fetch;
}

/** To make a client takes as long as a twentieth of a call. */
function newLine(sdk: Sdk, endpoint: Endpoint): Line {
  const send: typeof fetch = () => Promise.reject(new Error("Sent outside of a call"));
  const line: Line = { client: newClient(sdk, endpoint, (input, init) => line.send(input, init)), send };
  return line;
}

/**
 * Each option that the package would otherwise take from the environment is given here; what it still reads there
 * (`OPENAI_CUSTOM_HEADERS`, `OPENAI_LOG`) has no effect, as `guardedFetch` sends headers of its own and nothing is logged.
 * The key never enters the package.
 */
function newClient({ OpenAI }: Sdk, endpoint: Endpoint, post: typeof fetch) {
  return new OpenAI({
    apiKey: "sent by guardedFetch",
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    baseURL: endpoint.baseUrl,
    fetch: post,
    maxRetries: 0,
    // The watchdog ends calls; this is the longest a timer can wait.
    timeout: 2 ** 31 - 1,
    logLevel: "off",
    logger: SILENT,
    // Inside VS Code's extension host there may be a `window`; the key is not in the package anyway.
    dangerouslyAllowBrowser: true,
  });
}

const nothing = (): void => undefined;
const SILENT = { error: nothing, warn: nothing, info: nothing, debug: nothing };

/** The answer, as far as it is collected. */
interface Collected {
  readonly draft: Draft;
  readonly reply: ReplyText;
}

/** Milliseconds that a stream may go on once its reply is complete; the count of tokens comes then. */
const LONGEST_END_MS = 2_000;

/**
 * Leaves a reply that has ended before its stream: the connection closes, and the server generates no further. A stream that does not end
 * after its reply is left, too.
 */
async function readStream(
  { Stream }: Sdk,
  response: Response,
  client: InstanceType<Sdk["OpenAI"]>,
  { draft, reply }: Collected,
  { request, about, onText, after }: Try,
): Promise<FailedTry | undefined> {
  const leave = new AbortController();
  let stopWaiting: (() => void) | undefined;
  let chunks = 0;
  try {
    for await (const chunk of Stream.fromSSEResponse<unknown>(response, leave, client)) {
      const piece = addToDraft(draft, chunk);
      if (piece === undefined) return malformedTry(about, JSON.stringify(chunk));
      chunks += 1;
      onText(reply.add(piece));
      if (reply.ended !== undefined) return undefined;
      if (draft.reasoning.length > longestReply(request.maxTokens)) {
        draft.finish = "length";
        return undefined;
      }
      if (draft.finish !== undefined) stopWaiting ??= after(LONGEST_END_MS, () => leave.abort());
    }
  } finally {
    stopWaiting?.();
  }
  onText(reply.rest());
  return chunks === 0 ? malformedTry(about, "a stream without a single message") : undefined;
}

/** Some servers know no streams and answer as a whole. */
function readWhole(text: string, { draft, reply }: Collected, { about, onText }: Try): FailedTry | undefined {
  const piece = addToDraft(draft, parseJson(text));
  if (piece === undefined) return malformedTry(about, text);
  onText(reply.add(piece) + reply.rest());
  return undefined;
}

function explain({ APIError }: Sdk, error: unknown, attempt: Try): TryResult {
  const { about } = attempt;
  const failed = (failure: FailedTry): TryResult => ({ kind: "failed", failed: failure });
  if (error instanceof SyntaxError) return failed(malformedTry(about, ""));
  // The package and `readStream` write as JSON again what cannot be used. That is recursive; the parse is not.
  if (error instanceof RangeError) return failed(malformedTry(about, "JSON that is nested too deeply"));
  if (findCause(error, (e) => e instanceof TooLarge))
    return failed(malformedTry(about, "more than any reply has"));
  const overflow = error instanceof APIError ? overflowOf(error, attempt) : undefined;
  if (overflow !== undefined) return failed(overflowTry(about, overflow));
  if (error instanceof APIError && typeof error.status === "number") {
    const refusal = refusalOf(error.status, error, attempt.now());
    const dialect = otherDialect(refusal, attempt.dialect, attempt.request);
    return dialect === undefined ? failed(refusedTry(refusal, about)) : { kind: "dialect", dialect };
  }
  const code = codeOf(error);
  if (code !== undefined) return failed(lostTry(about, code));
  if (error instanceof APIError && error.error !== undefined) return failed(brokenTry(about, error.message));
  throw error;
}

/** Servers answer 400, 413 or 500 to a prompt that is too long, or say so within a stream. */
function overflowOf(
  { status, message, code, error }: StatusError & { readonly status?: number; readonly error?: unknown },
  { request }: Try,
): string | undefined {
  if (status === 401 || status === 403 || status === 429) return undefined;
  return contextOverflow(
    { detail: withoutStatus(message), code: typeof code === "string" ? code : undefined, fields: error },
    request,
  );
}

/** The package puts the status in front of what the server says. */
function withoutStatus(message: string): string {
  return message.replace(/^\d{3} (status code \(no body\))?/, "");
}

/** What the package keeps of an answer that is not 2xx. */
interface StatusError {
  readonly message: string;
  readonly headers?: Headers | undefined;
  readonly code?: string | null | undefined;
  readonly param?: string | null | undefined;
}

function refusalOf(status: number, { message, headers, code, param }: StatusError, now: number): Refusal {
  const waitMs = headers === undefined ? undefined : askedWait(headers, now);
  return {
    status,
    detail: withoutStatus(message),
    ...(typeof code === "string" ? { code } : {}),
    ...(typeof param === "string" ? { param } : {}),
    ...(waitMs === undefined ? {} : { waitMs }),
  };
}

/** The error itself or one of its causes. */
function findCause(error: unknown, is: (error: Error) => boolean): Error | undefined {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    if (is(at)) return at;
  }
  return undefined;
}

/** The system's word for what went wrong on the way, such as ECONNRESET. */
function codeOf(error: unknown): string | undefined {
  const found = findCause(
    error,
    (e) => "code" in e && typeof e.code === "string" && /^[A-Z][A-Z0-9_]+$/.test(e.code),
  );
  if (found !== undefined && "code" in found) return String(found.code);
  // How Node's own fetch reports a body that broke off.
  return findCause(error, (e) => e instanceof TypeError && e.message === "terminated") && "ECONNRESET";
}
