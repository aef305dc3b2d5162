import { usageSchema } from "./usage.ts";
import { z } from "./zod.ts";

/** Why a PF acted, in words a person reads in the replay. */
const reason = z.string().max(2_000);

/** What `intervene` answers (SPEC §1). */
export const interventionSchema = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("MODIFY_ACTION"),
    newActionType: z.string().min(1).optional(),
    newActionArg: z.string().max(20_000).optional(),
    reason,
  }),
  z.object({ type: z.literal("INJECT_CONTEXT"), contextText: z.string().min(1).max(20_000), reason }),
  z.object({ type: z.literal("NOOP"), reason }),
]);
export type Intervention = z.infer<typeof interventionSchema>;

/** A question that was put to the teacher, by a PF or by the harness, and the answer it got. */
export const teacherCallSchema = z.object({
  /** Which of the teacher's sites asked (harness/teacher.ts); absent in episodes of older versions. */
  site: z.string().optional(),
  prompt: z.string(),
  /** As asked; the run's `teacher_max_tokens` may have allowed fewer. Older versions recorded the smaller of the two. */
  maxTokens: z.number().int().positive(),
  temperature: z.number().nonnegative(),
  reply: z.string().optional(),
  error: z.string().optional(),
  /** Tokens, dollars and milliseconds; absent where no call was made or nothing was counted. */
  usage: usageSchema.optional(),
});
export type TeacherCall = z.infer<typeof teacherCallSchema>;

/**
 * What became of one PF on one proposal (DESIGN.md, Γ). `applied`, `overridden` and `noop` are the three ends of a PF
 * that fired; `limited` would have fired but for a limit; `error` left the episode untouched.
 */
export const pfStatusSchema = z.enum(["skipped", "limited", "applied", "overridden", "noop", "error"]);
export type PfStatus = z.infer<typeof pfStatusSchema>;

/**
 * When a PF was asked, where it was not about the proposal as the policy made it: `repaired`, about the action that another PF had
 * read from text that was no action; `post`, about the action that had run, with its observation.
 */
export const passSchema = z.enum(["repaired", "post"]);
export type Pass = z.infer<typeof passSchema>;

export const pfEventSchema = z.object({
  skillId: z.string(),
  /** Which proposal of the step was judged: 0, or 1 after a held-back FINAL. */
  proposal: z.number().int().nonnegative(),
  pass: passSchema.optional(),
  status: pfStatusSchema,
  reason: z.string(),
  intervention: interventionSchema.optional(),
  /** `overridden`: the skill whose MODIFY_ACTION won the step. */
  by: z.string().optional(),
  /** `error`: 1-based line in the PF's source, where the sandbox could tell. */
  line: z.number().int().positive().optional(),
  teacherCalls: z.array(teacherCallSchema).optional(),
});
export type PfEvent = z.infer<typeof pfEventSchema>;
