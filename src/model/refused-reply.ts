import { z } from "./zod.ts";

/** A model's reply that was not taken, kept as evidence beside the one that was. */
export const refusedReplySchema = z.object({
  /** Word for word; of a long one the first characters. */
  text: z.string(),
  /** A sentence. */
  why: z.string(),
});
export type RefusedReply = z.infer<typeof refusedReplySchema>;

const KEPT_CHARS = 20_000;

export const refusedReply = (text: string, why: string): RefusedReply => ({
  text: text.slice(0, KEPT_CHARS).toWellFormed(),
  why,
});
