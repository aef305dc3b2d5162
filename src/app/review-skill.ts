import type { ChatModel } from "../llm/chat-model.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { Review } from "../model/review.ts";
import type { Skill } from "../model/skill.ts";
import { gatherEvidence, notedHits, type BacktestEvidence, type ReviewEvidence } from "../review/evidence.ts";
import { reviewSkill, type ReviewResult } from "../review/review.ts";
import { readReviews } from "../review/review-store.ts";
import { readSubject, type ReviewSubject } from "../review/review-subject.ts";
import type { ReadNotes } from "../trace/notes-fold.ts";
import { readNotes } from "../trace/notes.ts";
import type { Clock } from "../trace/ports.ts";
import type { OpenedRunFolder } from "../trace/run-folder.ts";
import { judgeRuns } from "./backtest.ts";
import type { Judging } from "./ports.ts";
import type { Progress } from "./progress.ts";

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
  const recorded = await measureEpisodes(subject, order.runs, services);
  const evidence = await measure(subject, order.library, recorded.evidence, services);
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
  return { ...result, diagnostics: [...found, ...recorded.diagnostics, ...result.diagnostics, ...unwritten] };
}

/** On which recorded steps the skill would have acted, and what people noted there; no evidence where its PF does not load. */
async function measureEpisodes(
  { folder }: ReviewSubject,
  opened: readonly OpenedRunFolder[],
  services: ReviewServices,
) {
  if (opened.length === 0) return { evidence: undefined, diagnostics: [] };
  const { files, signal, on } = services;
  const runs = opened.map((run) => ({ ...run, run: run.folder }));
  const order = { skills: [folder], runs, split: undefined, signal };
  const { report, unreadable } = await judgeRuns(order, undefined, services, on);
  signal.throwIfAborted();
  const notes = new Map<string, ReadNotes>();
  for (const { run } of runs) notes.set(run, await readNotes(files, run));
  const onRuns = runs.flatMap((run) => run.diagnostics);
  const onNotes = [...notes.values()].flatMap((read) => read.diagnostics);
  const diagnostics = [...onRuns, ...onNotes, ...unreadable];
  const [skill] = report?.skills ?? [];
  if (report === undefined || skill === undefined) return { evidence: undefined, diagnostics };
  const noted = notedHits(skill, (run) => notes.get(run)?.notes ?? []);
  return { evidence: { skill, episodes: report.episodes, noted }, diagnostics };
}

async function measure(
  subject: ReviewSubject,
  library: ReviewOrder["library"],
  backtest: BacktestEvidence | undefined,
  { compiler, startHost }: ReviewServices,
): Promise<ReviewEvidence> {
  const host = startHost();
  try {
    const evidence = await gatherEvidence(subject, { compiler, host });
    const others = library.filter(({ skillId }) => skillId !== subject.skill.skillId);
    return { ...evidence, ...(backtest && { backtest }), neighbours: others.slice(0, MOST_NEIGHBOURS) };
  } finally {
    await host.close();
  }
}
