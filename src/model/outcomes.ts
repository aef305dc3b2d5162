import { counted } from "./counted.ts";
import type { Outcome, StandingOutcome } from "./episode.ts";
import type { Revisions } from "./revisions.ts";

/** Every outcome, in the order in which people read them: the episodes that a skill is to change come first. */
export const OUTCOMES: readonly StandingOutcome[] = ["wrong", "halted", "correct", "unjudged"];

/** For each outcome what `make` gives. */
export const perOutcome = <T>(make: () => T): Record<StandingOutcome, T> => ({
  correct: make(),
  wrong: make(),
  halted: make(),
  unjudged: make(),
});

/** Counts of the episodes of a run, all 0. */
export const noOutcomes = (): Record<Outcome, number> => ({ ...perOutcome(() => 0), abandoned: 0 });

/** Whether an episode stands: nobody judges an abandoned branch, and no figure counts it. */
export function isStanding<E extends { readonly outcome: Outcome }>(
  episode: E,
): episode is E & { readonly outcome: StandingOutcome } {
  return episode.outcome !== "abandoned";
}

/** Whether an episode with this outcome was right; undefined where nothing judged it. A missing answer is wrong (SPEC §7). */
export function wasRight(outcome: Outcome): boolean | undefined {
  return outcome === "unjudged" || outcome === "abandoned" ? undefined : outcome === "correct";
}

/** `33%` of a whole; undefined where there is no whole. */
export function percent(part: number, whole: number): string | undefined {
  return whole === 0 ? undefined : `${Math.round((100 * part) / whole)}%`;
}

/** In how many episodes of each outcome a skill was asked, and in how many it fired. */
export interface FiredCounts {
  readonly counts: Readonly<Record<StandingOutcome, { readonly retrieved: number; readonly fired: number }>>;
  /** Absent where it held back no answer in the records. */
  readonly revisions?: Revisions | undefined;
}

/** `3 of 20 wrong`, `1 of 14 correct`: episodes in which a skill fires, of those in which it is asked. */
export function firedParts({ counts }: FiredCounts): readonly string[] {
  return OUTCOMES.filter((outcome) => counts[outcome].retrieved > 0).map(
    (outcome) => `${counts[outcome].fired} of ${counts[outcome].retrieved} ${outcome}`,
  );
}

/** Exact match 0: halted included (SPEC §7, readings). */
export const hasFailed = (outcome: Outcome): boolean => outcome === "wrong" || outcome === "halted";

/** Tells a person that a judge failed on answers. */
export function judgeFailedWords({
  episodes,
  message,
}: {
  readonly episodes: number;
  /** Of the first failure. */
  readonly message: string;
}): string {
  return `the judge failed on ${counted(episodes, "episode")}: ${message}`;
}
