import type { EvolvedCandidate, Gate } from "../model/evolution.ts";
import type { CandidateScores, EvolvedSkill, HistoryEntry, HistoryKind } from "../model/library-history.ts";

/** A candidate of an evolution, by its place there. */
export interface CandidatePlace {
  readonly evolution: string;
  readonly epoch: number;
  readonly candidate: string;
}

/** A decided candidate, and the evolution that decided. */
export interface AdmissionOrder {
  /** Names the evolution in histories and in `metadata.json`. */
  readonly evolution: string;
  readonly gate: Gate;
  readonly worthOn: boolean;
  /** With its decision. */
  readonly candidate: EvolvedCandidate;
}

function scoresOf({ checks, review, worth, deltaEm, reward }: EvolvedCandidate): CandidateScores {
  return {
    exec: checks.score,
    compiles: checks.compiles,
    ...(checks.refusals.length > 0 && { refusals: checks.refusals }),
    ...(review !== undefined && { review: review.scores, qSkill: review.qSkill }),
    ...(review?.said !== undefined && { said: review.said }),
    ...(worth !== undefined && { worth }),
    ...(deltaEm !== undefined && { deltaEm }),
    ...(reward !== undefined && { reward }),
  };
}

/** The field `evolved` of the admitted skill's `metadata.json`. */
export function evolvedSkill({ evolution, gate, worthOn, candidate }: AdmissionOrder): EvolvedSkill {
  const { epoch, id, newCategory, decision } = candidate;
  return {
    evolution,
    epoch,
    candidate: id,
    gate,
    worthOn,
    newCategory,
    decision,
    scores: scoresOf(candidate),
  };
}

/** The place of an event in an evolution: two events with the same one are the same event. */
export function eventKey(
  { evolution, epoch, candidate }: { evolution: string; epoch: number; candidate: string },
  kind: HistoryKind,
  ...more: readonly (string | number)[]
): string {
  return [evolution, `epoch_${epoch}`, candidate, kind, ...more].join("/");
}

/** The entry for a decision on a candidate. */
export function decisionEntry(
  order: AdmissionOrder,
  { kind, when, more = [] }: { kind: HistoryKind; when: string; more?: readonly (string | number)[] },
): HistoryEntry {
  const { evolution, gate, worthOn, candidate } = order;
  const { epoch, id, skillId, version, decision } = candidate;
  return {
    key: eventKey({ evolution, epoch, candidate: id }, kind, ...more),
    when,
    kind,
    by: decision.by,
    reason: decision.reason,
    evolution,
    epoch,
    candidate: id,
    skillId,
    version,
    gate,
    worthOn,
    scores: scoresOf(candidate),
  };
}
