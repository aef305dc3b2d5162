import type { ChatModel } from "../llm/chat-model.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { Review } from "../model/review.ts";
import { reviewSkill, type ReviewResult } from "../review/review.ts";
import { readReviews } from "../review/review-store.ts";
import type { Clock } from "../trace/ports.ts";
import { measureSkill, type EvidenceEvent, type EvidenceOrder, type SkillEvidence } from "./measure-skill.ts";
import type { Judging } from "./ports.ts";

/** Services of a review. `files` show the skill as it is reviewed; `store` keeps the review, and answers why it did not. */
export interface ReviewServices extends Judging {
  readonly teacher: ChatModel;
  readonly store: (review: Review) => Promise<readonly Diagnostic[]>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly on: (event: ReviewEvent) => void;
}

/** The stages of a review: what was measured before the teacher is asked, and the words of the teacher as they come. After a restart and a retry the words begin again. */
export type ReviewEvent =
  | EvidenceEvent
  | { readonly kind: "measured"; readonly measured: SkillEvidence }
  | { readonly kind: "asking" }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "restarted" }
  | { readonly kind: "retried"; readonly problems: readonly Diagnostic[] };

/**
 * Has a teacher review a skill by what was measured of it, and stores the review. Without a value the findings say why: with `unusable` the
 * teacher's reply was no review, else the teacher was not asked. A skill whose reviews cannot be read is not reviewed: the new one
 * could not be stored. Rejects with ModelError, and with the signal's reason.
 */
export async function reviewOneSkill(order: EvidenceOrder, services: ReviewServices): Promise<ReviewResult> {
  const { files, teacher, store, clock, signal, on } = services;
  const before = await readReviews(files, order.folder);
  if (before.value === undefined) return { value: undefined, diagnostics: before.diagnostics, refused: [] };
  const { value: measured, diagnostics } = await measureSkill(order, services);
  const found = [...before.diagnostics, ...diagnostics];
  if (measured === undefined) return { value: undefined, diagnostics: found, refused: [] };
  on({ kind: "measured", measured });
  on({ kind: "asking" });
  const result = await reviewSkill(measured.subject, measured.evidence, teacher, {
    clock,
    signal,
    // A person who asks again wants another opinion, not the one before from the cache.
    sample: Date.parse(clock.now()),
    onText: (text) => on({ kind: "text", text }),
    onRestart: () => on({ kind: "restarted" }),
    onRetry: (problems) => on({ kind: "retried", problems }),
  });
  signal.throwIfAborted();
  const unwritten = result.value === undefined ? [] : await store(result.value);
  return { ...result, diagnostics: [...found, ...result.diagnostics, ...unwritten] };
}
