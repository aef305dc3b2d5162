import { qSkillOf, type Review, type Said, type Scores } from "../model/review.ts";

/** Below this score for exec a review rejects, whatever else it says (SPEC §7 E). */
export const LOWEST_EXEC = 0.3;
/** Q_skill from which a review without a DECISION accepts, and from which it asks for a revision. */
export const ACCEPT_FROM = 0.6;
export const REVISE_FROM = 0.42;
/** Q_skill that the strict gate asks of a refinement, and of a category that the library does not have (SPEC §10.2). */
export const ADMIT_KNOWN_FROM = 0.6;
export const ADMIT_NEW_FROM = 0.75;

export type Ruling = Pick<Review, "decision" | "basis">;

const SAID: Readonly<Record<Said, Ruling["decision"]>> = {
  ACCEPT: "accept",
  REVISE: "revise",
  REJECT: "reject",
};

/** What becomes of a skill with this review: exec first, then the teacher's own word, then Q_skill (SPEC §7 E). */
export function decide(review: { readonly scores: Scores; readonly said?: Said | undefined }): Ruling {
  const { scores, said } = review;
  if (scores.exec < LOWEST_EXEC) return { decision: "reject", basis: "exec" };
  if (said !== undefined) return { decision: SAID[said], basis: "said" };
  const q = qSkillOf(scores);
  const decision = q >= ACCEPT_FROM ? "accept" : q >= REVISE_FROM ? "revise" : "reject";
  return { decision, basis: "q_skill" };
}

/**
 * The strict gate of the library (SPEC §10.2): exec is not below its floor, the teacher did not say REJECT, and Q_skill is
 * high enough. A REVISE does not keep a skill out by itself: it gives its author one more try before this gate is asked.
 */
export function admits(
  review: { readonly scores: Scores; readonly said?: Said | undefined },
  { newCategory }: { readonly newCategory: boolean },
): boolean {
  const { scores, said } = review;
  const enough = newCategory ? ADMIT_NEW_FROM : ADMIT_KNOWN_FROM;
  return scores.exec >= LOWEST_EXEC && said !== "REJECT" && qSkillOf(scores) >= enough;
}
