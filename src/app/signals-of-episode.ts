import { shownSignals } from "../analysis/signals/shown-signals.ts";
import type { Episode } from "../model/episode.ts";
import { DEFAULT_WEIGHTS, type ShownSignals } from "../model/signals.ts";
import type { TraceFiles } from "../trace/ports.ts";
import { semanticScores } from "./semantic-scores.ts";

/**
 * The signals of an episode of the run in `folder`, with the weights of the paper and the scores that a teacher gave. Rejects on I/O
 * errors.
 */
export async function signalsOfEpisode(
  files: TraceFiles,
  folder: string,
  episode: Episode,
): Promise<ShownSignals> {
  const scores = await semanticScores(files, folder);
  return shownSignals(episode, DEFAULT_WEIGHTS, scores.of(episode.id));
}
