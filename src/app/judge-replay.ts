import { findPatterns, patternsIn } from "../analysis/failure-patterns.ts";
import { judgeRecorded, type RecordedJudgement } from "../analysis/judge.ts";
import { openLibrary } from "../analysis/library.ts";
import type { Episode, Run } from "../model/episode.ts";
import type { FailurePattern } from "../model/failure-pattern.ts";
import { pfFacets } from "../model/pf-facet.ts";
import type { EpisodeFacets, JudgedStep, StepMarks } from "../protocol/replay.ts";
import type { SkillFolder } from "../skill/read-skill.ts";
import type { Judging } from "./ports.ts";
import { judgedStep, marksOf, rememberInstrumented } from "./step-reasons.ts";

export type { RecordedJudgement } from "../analysis/judge.ts";
export { compareJudgements } from "../analysis/what-if.ts";

/** Today's library, as it judges recorded episodes; made anew when the library changes. */
export interface ReplayJudge {
  /** The same for the same SKILL.md and pf.ts of all skills. */
  readonly fingerprint: string;
  /** Every step of the episode. */
  judged(episode: Episode): Promise<readonly RecordedJudgement[]>;
  marks(episode: Episode): Promise<readonly StepMarks[]>;
  /** The decision of each Program Function with its reason. RangeError if the episode has no step `t`. */
  step(episode: Episode, t: number): Promise<JudgedStep>;
}

/** Loads the skills into `host`, replacing what it held; the caller closes it. */
export async function openReplayJudge(
  skills: readonly SkillFolder[],
  host: ReturnType<Judging["startHost"]>,
  compiler: Judging["compiler"],
): Promise<ReplayJudge> {
  const library = await openLibrary(skills, host);
  const bench = { library, host, compiler: rememberInstrumented(compiler) };
  let latest: { episode: Episode; judged: Promise<readonly RecordedJudgement[]> } | undefined;

  /** A person looks at one episode at a time: its judgement is kept while its steps are asked for. */
  function judged(episode: Episode): Promise<readonly RecordedJudgement[]> {
    if (latest?.episode !== episode) latest = { episode, judged: judgeRecorded(episode, library, host) };
    return latest.judged;
  }

  return {
    fingerprint: JSON.stringify(skills.map(({ folder, skill, pfSource }) => [folder, skill, pfSource])),
    judged,
    marks: async (episode) => (await judged(episode)).map(marksOf),
    step: async (episode, t) => judgedStep(episode, await judged(episode), t, bench),
  };
}

/** Failure patterns that episodes of a run can show; undefined where nothing tells its domain. */
export function patternsOfRun(run: Run | undefined): readonly FailurePattern[] | undefined {
  return patternsIn(run?.domain);
}

/** What an episode can be found by: patterns, recorded decisions and, where it is judged, today's. */
export function facetsOf(episode: Episode, today: readonly RecordedJudgement[] | undefined): EpisodeFacets {
  const facets = {
    patterns: findPatterns(episode),
    recorded: pfFacets(episode.steps),
    sample: episode.sample,
  };
  if (today === undefined) return facets;
  // Past the first change the record is another path (DESIGN.md), which the backtest counts apart as well.
  const onPath = today.filter(({ diverged }) => !diverged);
  const all = onPath.map(({ t, events, notAsked }) => ({ t, events: [...events, ...notAsked] }));
  return { ...facets, today: pfFacets(all) };
}
