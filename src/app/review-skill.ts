import type { ChatModel } from "../llm/chat-model.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { Review } from "../model/review.ts";
import type { Skill } from "../model/skill.ts";
import { gatherEvidence, type ReviewEvidence } from "../review/evidence.ts";
import { measureEpisodes } from "../review/measure-episodes.ts";
import { reviewSkill, type ReviewResult } from "../review/review.ts";
import { readReviews } from "../review/review-store.ts";
import { readSubject, type ReviewSubject } from "../review/review-subject.ts";
import type { Clock } from "../trace/ports.ts";
import type { OpenedRunFolder } from "../trace/run-folder.ts";
import type { Judging } from "./ports.ts";
import { progressOf, type Progress } from "./progress.ts";

export interface ReviewOrder {
  /** Folder of the skill. */
  readonly folder: string;
  /** Runs in which the teacher is shown where the skill would have acted. */
  readonly runs: readonly OpenedRunFolder[];
  /** The skills of its library, so that the teacher can tell whether this one is new. */
  readonly library: readonly Pick<Skill, "skillId" | "description">[];
}

/** Services of a review. `files` show the skill as it is reviewed; `store` keeps the review, and answers why it did not. */
export interface ReviewServices extends Judging {
  readonly teacher: ChatModel;
  readonly store: (review: Review) => Promise<readonly Diagnostic[]>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly on: (event: ReviewEvent) => void;
}

/** The stages of a review, and the words of the teacher as they come. After a restart and a retry the words begin again. */
export type ReviewEvent =
  | { readonly kind: "checking" }
  | Progress
  | { readonly kind: "asking" }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "restarted" }
  | { readonly kind: "retried"; readonly problems: readonly Diagnostic[] };

/** Enough to say what is there already; more would crowd out the skill. */
const MOST_NEIGHBOURS = 40;

/**
 * Has a teacher review a skill by what was measured of it, and stores the review. Without a value the findings say why: with `unusable` the
 * teacher's reply was no review, else the teacher was not asked. A skill whose reviews cannot be read is not reviewed: the new one
 * could not be stored. Rejects with ModelError, and with the signal's reason.
 */
export async function reviewOneSkill(order: ReviewOrder, services: ReviewServices): Promise<ReviewResult> {
  const { files, compiler, teacher, store, clock, signal, on } = services;
  on({ kind: "checking" });
  const before = await readReviews(files, order.folder);
  const { subject, diagnostics } = await readSubject(files, compiler, order.folder);
  const found = [...before.diagnostics, ...diagnostics];
  if (before.value === undefined || subject === undefined) return { value: undefined, diagnostics: found };
  const { evidence, unreadable } = await measure(subject, order, services);
  signal.throwIfAborted();
  on({ kind: "asking" });
  const result = await reviewSkill(subject, evidence, teacher, {
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
  return { ...result, diagnostics: [...found, ...unreadable, ...result.diagnostics, ...unwritten] };
}

interface Measured {
  readonly evidence: ReviewEvidence;
  /** Lines of the runs that are no episodes. */
  readonly unreadable: readonly Diagnostic[];
}

async function measure(
  subject: ReviewSubject,
  order: ReviewOrder,
  services: ReviewServices,
): Promise<Measured> {
  const { files, compiler, startHost, signal, on } = services;
  const onProgress = (done: number, total: number): void => on(progressOf(done, total, "episodes"));
  const host = startHost();
  try {
    const measured = await measureEpisodes(subject, order.runs, { files, host, signal, onProgress });
    const evidence = await gatherEvidence(subject, { compiler, host });
    const others = order.library.filter(({ skillId }) => skillId !== subject.skill.skillId);
    const backtest = measured.evidence === undefined ? {} : { backtest: measured.evidence };
    return {
      evidence: { ...evidence, ...backtest, neighbours: others.slice(0, MOST_NEIGHBOURS) },
      unreadable: measured.diagnostics,
    };
  } finally {
    await host.close();
  }
}
