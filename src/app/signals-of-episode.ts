import { shownSignals } from "../analysis/signals/shown-signals.ts";
import type { Episode } from "../model/episode.ts";
import { DEFAULT_WEIGHTS, type ShownSignals } from "../model/signals.ts";
import type { TraceFiles } from "../trace/ports.ts";

/** The signals of an episode of the run in `folder`, with the weights of the paper. Rejects on I/O errors. */
export async function signalsOfEpisode(
  _files: TraceFiles,
  _folder: string,
  episode: Episode,
): Promise<ShownSignals> {
  return shownSignals(episode, DEFAULT_WEIGHTS, undefined);
}
