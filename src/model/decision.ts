import { CONTROL_PARTS } from "./control-parts.ts";
import { teacherCallSchema } from "./intervention.ts";
import { phaseNameSchema } from "./skill.ts";
import { z } from "./zod.ts";

/** One handler's say on a FINAL. */
export const voteSchema = z.object({
  skillId: z.string(),
  /** True: go back to a SEARCH. */
  override: z.boolean(),
  reason: z.string(),
  /** The search that it would run. */
  query: z.string().optional(),
});
export type Vote = z.infer<typeof voteSchema>;

/** One decision of the harness itself, with its reason. What the PFs decided is in the events of the steps. */
export const decisionSchema = z.object({
  part: z.enum(CONTROL_PARTS),
  /** 0-based step; absent: before the first one, or after the last. */
  t: z.number().int().nonnegative().optional(),
  /** Who decided: a switch or a budget, our code, or the teacher. */
  by: z.enum(["settings", "code", "teacher"]),
  /** For people. */
  reason: z.string(),
  /** Ids of the skills that were kept, in order. */
  chosen: z.array(z.string()).optional(),
  leftOut: z.array(z.object({ skillId: z.string(), reason: z.string() })).optional(),
  votes: z.array(voteSchema).optional(),
  /** A score, a yes or no, or a text, as the part says: the difficulty, the formatted answer, the query. */
  value: z.union([z.string(), z.number(), z.boolean()]).optional(),
  /** What the teacher was asked for it. */
  calls: z.array(teacherCallSchema).optional(),
});
export type Decision = z.infer<typeof decisionSchema>;

/** A phase instruction that the policy read before it proposed (SPEC §2). */
export const instructionSchema = z.object({
  skillId: z.string(),
  phase: phaseNameSchema,
  text: z.string(),
  /** 1: it was read with what held back a FINAL, before the second proposal of the step; absent: before the first. */
  proposal: z.literal(1).optional(),
});
export type Instruction = z.infer<typeof instructionSchema>;
