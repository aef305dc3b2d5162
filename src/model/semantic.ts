import { teacherCallSchema } from "./intervention.ts";
import { refusedReplySchema } from "./refused-reply.ts";
import { z } from "./zod.ts";

export const SEMANTIC_SCHEMA = "hasp.semantic/1";

/** One line of `semantic.jsonl`: a teacher's judgement of one step, for the signal `s3.semantic` (SPEC §6). */
export const semanticLineSchema = z.object({
  schema: z.literal(SEMANTIC_SCHEMA),
  /** Id of the episode. */
  episode: z.string(),
  /** 0-based. */
  t: z.number().int().nonnegative(),
  /** Absent where the call failed or its reply holds no score: the step then takes the fallback. */
  score: z.number().min(0).max(1).optional(),
  /** Id of the teacher. */
  teacher: z.string(),
  /** Version of the prompt. */
  prompt: z.string(),
  /** Request, reply and usage; its site is `s3.semantic`. */
  call: teacherCallSchema,
  /** The reply before, where it gave back the form or the prompt (HASP858). `call` then is the second one, with the usage of both. */
  refused: refusedReplySchema.optional(),
});
export type SemanticLine = z.infer<typeof semanticLineSchema>;
