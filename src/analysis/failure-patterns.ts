import { READ, SEARCH } from "../model/action-types.ts";
import type { Episode } from "../model/episode.ts";
import type { FailurePattern, FoundPattern } from "../model/failure-pattern.ts";
import { shown, times, viewOf, type Detector } from "./failures/episode-view.ts";
import { STEP_DETECTORS } from "./failures/step-detectors.ts";

/**
 * Signs of failure that need no gold answer, for filtering a list of episodes. They are cheap and may be wrong: right episodes show
 * some too. Five of them are detectors of the analysis of failures, too (SPEC §7 B, `failures/detect-failures.ts`).
 */

/** One search that finds nothing is part of searching; two are a sign (on the Reflexion episodes 30% of wrong, 6% of right ones). */
const EMPTY_SEARCHES = 2;

/** Each detector says nothing where its pattern is absent, or makes no sense in the episode's domain. */
const DETECTORS: Readonly<Record<FailurePattern, Detector>> = {
  never_finished: ({ final, episode }) =>
    final === undefined && episode.answer === undefined
      ? { steps: lastStep(episode), reason: `no answer came; it ended with ${episode.stopReason}` }
      : undefined,
  premature_final: STEP_DETECTORS.premature_final,
  no_read_before_final: STEP_DETECTORS.no_read_before_final,
  format_mismatch: STEP_DETECTORS.format_mismatch,
  repeated_search: STEP_DETECTORS.repeated_search,
  repeated_action: ({ steps, finalAction }) => {
    const others = steps.filter(({ step }) => ![SEARCH, finalAction, "invalid"].includes(step.executed.type));
    const again = others.filter(({ repeats }) => repeats);
    return shown(again, (n) => `${times(n)} did what had been done, and got what had been got`);
  },
  empty_searches: ({ steps }) => {
    const empty = steps.filter(
      ({ step, brought }) => [SEARCH, READ].includes(step.executed.type) && !brought,
    );
    if (empty.length < EMPTY_SEARCHES) return undefined;
    return shown(empty, (n) => `${n} searches or reads found nothing`);
  },
  excessive_steps_no_progress: STEP_DETECTORS.excessive_steps_no_progress,
  invalid_action: ({ episode }) => {
    const bad = episode.steps.flatMap(({ proposals }, t) =>
      proposals.some(({ action }) => action.type === "invalid") ? [{ t }] : [],
    );
    return shown(bad, (n) => `${n} ${n === 1 ? "reply holds" : "replies hold"} no readable action`);
  },
};

/** The patterns that an episode shows, in the order of `FAILURE_PATTERNS`. Looks at no gold answer and no outcome. */
export function findPatterns(episode: Episode): FoundPattern[] {
  const view = viewOf(episode);
  return Object.entries(DETECTORS).flatMap(([name, detect]) => {
    const pattern = detect(view);
    return pattern === undefined ? [] : [{ name: name as FailurePattern, ...pattern }];
  });
}

function lastStep({ steps }: Episode): number[] {
  return steps.length === 0 ? [] : [steps.length - 1];
}
