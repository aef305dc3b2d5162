import { parseJson, readJson } from "../model/read-json.ts";
import type { ChatRequest } from "./chat-model.ts";
import { addToDraft, emptyDraft, type Draft } from "./completion.ts";
import type { Endpoint } from "./endpoint.ts";
import { eventStream } from "./event-stream.ts";
import {
  brokenTry,
  lostTry,
  malformedTry,
  refusedTry,
  type About,
  type FailedTry,
  type Refusal,
} from "./failed-try.ts";
import { guardedPost, readBody, TooLarge, type HttpAnswer, type HttpPost } from "./guarded-post.ts";
import { askedWait } from "./retry.ts";
import type { Watchdog } from "./watchdog.ts";

/** How an endpoint wants to be asked. Begins with what most know; what it refuses is left out from then on. */
export interface Dialect {
  /** Whether it counts tokens in a stream when asked to. */
  readonly countsInStream: boolean;
  readonly lengthField: "max_tokens" | "max_completion_tokens";
}

/** One try and what it needs. */
export interface Try {
  readonly endpoint: Endpoint;
  readonly key: string | undefined;
  readonly post: HttpPost;
  readonly request: ChatRequest;
  readonly dialect: Dialect;
  readonly about: About;
  readonly watch: Watchdog;
  readonly now: () => number;
  readonly onText: (piece: string) => void;
}

export type TryResult =
  | { readonly kind: "reply"; readonly draft: Draft }
  | { readonly kind: "failed"; readonly failed: FailedTry }
  /** Ask again in this dialect. */
  | { readonly kind: "dialect"; readonly dialect: Dialect };

/** Asks once. Rejects only with the reason of `watch.signal`, or for a bug. */
export async function tryOnce(attempt: Try): Promise<TryResult> {
  attempt.watch.touch();
  try {
    return await exchange(attempt);
  } catch (error) {
    attempt.watch.signal.throwIfAborted();
    return { kind: "failed", failed: failureOf(error, attempt.about) };
  }
}

async function exchange(attempt: Try): Promise<TryResult> {
  const { endpoint, key, post, watch } = attempt;
  const call = { path: "chat/completions", body: JSON.stringify(bodyOf(attempt)), signal: watch.signal };
  const answer = await guardedPost(post, endpoint, key, call);
  if (answer.status < 200 || answer.status > 299) return refuse(answer, attempt);
  const type = answer.headers.get("content-type") ?? "";
  const result = type.includes("event-stream")
    ? await readStream(answer, attempt)
    : readWhole(await textOf(answer, watch), attempt);
  watch.signal.throwIfAborted();
  return result;
}

/** What chat completions are asked with. */
function bodyOf({ request, endpoint, dialect }: Try) {
  return {
    model: endpoint.model,
    messages: request.messages.map(({ role, content }) => ({ role, content })),
    temperature: request.temperature,
    [dialect.lengthField]: request.maxTokens,
    ...(request.topP === undefined ? {} : { top_p: request.topP }),
    ...(request.seed === undefined ? {} : { seed: request.seed }),
    stream: true,
    ...(dialect.countsInStream ? { stream_options: { include_usage: true } } : {}),
  };
}

async function textOf(answer: HttpAnswer, watch: Watchdog): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  await readBody(answer, (piece) => {
    watch.touch();
    text += decoder.decode(piece, { stream: true });
  });
  return text + decoder.decode();
}

const failed = (failure: FailedTry): TryResult => ({ kind: "failed", failed: failure });

/** Ends the reading of a stream that brings no reply. */
class Unreadable extends Error {
  readonly failure: FailedTry;
  constructor(failure: FailedTry) {
    super("The stream brings no reply");
    this.failure = failure;
  }
}

async function readStream(answer: HttpAnswer, { about, watch, onText }: Try): Promise<TryResult> {
  const draft = emptyDraft();
  let [chunks, marked] = [0, false];
  const onData = (data: string): void => {
    const piece = addChunk(draft, data, about);
    chunks += 1;
    if (piece !== "") onText(piece);
  };
  const events = eventStream("[DONE]", onData, () => (marked = true));
  await readBody(answer, (piece) => {
    watch.touch();
    events.push(piece);
  });
  events.end();
  if (chunks === 0) return failed(malformedTry(about, "a stream without a single message"));
  // A stream that ends without saying so was cut off, also where the connection was closed in order.
  const ended = marked || draft.finish !== undefined;
  return ended ? { kind: "reply", draft } : failed(lostTry(about, "ended early"));
}

/** Adds the data of one event. Answers with the text it brought. */
function addChunk(draft: Draft, data: string, about: About): string {
  const { value, problem } = readJson(data);
  if (problem !== undefined) throw new Unreadable(malformedTry(about, ""));
  const error = errorIn(value);
  if (error !== undefined) throw new Unreadable(brokenTry(about, error.message));
  const piece = addToDraft(draft, value);
  if (piece === undefined) throw new Unreadable(malformedTry(about, data));
  return piece;
}

/** Some servers know no streams and answer as a whole. */
function readWhole(text: string, { about, onText }: Try): TryResult {
  const draft = emptyDraft();
  const piece = addToDraft(draft, parseJson(text));
  if (piece === undefined) return failed(malformedTry(about, text));
  if (piece !== "") onText(piece);
  return { kind: "reply", draft };
}

/** What an error means that broke off the exchange. Throws what is a bug. */
function failureOf(error: unknown, about: About): FailedTry {
  if (error instanceof Unreadable) return error.failure;
  if (error instanceof TooLarge) return malformedTry(about, "more than any reply has");
  const code = codeOf(error);
  if (code !== undefined) return lostTry(about, code);
  throw error;
}

/** An answer that is not 2xx. What its server says about it may break off. */
async function refuse(answer: HttpAnswer, attempt: Try): Promise<TryResult> {
  const { watch, dialect, about } = attempt;
  const text = await textOf(answer, watch).catch(() => "");
  watch.signal.throwIfAborted();
  const { message, code } = errorIn(parseJson(text)) ?? { message: text };
  const waitMs = askedWait(answer.headers, attempt.now());
  const refusal: Refusal = {
    status: answer.status,
    detail: message,
    ...(code === undefined ? {} : { code }),
    ...(waitMs === undefined ? {} : { waitMs }),
  };
  const other = otherDialect(refusal, dialect);
  return other === undefined ? failed(refusedTry(refusal, about)) : { kind: "dialect", dialect: other };
}

/** What a server says about a failure. */
interface ServerError {
  readonly message: string;
  readonly code?: string;
}

/** The `error` of an answer: an object with a message, or anything else that is not empty. */
function errorIn(value: unknown): ServerError | undefined {
  const { error } = Object(value) as { error?: unknown };
  if (!error) return undefined;
  const { message, code } = Object(error) as { message?: unknown; code?: unknown };
  const said = message ?? error;
  return {
    message: typeof said === "string" ? said : JSON.stringify(said),
    ...(typeof code === "string" ? { code } : {}),
  };
}

function otherDialect({ status, detail }: Refusal, dialect: Dialect): Dialect | undefined {
  if (status !== 400 && status !== 422) return undefined;
  if (dialect.countsInStream && detail.includes("stream_options"))
    return { ...dialect, countsInStream: false };
  // OpenAI's reasoning models name the field they want instead.
  const renames = dialect.lengthField === "max_tokens" && detail.includes("max_completion_tokens");
  return renames ? { ...dialect, lengthField: "max_completion_tokens" } : undefined;
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
