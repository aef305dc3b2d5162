import type { PartialEpisode } from "../../model/live-episode.ts";
import type { LiveUpdate } from "../../protocol/replay.ts";

/** The first step with a verdict; the verdicts come with the end of an episode. */
function firstJudged({ steps }: PartialEpisode["episode"]): number {
  const at = steps.findIndex(({ proposals }) => proposals.some(({ verdicts }) => verdicts !== undefined));
  return at === -1 ? steps.length : at;
}

/**
 * The steps that a view lacks which has the episode as `sent`: new ones, the last it has where that one was still in progress, and those
 * whose answers are judged by now.
 */
export function liveUpdate(sent: PartialEpisode | undefined, { episode, phase }: PartialEpisode): LiveUpdate {
  const { steps, ...about } = episode;
  const had = sent === undefined || sent.episode.steps.length > steps.length ? 0 : sent.episode.steps.length;
  const unfinished = had > 0 && sent?.phase !== undefined ? had - 1 : had;
  const from = Math.min(unfinished, firstJudged(episode));
  return { id: episode.id, about, from, steps: steps.slice(from), phase };
}
