import { z } from "./zod.ts";

/** The score that one judge gave to the answer of an episode. */
export const verdictSchema = z.object({
  /** Name of the judge: `exact_match`, `f1>=0.5`, `mbe-1 gpt-4o-2024-11-20 at https://api.openai.com`. */
  judge: z.string().min(1),
  /** From 0 (wrong) to 1 (right). */
  score: z.number().min(0).max(1),
  /** Whether the answer counts as right. */
  passed: z.boolean(),
  /** Reasons that a person can check, as the judge gives them: the accepted answer that matched, the reply of a model. */
  evidence: z.record(z.string(), z.unknown()).optional(),
});
export type Verdict = z.infer<typeof verdictSchema>;
