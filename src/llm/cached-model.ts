import { usageSchema } from "../model/usage.ts";
import { parseJson } from "../model/read-json.ts";
import { z } from "../model/zod.ts";
import type { ChatModel, ChatOptions, ChatReply, ChatRequest } from "./chat-model.ts";
import { requestKey } from "./request-key.ts";
import { shareCalls } from "./shared-call.ts";

/** Replies kept by key. `src/platform/reply-cache.ts` keeps them in files. */
export interface ReplyCache {
  /** Undefined where there is none. Rejects on an I/O error. */
  get(key: string): Promise<string | undefined>;
  /** Resolves once the reply is there as a whole. Rejects on an I/O error. */
  put(key: string, text: string): Promise<void>;
}

export interface CachedModelOptions {
  /** The cache could not be read or written. The reply is given all the same. */
  readonly onTrouble?: (error: unknown) => void;
}

const storedSchema = z.object({
  schema: z.literal("hasp.reply/1"),
  /** Its own key, so that a file in the wrong place is none. */
  key: z.string(),
  /** Who was asked, for people who look into the cache. */
  asked: z.string(),
  text: z.string(),
  reasoning: z.string().optional(),
  model: z.string(),
  finish: z.enum(["stop", "length", "other"]),
  usage: usageSchema,
});

/**
 * `model` with a memory: what it once answered to an equal request it answers again, at no cost, and equal requests in
 * flight share one call. A reply is kept before it is given, so a killed run repeats only the calls in flight. What is kept
 * and cannot be read is asked again and replaced. Failures are not kept.
 */
export function cachedModel(
  model: ChatModel,
  cache: ReplyCache,
  options: CachedModelOptions = {},
): ChatModel {
  const share = shareCalls<ChatReply>();
  const tell = (error: unknown): undefined => options.onTrouble?.(error) as undefined;
  return {
    id: model.id,
    async chat(request, chatOptions = {}) {
      chatOptions.signal?.throwIfAborted();
      const key = await requestKey(model.id, request);
      const { value, first } = await share(key, chatOptions, async (shared) => {
        const kept = fromText(await cache.get(key).catch(tell), key);
        if (kept !== undefined) shared.onText(kept.text);
        return kept ?? (await askAndKeep(model, request, shared, cache, key, tell));
      });
      return first ? value : free(value);
    },
  };
}

async function askAndKeep(
  model: ChatModel,
  request: ChatRequest,
  options: ChatOptions,
  cache: ReplyCache,
  key: string,
  tell: (error: unknown) => undefined,
): Promise<ChatReply> {
  const reply = await model.chat(request, options);
  await cache.put(key, toText(reply, key, model.id)).catch(tell);
  return reply;
}

/** Nothing is paid and nothing waited for; the tokens still say how long the texts are. */
function free(reply: ChatReply): ChatReply {
  return { ...reply, usage: { ...reply.usage, cost: 0, latencyMs: 0 }, cached: true };
}

function toText({ text, reasoning, model, finish, usage }: ChatReply, key: string, asked: string): string {
  const stored: z.infer<typeof storedSchema> = {
    schema: "hasp.reply/1",
    key,
    asked,
    text,
    ...(reasoning !== undefined && { reasoning }),
    model,
    finish,
    usage,
  };
  return `${JSON.stringify(stored, null, 1)}\n`;
}

function fromText(text: string | undefined, key: string): ChatReply | undefined {
  if (text === undefined) return undefined;
  const read = storedSchema.safeParse(parseJson(text));
  if (!read.success || read.data.key !== key) return undefined;
  const { text: said, reasoning, model, finish, usage } = read.data;
  return free({
    text: said,
    ...(reasoning !== undefined && { reasoning }),
    model,
    finish,
    usage,
    cached: true,
  });
}
