import { z } from "./zod.ts";

export const usageSchema = z.object({
  inputTokens: z.number().int().nonnegative(),
  outputTokens: z.number().int().nonnegative(),
  /** US dollars. */
  cost: z.number().nonnegative().optional(),
  /** Milliseconds. */
  latencyMs: z.number().nonnegative().optional(),
  /** True where the endpoint did not count: the tokens are guessed from the lengths of the texts. */
  estimated: z.boolean().optional(),
});
export type Usage = z.infer<typeof usageSchema>;
