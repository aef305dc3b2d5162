import { FAILURE_PATTERNS } from "../../src/model/failure-pattern.ts";
import { hasOutcome } from "./filter.ts";
import { notesOf, WENT_WRONG } from "./note-words.ts";
import { valueOf, type ReplayState } from "./state.ts";

/** The step of an episode to look at first, and the reason for it. */
export interface BadStep {
  /** 0-based. */
  readonly t: number;
  readonly reason: string;
}

type Known = Pick<ReplayState, "run" | "notes" | "facets">;

/**
 * The step that a person marked, else the earliest step of a failure pattern, else the last step of a failed episode. Undefined where
 * nothing in the episode at this position points to a failure.
 */
export function firstBadStep({ run, notes, facets }: Known, index: number | undefined): BadStep | undefined {
  const head = index === undefined ? undefined : valueOf(run)?.episodes[index];
  if (index === undefined || head === undefined || head.length === 0) return undefined;
  const marked = notesOf(valueOf(notes)?.notes ?? [], head).flatMap(({ kind, t }) =>
    kind === WENT_WRONG && t !== undefined && t < head.length
      ? [{ t, reason: "marked “went wrong here”" }]
      : [],
  );
  const shown = (facets.found.get(index)?.patterns ?? []).flatMap(({ name, steps: [t] }) =>
    t === undefined ? [] : [{ t, reason: FAILURE_PATTERNS[name] }],
  );
  const failed = hasOutcome(head.outcome, "failed")
    ? [{ t: head.length - 1, reason: `the last step of an episode that is ${head.outcome}` }]
    : [];
  const [first] =
    [marked, shown, failed].find((signs) => signs.length > 0)?.toSorted((a, b) => a.t - b.t) ?? [];
  return first;
}
