import { z } from "./zod.ts";

export const CANDIDATE_SCHEMA = "hasp.candidate/1";

/** How much a point of validation EM adds to a skill's reward (SPEC §6). */
export const DELTA_EM_WEIGHT = 0.5;

/** One line of a file of candidates: a skill that a model wrote, with its review, for objective B (SPEC §8). */
export const candidateSchema = z.object({
  schema: z.literal(CANDIDATE_SCHEMA),
  /** Names the candidate in its file. */
  id: z.string().min(1),
  skillId: z.string().min(1),
  version: z.number().int().nonnegative(),
  /** Of the evolution that proposed it, from 1; 0 outside of one. */
  epoch: z.number().int().nonnegative(),
  domain: z.string().min(1),
  /** As the author read them. Candidates with equal messages are answers to one task. */
  messages: z.array(z.object({ role: z.enum(["system", "user", "assistant"]), content: z.string() })).min(1),
  /** The author's reply with SKILL.md and pf.ts, word for word. */
  completion: z.string().optional(),
  /** Q_skill of the review, in [0, 1]; absent without a review. */
  qSkill: z.number().min(0).max(1).optional(),
  decision: z.enum(["accept", "revise", "reject"]),
  /** Change of the exact match on the validation split once the skill is in the library; absent without live rollouts. */
  deltaEm: z.number().min(-1).max(1).optional(),
});
export type Candidate = z.infer<typeof candidateSchema>;

/** r_skill = Q_skill + 0.5·ΔEM_val (SPEC §6); Q_skill alone where ΔEM is unknown, undefined without a review. */
export function skillReward({
  qSkill,
  deltaEm = 0,
}: Pick<Candidate, "qSkill" | "deltaEm">): number | undefined {
  return qSkill === undefined ? undefined : qSkill + DELTA_EM_WEIGHT * deltaEm;
}
