import { z } from "./zod.ts";

export const usageSchema = z.object({
  inputTokens: z.number().int().nonnegative(),
  /** The part of `inputTokens` that the server had read before and took from its cache, as far as it says so: at least these. */
  cachedInputTokens: z.number().int().nonnegative().optional(),
  outputTokens: z.number().int().nonnegative(),
  /** US dollars. */
  cost: z.number().nonnegative().optional(),
  /** Milliseconds. */
  latencyMs: z.number().nonnegative().optional(),
  /** True where the endpoint did not count: the tokens are guessed from the lengths of the texts. */
  estimated: z.boolean().optional(),
});
export type Usage = z.infer<typeof usageSchema>;
