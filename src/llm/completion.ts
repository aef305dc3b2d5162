import { z } from "../model/zod.ts";

/** A reply as far as it has arrived. */
export interface Draft {
  /** Set once its end is known. */
  text: string;
  /** Thoughts that the endpoint sends apart from the text. */
  reasoning: string;
  /** Why the model would not answer, in its own words. */
  refusal: string;
  model?: string;
  /** As the endpoint names it: `stop`, `length`, `content_filter` and others. */
  finish?: string;
  /** `cached`: the part of `input` that the server had read before, where it says so. */
  tokens?: { readonly input: number; readonly output: number; readonly cached?: number };
  /** True once there was a choice at all. */
  hasChoice: boolean;
}

const wordsSchema = z.object({
  content: z.string().nullish(),
  refusal: z.string().nullish(),
  /** DeepSeek, llama.cpp, vLLM; the next one is OpenRouter's and Ollama's. */
  reasoning_content: z.string().nullish().catch(undefined),
  reasoning: z.string().nullish().catch(undefined),
});
const tokens = z.number().int().nonnegative();

/** What is read of a chunk or of a whole completion; endpoints add much else. */
const completionSchema = z.object({
  model: z.string().optional().catch(undefined),
  choices: z
    .array(
      z.object({
        index: z.number().optional(),
        delta: wordsSchema.nullish(),
        message: wordsSchema.nullish(),
        finish_reason: z.string().nullish(),
      }),
    )
    .nullish(),
  usage: z
    .object({
      prompt_tokens: tokens,
      completion_tokens: tokens,
      prompt_tokens_details: z.object({ cached_tokens: tokens.nullish() }).nullish().catch(undefined),
    })
    .nullish()
    .catch(undefined),
});

export function emptyDraft(): Draft {
  return { text: "", reasoning: "", refusal: "", hasChoice: false };
}

/**
 * Adds a chunk of a stream, or a whole completion, to the draft. Answers with the text it brought; undefined where `data`
 * is neither.
 */
export function addToDraft(draft: Draft, data: unknown): string | undefined {
  const read = completionSchema.safeParse(data);
  if (!read.success || !hasContent(read.data)) return undefined;
  const { model, choices, usage } = read.data;
  if (model !== undefined && model !== "") draft.model = model;
  if (usage) {
    const cached = usage.prompt_tokens_details?.cached_tokens ?? undefined;
    draft.tokens = {
      input: usage.prompt_tokens,
      output: usage.completion_tokens,
      ...(cached !== undefined && { cached: Math.min(cached, usage.prompt_tokens) }),
    };
  }
  const choice = choices?.find(({ index }) => (index ?? 0) === 0);
  if (choice === undefined) return "";
  draft.hasChoice = true;
  if (choice.finish_reason) draft.finish = choice.finish_reason;
  const words = choice.delta ?? choice.message;
  draft.refusal += words?.refusal ?? "";
  draft.reasoning += words?.reasoning_content ?? words?.reasoning ?? "";
  return words?.content ?? "";
}

/** Without any of both it is some other JSON, such as an error in a 200. */
function hasContent({ choices, usage }: z.infer<typeof completionSchema>): boolean {
  return Boolean(choices ?? usage);
}
