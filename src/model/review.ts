import { evidenceSectionSchema } from "./evidence.ts";
import { refusedReplySchema } from "./refused-reply.ts";
import { usageSchema } from "./usage.ts";
import { z } from "./zod.ts";

/** What a teacher scores, in the order in which it is shown (SPEC §7 E). */
export const DIMENSIONS = ["concept", "trigger", "intervene", "exec", "val"] as const;
export type Dimension = (typeof DIMENSIONS)[number];

/** How much each dimension counts in Q_skill (SPEC §7 E). They sum to 1. */
export const DIMENSION_WEIGHTS: Readonly<Record<Dimension, number>> = {
  concept: 0.25,
  trigger: 0.2,
  intervene: 0.2,
  exec: 0.2,
  val: 0.15,
};

const unit = z.number().min(0).max(1);

export const scoresSchema = z.object({
  concept: unit,
  trigger: unit,
  intervene: unit,
  exec: unit,
  val: unit,
});
/** Each in [0, 1]. */
export type Scores = z.infer<typeof scoresSchema>;

/** Sums of fractions are not exact, and 0.6 in every dimension must be 0.6. */
const DIGITS = 1e9;

/** Q_skill in [0, 1]: the weighted mean of the five scores. */
export function qSkillOf(scores: Scores): number {
  const sum = DIMENSIONS.reduce((total, name) => total + DIMENSION_WEIGHTS[name] * scores[name], 0);
  return Math.round(sum * DIGITS) / DIGITS;
}

/** The files of a skill that a review speaks of. Nothing else in its folder was looked at. */
export const REVIEWED_FILES = ["SKILL.md", "pf.ts", "cases.yaml"] as const;
export type ReviewedFile = (typeof REVIEWED_FILES)[number];

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/** A skill's content: SHA-256 of each file that is there, and of all of them together. */
export const fingerprintSchema = z.object({
  hash: sha256,
  files: z.object({
    "SKILL.md": sha256.optional(),
    "pf.ts": sha256.optional(),
    "cases.yaml": sha256.optional(),
  }),
});
export type Fingerprint = z.infer<typeof fingerprintSchema>;

/** The word on the teacher's DECISION line. */
export const saidSchema = z.enum(["ACCEPT", "REVISE", "REJECT"]);
export type Said = z.infer<typeof saidSchema>;

const comments = Object.fromEntries(DIMENSIONS.map((name) => [name, z.string().optional()])) as Record<
  Dimension,
  z.ZodOptional<z.ZodString>
>;

/** Lines of a file that a teacher would replace. The file is the one that `reviewed` has the hash of. */
export const reviewEditSchema = z
  .object({
    file: z.enum(REVIEWED_FILES),
    /** 1-based, both inclusive. */
    first: z.number().int().positive(),
    last: z.number().int().positive(),
    /** The lines as they were reviewed, and those that take their place; joined by \n, without an end. */
    original: z.string(),
    /** Empty, the lines go. */
    replacement: z.string(),
    why: z.string(),
  })
  .refine(({ first, last }) => first <= last, "last lies before first");
export type ReviewEdit = z.infer<typeof reviewEditSchema>;

export const REVIEW_SCHEMA = "hasp.review/1";

/** A teacher's review of one version of a skill. */
export const reviewSchema = z
  .object({
    schema: z.literal(REVIEW_SCHEMA),
    /** ISO 8601, when the review was complete. */
    when: z.string(),
    skillId: z.string(),
    version: z.number(),
    reviewed: fingerprintSchema,
    /** Who was asked; `model` is what the endpoint says it answered with. */
    teacher: z.object({ id: z.string(), model: z.string() }),
    /** Version of the prompt, e.g. `review-2`. */
    prompt: z.string(),
    scores: scoresSchema,
    qSkill: unit,
    /** Absent where the teacher gave no DECISION. */
    said: saidSchema.optional(),
    decision: z.enum(["accept", "revise", "reject"]),
    /** What the decision rests on (SPEC §7 E): the score for exec, the teacher's own word, or Q_skill. */
    basis: z.enum(["exec", "said", "q_skill"]),
    comments: z.object(comments),
    suggestions: z.array(z.string()),
    /** Suggestions that can be applied; absent before prompt `review-2`. */
    edits: z.array(reviewEditSchema).optional(),
    /** Our own four checks (SPEC §7 D), another number than the teacher's `exec`. Absent without a PF. */
    executable: z
      .object({
        score: unit,
        checks: z.array(z.object({ name: z.string(), outcome: z.enum(["passed", "failed", "not run"]) })),
      })
      .optional(),
    /** All that was measured before the teacher was asked, as it was shown; absent before prompt `review-2`. */
    evidence: z.array(evidenceSectionSchema).optional(),
    cases: z.object({ held: z.number().int(), total: z.number().int() }),
    /** Of all tries together. */
    usage: usageSchema,
    /** 2 where the first reply could not be read, or only looked like a review. */
    tries: z.number().int().positive(),
    /** That first reply. */
    refused: refusedReplySchema.optional(),
  })
  .refine((review) => review.qSkill === qSkillOf(review.scores), "qSkill is not what the scores give");
export type Review = z.infer<typeof reviewSchema>;
