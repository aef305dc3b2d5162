import type { Episode } from "../model/episode.ts";
import { redactTexts } from "../llm/redact.ts";
import { prefixOf } from "./branch-prefix.ts";
import type { EpisodeEnd } from "./ending.ts";
import { recordEpisode } from "./recorded-episode.ts";
import { factsOf, type RunTask } from "./run-questions.ts";
import { samplingOf } from "./seed.ts";

/** Where a branch leaves a recorded episode; stands as `extra.branchedFrom` in the new one. */
export interface BranchPoint {
  /** The run folder, as a person named it. */
  readonly run: string;
  /** Id of the recorded episode. */
  readonly episode: string;
  /** 0-based: the first step that is taken anew. */
  readonly t: number;
}

/** What a branch runs with. */
export interface BranchTask extends Omit<RunTask, "samples" | "concurrency" | "onEpisode"> {
  readonly from: BranchPoint;
  readonly episode: Episode;
  /** Of its question, for the judge. */
  readonly material?: string | undefined;
}

/** Steps that an episode may have from `t` on: those of the settings, or of the record where it was given more. */
export function stepsOfBranch(maxSteps: number, { facts }: Pick<Episode, "facts">): number {
  return Math.max(maxSteps, facts.maxSteps);
}

/** The branch of a step has a name of its own, so that runs of several can be merged. */
export function branchId({ id }: Pick<Episode, "id">, t: number): string {
  return `${id}-branch-${t + 1}`;
}

/**
 * Goes on from step `t` of a recorded episode: the steps before it are taken over as they were recorded, the rest is run with the
 * policy, the library and the environment of the task. Ends in one new episode in the folder, also where a person stops it: what
 * was done until then is kept, as halted. RangeError where the episode has no step `t`.
 */
export async function runBranch(branch: BranchTask): Promise<Episode> {
  const { domain, settings, libraryRefs, from, signal, redact } = branch;
  // A record of another program may hold what a run of ours would have hidden.
  const episode = redactTexts(branch.episode, redact);
  const prefix = prefixOf(episode, from.t);
  const environment = branch.openEnvironment();
  const control = { ...branch.control, maxSteps: stepsOfBranch(branch.control.maxSteps, episode) };
  const facts = factsOf(domain, environment, control.maxSteps);
  const { questionId, sample, question, gold } = episode;
  const sampling = samplingOf(branch.sampling, questionId, sample);
  const accepted = gold !== undefined && { gold: [...gold] };
  const started = {
    id: branchId(episode, from.t),
    questionId,
    sample,
    question,
    source: "hasp",
    facts,
    settings: { ...settings, control, sampling },
    library: [...libraryRefs],
    ...accepted,
  };
  const { material } = branch;
  const asked = { id: questionId, question, ...accepted, ...(material !== undefined && { material }) };
  const task = { ...branch, question: asked, sample, sampling, environment, facts, control, prefix };
  const endAs = (end: EpisodeEnd) => ({ ...end, extra: { ...end.extra, branchedFrom: { ...from } } });
  const recorded = await recordEpisode(branch, { started, task, endAs, signal });
  if (recorded === undefined) throw new Error("A branch was not kept");
  return recorded;
}
