import { z } from "../model/zod.ts";

/** A reply as far as it has arrived. */
export interface Draft {
  text: string;
  /** Why the model would not answer, in its own words. */
  refusal: string;
  model?: string;
  /** As the endpoint names it: `stop`, `length`, `content_filter` and others. */
  finish?: string;
  tokens?: { readonly input: number; readonly output: number };
  /** True once there was a choice at all. */
  hasChoice: boolean;
}

const wordsSchema = z.object({ content: z.string().nullish(), refusal: z.string().nullish() });
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
  usage: z.object({ prompt_tokens: tokens, completion_tokens: tokens }).nullish().catch(undefined),
});

export function emptyDraft(): Draft {
  return { text: "", refusal: "", hasChoice: false };
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
  if (usage) draft.tokens = { input: usage.prompt_tokens, output: usage.completion_tokens };
  const choice = choices?.find(({ index }) => (index ?? 0) === 0);
  if (choice === undefined) return "";
  draft.hasChoice = true;
  if (choice.finish_reason) draft.finish = choice.finish_reason;
  const words = choice.delta ?? choice.message;
  draft.refusal += words?.refusal ?? "";
  draft.text += words?.content ?? "";
  return words?.content ?? "";
}

/** Without any of both it is some other JSON, such as an error in a 200. */
function hasContent({ choices, usage }: z.infer<typeof completionSchema>): boolean {
  return Boolean(choices ?? usage);
}
