import {
  INTERNALISED_RUNS,
  INTERNALISED_SCHEMA,
  type Behaviour,
  type BehaviourShift,
  type CountedShare,
  type Gain,
  type InternalisedReport,
  type InternalisedRun,
  type MeanOfQuestions,
} from "../../model/internalised.ts";
import { addReplies, NO_REPLIES } from "../../model/replies.ts";
import { countedShare } from "../../scoring/exact-interval.ts";
import {
  gainOf,
  meanWithInterval,
  pairsOfRight,
  questionsOfRun,
  type RunQuestion,
  type RunQuestions,
} from "./by-question.ts";
import { keptGain } from "./kept-gain.ts";
import type { ReadEpisode } from "./read-episode.ts";
import { skillPart, type ReportRuns } from "./skill-part.ts";

/** The episodes of the runs, which ask the same questions as often. */
export interface InternalisedInput {
  readonly episodes: Readonly<
    Record<"beforeOn" | "afterOn", readonly ReadEpisode[]> &
      Partial<Record<InternalisedRun, readonly ReadEpisode[]>>
  >;
  readonly titles: InternalisedReport["titles"];
  /** Ids of the library's skills; one that never acted is in the report, too. */
  readonly library: readonly string[];
}

function behaviourOf(run: RunQuestions): Behaviour {
  const mean = (of: (one: RunQuestion) => number): number =>
    [...run.values()].reduce((sum, one) => sum + of(one), 0) / Math.max(1, run.size);
  return {
    searches: mean(({ searches }) => searches),
    reads: mean(({ reads }) => reads),
    answersWithoutSearch: mean(({ answersWithoutSearch }) => answersWithoutSearch),
  };
}

/** Searches and reads say something of the runs. */
function isSearching({ beforeOff, afterOff }: InternalisedInput["episodes"]): boolean {
  return [beforeOff, afterOff].some((run) => run?.some(({ searches }) => searches !== undefined));
}

function behaviourShift({ beforeOff, afterOff }: ReportRuns): BehaviourShift | undefined {
  if (beforeOff === undefined || afterOff === undefined) return undefined;
  const change = (name: keyof Behaviour): MeanOfQuestions | undefined =>
    meanWithInterval([...beforeOff].map(([id, one]) => (afterOff.get(id)?.[name] ?? 0) - one[name]));
  const [searches, reads, answersWithoutSearch] = [
    change("searches"),
    change("reads"),
    change("answersWithoutSearch"),
  ];
  if (searches === undefined || reads === undefined || answersWithoutSearch === undefined) return undefined;
  return {
    before: behaviourOf(beforeOff),
    after: behaviourOf(afterOff),
    change: { searches, reads, answersWithoutSearch },
  };
}

/** Questions that training won with PFs on, and those of them on which a skill was applied before and no longer is. */
function wonSilently({ beforeOn, afterOn }: ReportRuns): CountedShare {
  const won = pairsOfRight(beforeOn, afterOn).filter(({ from, to }) => to > from);
  const hasSilent = (id: string): boolean => {
    const now = afterOn.get(id)?.applied;
    return [...(beforeOn.get(id)?.applied ?? [])].some((skill) => now?.has(skill) === false);
  };
  return countedShare(won.filter(({ id }) => hasSilent(id)).length, won.length);
}

function gainsOf({ beforeOff, beforeOn, afterOff, afterOn }: ReportRuns): InternalisedReport["gains"] {
  const between = (from: RunQuestions | undefined, to: RunQuestions | undefined): Gain | undefined =>
    from === undefined || to === undefined ? undefined : gainOf(pairsOfRight(from, to));
  const gains = {
    before: between(beforeOff, beforeOn),
    after: between(afterOff, afterOn),
    trainingOff: between(beforeOff, afterOff),
    trainingOn: between(beforeOn, afterOn),
  };
  return Object.fromEntries(Object.entries(gains).filter(([, gain]) => gain !== undefined));
}

function skillsOf(runs: ReportRuns, library: readonly string[]): readonly string[] {
  const acted = [runs.beforeOn, runs.afterOn].flatMap((run) =>
    [...run.values()].flatMap(({ triggered }) => [...triggered]),
  );
  return [...new Set([...library, ...acted])];
}

/**
 * How far training has taken the place of each skill (SPEC §9): trigger rates before and after, the questions on which it fell silent, and
 * the part of the Program Functions' gain that stays without them. The order of the episodes has no influence.
 */
export function internalisedReport({ episodes, titles, library }: InternalisedInput): InternalisedReport {
  const { beforeOff, afterOff } = episodes;
  const runs: ReportRuns = {
    beforeOn: questionsOfRun(episodes.beforeOn),
    afterOn: questionsOfRun(episodes.afterOn),
    beforeOff: beforeOff && questionsOfRun(beforeOff),
    afterOff: afterOff && questionsOfRun(afterOff),
  };
  const right = INTERNALISED_RUNS.flatMap((name) => {
    const shares = [...(runs[name]?.values() ?? [])].flatMap((one) => one.right ?? []);
    const mean = meanWithInterval(shares);
    return mean === undefined ? [] : [[name, mean] as const];
  });
  const replies = INTERNALISED_RUNS.flatMap((name) => {
    const counts = episodes[name]?.map((one) => one.replies);
    return counts === undefined ? [] : [[name, counts.reduce(addReplies, NO_REPLIES)] as const];
  });
  const behaviour = isSearching(episodes) ? behaviourShift(runs) : undefined;
  const skills = skillsOf(runs, library).map((id) => skillPart(id, runs));
  return {
    schema: INTERNALISED_SCHEMA,
    questions: runs.beforeOn.size,
    episodes: episodes.beforeOn.length,
    titles,
    right: Object.fromEntries(right),
    replies: Object.fromEntries(replies),
    gains: gainsOf(runs),
    ...(runs.beforeOff !== undefined &&
      runs.afterOff !== undefined && {
        kept: keptGain(
          { beforeOff: runs.beforeOff, beforeOn: runs.beforeOn, afterOff: runs.afterOff },
          runs.beforeOn.keys(),
        ),
      }),
    wonSilently: wonSilently(runs),
    ...(behaviour !== undefined && { behaviour }),
    skills: skills.toSorted((a, b) => b.silent.of - a.silent.of || (a.skillId < b.skillId ? -1 : 1)),
  };
}
