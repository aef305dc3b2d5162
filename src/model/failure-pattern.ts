/**
 * What can be seen of a failure without the gold answer. Where SPEC §7 B has a name for it, it is that one; `never_finished`,
 * `empty_searches`, `repeated_action` and `invalid_action` are ours.
 */
export const FAILURE_PATTERNS = {
  never_finished: "never finished",
  premature_final: "answered early",
  no_read_before_final: "answered without reading",
  format_mismatch: "answer in another form",
  repeated_search: "repeated search",
  repeated_action: "repeated action",
  empty_searches: "searches found nothing",
  excessive_steps_no_progress: "steps without progress",
  invalid_action: "invalid action",
} as const;

export type FailurePattern = keyof typeof FAILURE_PATTERNS;

/** A pattern that an episode shows, and where. */
export interface FoundPattern {
  readonly name: FailurePattern;
  /** 0-based steps at which it shows, in order; none where it is about the whole episode. */
  readonly steps: readonly number[];
  /** For people. */
  readonly reason: string;
}
