import { detectorsOf } from "../domains/detectors/detectors.ts";
import { shown, times, viewOf, type Detector } from "../domains/detectors/episode-view.ts";
import type { Domain } from "../domains/domain.ts";
import { domainOf, domainOfRecord } from "../domains/registry.ts";
import { canRead } from "../model/domain-spec.ts";
import { READ, SEARCH } from "../model/action-types.ts";
import type { Episode } from "../model/episode.ts";
import type { FailureDetector } from "../model/failure.ts";
import { isStanding } from "../model/outcomes.ts";
import { FAILURE_PATTERNS, type FailurePattern, type FoundPattern } from "../model/failure-pattern.ts";

/**
 * Signs of failure that need no gold answer, for filtering a list of episodes. They are cheap and may be wrong: right episodes show
 * some too. Five of them are detectors of the analysis of failures, too (SPEC §7 B): those run as the episode's domain has them.
 */

/** One search that finds nothing is part of searching; two are a sign (on the Reflexion episodes 30% of wrong, 6% of right ones). */
const EMPTY_SEARCHES = 2;

/** Patterns that are detectors of failures, too. */
type Shared = Extract<FailurePattern, FailureDetector>;

interface Sign {
  /** Says nothing where the pattern is absent. */
  readonly detect: Detector;
  /** The domains whose episodes can show it. Absent: all. */
  readonly isIn?: (domain: Domain) => boolean;
}

const SIGNS: Readonly<Record<Exclude<FailurePattern, Shared>, Sign>> = {
  never_finished: {
    detect: ({ final, episode }) =>
      final === undefined && episode.answer === undefined
        ? { steps: lastStep(episode), reason: `no answer came; it ended with ${episode.stopReason}` }
        : undefined,
  },
  repeated_action: {
    isIn: ({ actionTypes, furtherTypes, finalAction }) =>
      furtherTypes !== undefined || actionTypes.some((type) => ![SEARCH, finalAction].includes(type)),
    detect({ steps, finalAction }) {
      const others = steps.filter(
        ({ step }) => ![SEARCH, finalAction, "invalid"].includes(step.executed.type),
      );
      const again = others.filter(({ repeats }) => repeats);
      return shown(again, (n) => `${times(n)} did what had been done, and got what had been got`);
    },
  },
  empty_searches: {
    isIn: canRead,
    detect({ steps }) {
      const empty = steps.filter(
        ({ step, brought }) => [SEARCH, READ].includes(step.executed.type) && !brought,
      );
      if (empty.length < EMPTY_SEARCHES) return undefined;
      return shown(empty, (n) => `${n} searches or reads found nothing`);
    },
  },
  invalid_action: {
    detect({ episode }) {
      const bad = episode.steps.flatMap(({ proposals }, t) =>
        proposals.some(({ action }) => action.type === "invalid") ? [{ t }] : [],
      );
      return shown(bad, (n) => `${n} ${n === 1 ? "reply holds" : "replies hold"} no readable action`);
    },
  },
};

/** The detectors of a domain, and the signs that its episodes can show. */
function signsIn(domain: Domain): ReadonlyMap<string, Detector> {
  const own = Object.entries(SIGNS).filter(([, { isIn }]) => isIn?.(domain) ?? true);
  return new Map(
    [...Object.entries(detectorsOf(domain)), ...own].map(([name, { detect }]) => [name, detect]),
  );
}

/** The patterns that episodes of a domain can show, in the order of `FAILURE_PATTERNS`; undefined for a domain that nobody here knows. */
export function patternsIn(name: string | undefined): readonly FailurePattern[] | undefined {
  const domain = name === undefined ? undefined : domainOf(name);
  if (domain === undefined) return undefined;
  const possible = signsIn(domain);
  return (Object.keys(FAILURE_PATTERNS) as FailurePattern[]).filter((pattern) => possible.has(pattern));
}

/** The episode without what tells whether it came out right: a detector of a domain may look at verdicts. */
function blind({ gold: _gold, verdicts: _verdicts, ...episode }: Episode): Episode {
  const steps = episode.steps.map((step) => ({
    ...step,
    proposals: step.proposals.map(({ verdicts: _, ...proposal }) => proposal),
  }));
  return { ...episode, outcome: "unjudged", steps };
}

/**
 * The patterns that an episode shows, in the order of `FAILURE_PATTERNS`. Looks at no gold answer and no outcome. An abandoned branch shows
 * none: that it never finished is no sign of anything.
 */
export function findPatterns(episode: Episode): FoundPattern[] {
  if (!isStanding(episode)) return [];
  const domain = domainOfRecord(episode.facts);
  const view = viewOf(blind(episode), domain);
  const detectors = signsIn(domain);
  return (Object.keys(FAILURE_PATTERNS) as FailurePattern[]).flatMap((name) => {
    const pattern = detectors.get(name)?.(view);
    return pattern === undefined ? [] : [{ name, ...pattern }];
  });
}

function lastStep({ steps }: Episode): number[] {
  return steps.length === 0 ? [] : [steps.length - 1];
}
