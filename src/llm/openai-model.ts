import type { Usage } from "../model/usage.ts";
import {
  ModelError,
  type ChatModel,
  type ChatOptions,
  type ChatReply,
  type ChatRequest,
} from "./chat-model.ts";
import type { Draft } from "./completion.ts";
import { bothLearned, FIRST_DIALECT, type Dialect } from "./dialect.ts";
import type { Endpoint } from "./endpoint.ts";
import type { About } from "./failed-try.ts";
import type { HttpPost } from "./guarded-fetch.ts";
import type { KeyStore } from "./keys.ts";
import { LOOK_AGAIN_MS, type Loading, watchLoading } from "./loading.ts";
import { tryOnce, type Line } from "./openai-try.ts";
import { costOf, type Price } from "./price.ts";
import { oneLine, type Redactor } from "./redact.ts";
import { splitReasoning } from "./reasoning.ts";
import { waitBefore, type RetryLimits } from "./retry.ts";
import type { Timing } from "./timing.ts";
import { guessInputTokens, guessTokens } from "./tokens.ts";
import { watchdog, type Watchdog, type WatchLimits } from "./watchdog.ts";

export type CallLimits = WatchLimits & RetryLimits;

export const CALL_LIMITS: CallLimits = {
  firstMs: 60_000,
  idleMs: 60_000,
  totalMs: 600_000,
  retries: 4,
  backoffMs: 1000,
  longestWaitMs: 60_000,
};

/** A machine of one's own may read a long prompt for minutes, and has no others in front of it. */
const limitsFor = ({ needsKey }: Endpoint): CallLimits =>
  needsKey ? CALL_LIMITS : { ...CALL_LIMITS, firstMs: CALL_LIMITS.totalMs };

export interface OpenAiModelOptions {
  readonly endpoint: Endpoint;
  readonly keys: KeyStore;
  readonly post: HttpPost;
  readonly timing: Timing;
  /** Learns the key when it is first used. */
  readonly redactor: Redactor;
  /** Without it a reply has no cost. */
  readonly price?: Price;
  /** Receives, now and then, that the server is loading its model and is waited for. */
  readonly onLoading?: ((message: string) => void) | undefined;
  readonly limits?: Partial<CallLimits>;
}

/** Shared state of one model's chats. */
interface Model extends OpenAiModelOptions {
  readonly id: string;
  readonly limits: CallLimits;
  readonly idle: Line[];
  readonly loading: Loading;
  dialect: Dialect;
}

/**
 * A model behind any endpoint that speaks OpenAI's chat completions. Replies are streamed. Rate limits, passing troubles of
 * the server and lost connections are tried again, at most `retries` times; a server that says that it is loading its model is
 * waited for, some minutes; all else fails at once. An endpoint on another
 * machine without a key fails without a call.
 */
export function openAiModel(options: OpenAiModelOptions): ChatModel {
  const { endpoint, timing, onLoading } = options;
  const id = endpointId(endpoint);
  const model: Model = {
    ...options,
    id,
    loading: watchLoading(id, timing, onLoading),
    limits: { ...limitsFor(endpoint), ...options.limits },
    idle: [],
    dialect: FIRST_DIALECT,
  };
  return { id: model.id, chat: (request, chatOptions = {}) => chat(model, request, chatOptions) };
}

/** Display name of a model, also used in files and cache keys. */
export function endpointId({ model, baseUrl }: Endpoint): string {
  return `${oneLine(model)} at ${baseUrl}`;
}

async function chat(model: Model, request: ChatRequest, options: ChatOptions): Promise<ChatReply> {
  options.signal?.throwIfAborted();
  const key = await keyOf(model);
  const watch = watchdog(model.id, model.limits, model.timing, options.signal);
  try {
    const started = model.timing.now();
    const draft = await untilGood(model, key, request, options, watch);
    const reply = replyFrom(model, request, draft, Math.max(0, model.timing.now() - started));
    if (splitReasoning(draft.text).text !== draft.text) {
      // The thoughts were shown as they came.
      options.onRestart?.();
      options.onText?.(reply.text);
    }
    return reply;
  } finally {
    watch.end();
  }
}

async function keyOf({ id, endpoint, keys, redactor }: Model): Promise<string | undefined> {
  const key = await keys.keyFor(endpoint.origin);
  if (key !== undefined && /^[\u0021-\u007e]+$/.test(key)) {
    redactor.learn(key);
    return key;
  }
  if (key === undefined && !endpoint.needsKey) return undefined;
  const what =
    key === undefined ? "needs a key" : "was given a key with spaces or other characters that no key has";
  throw new ModelError("unauthorised", `${id} ${what}.`, keys.howToGive(endpoint.origin));
}

async function untilGood(
  model: Model,
  key: string | undefined,
  request: ChatRequest,
  options: ChatOptions,
  watch: Watchdog,
): Promise<Draft> {
  const { endpoint, idle, post, timing, limits } = model;
  const about = aboutOf(model);
  for (let failed = 0; ;) {
    const onText = holdingBack(model.redactor, options.onText);
    const { dialect } = model;
    const result = await tryOnce({
      endpoint,
      key,
      idle,
      post,
      request,
      dialect,
      about,
      watch,
      now: () => timing.now(),
      after: (ms, action) => timing.after(ms, action),
      onText: (piece) => onText.piece(piece),
    });
    watch.rest();
    if (result.kind === "failed" && result.failed.isLoading === true) {
      model.loading.met();
      const wait = Math.max(LOOK_AGAIN_MS, result.failed.waitMs ?? 0);
      await timing.sleep(Math.min(limits.longestWaitMs, wait), watch.signal);
      continue;
    }
    model.loading.over();
    if (result.kind === "reply") {
      if (!endsInThoughts(result.draft, dialect, request)) return (onText.end(), result.draft);
      model.dialect = bothLearned(model.dialect, { ...dialect, takesStop: false });
      if (onText.began()) options.onRestart?.();
      continue;
    }
    if (result.kind === "dialect") {
      model.dialect = bothLearned(model.dialect, result.dialect);
      continue;
    }
    failed += 1;
    if (!result.failed.again || failed > limits.retries) throw afterTries(result.failed.error, failed);
    if (onText.began()) options.onRestart?.();
    await timing.sleep(waitBefore(failed, result.failed.waitMs, limits, timing), watch.signal);
  }
}

/** The server has looked for stop texts in a model's thoughts, which `replyText` does not: the reply itself never came. */
function endsInThoughts(
  { text, reasoning, finish }: Draft,
  { takesStop }: Dialect,
  { stop = [] }: ChatRequest,
): boolean {
  if (!takesStop || stop.length === 0 || finish !== "stop") return false;
  const split = splitReasoning(text);
  return split.text.trim() === "" && reasoning + split.reasoning !== "";
}

function aboutOf({ id, endpoint, keys, redactor }: Model): About {
  return { id, howToGiveKey: keys.howToGive(endpoint.origin), redact: (text) => redactor.redact(text) };
}

function afterTries(error: ModelError, tries: number): ModelError {
  return tries === 1
    ? error
    : new ModelError(error.kind, `${error.message.replace(/\.$/, "")} (${tries} tries).`, error.next);
}

/** Passes pieces on, but no piece of a key: an endpoint may repeat what it was sent. */
function holdingBack(redactor: Redactor, emit: ((piece: string) => void) | undefined) {
  let [held, begun] = ["", false];
  const send = (text: string): void => {
    if (text === "") return;
    begun = true;
    emit?.(redactor.hideKnown(text));
  };
  return {
    piece(text: string): void {
      const all = redactor.hideKnown(held + text);
      const open = redactor.openEnd(all);
      held = all.slice(all.length - open);
      send(all.slice(0, all.length - open));
    },
    end: () => send(held),
    began: () => begun,
  };
}

function replyFrom(model: Model, request: ChatRequest, draft: Draft, latencyMs: number): ChatReply {
  const usage = usageOf(model, request, draft, latencyMs);
  const { text: said, reasoning: within } = splitReasoning(draft.text);
  const text = model.redactor.hideKnown(said);
  const reasoning = model.redactor.hideKnown(draft.reasoning + within);
  if (text.trim() === "" && !(reasoning === "" && endedAtOnce(request, draft)))
    throw emptyReply(model, draft, usage, reasoning);
  const { finish } = draft;
  return {
    text,
    ...(reasoning !== "" && { reasoning }),
    usage,
    model: oneLine(model.redactor.redact(draft.model ?? model.endpoint.model)),
    finish: finish === "length" || finish === "stop" ? finish : "other",
    cached: false,
  };
}

/** True of a reply that began with a stop text: its server sends nothing of it. */
function endedAtOnce(
  { stop = [] }: Pick<ChatRequest, "stop">,
  { refusal, finish, hasChoice }: Draft,
): boolean {
  return stop.length > 0 && finish === "stop" && hasChoice && refusal === "";
}

function emptyReply(
  { id, redactor }: Model,
  { refusal, finish, hasChoice }: Draft,
  usage: Usage,
  reasoning: string,
): ModelError {
  const said = oneLine(redactor.redact(refusal));
  const [why, next] =
    said !== ""
      ? [`refused to answer: ${said}`, "Ask in other words, or ask another model."]
      : reasoning !== ""
        ? ["only thought, and its thoughts came to no reply.", "Allow longer replies."]
        : finish === "length"
          ? ["used up the longest reply without saying anything.", "Allow longer replies."]
          : finish === "content_filter"
            ? ["was stopped by its content filter.", "Ask in other words, or ask another model."]
            : [
                hasChoice ? "answered with an empty text." : "answered without any choice.",
                "Ask again, or see the log of the server.",
              ];
  return new ModelError("empty_reply", `${id} ${why}`, next, usage, reasoning === "" ? undefined : reasoning);
}

function usageOf({ price }: Model, request: ChatRequest, draft: Draft, latencyMs: number): Usage {
  const counted = draft.tokens;
  const tokens = {
    inputTokens: counted?.input ?? guessInputTokens(request),
    outputTokens: counted?.output ?? guessTokens(draft.reasoning + draft.text),
  };
  return {
    ...tokens,
    ...(counted?.cached === undefined ? {} : { cachedInputTokens: counted.cached }),
    ...(price === undefined ? {} : { cost: costOf(price, tokens) }),
    latencyMs,
    ...(counted === undefined ? { estimated: true } : {}),
  };
}
