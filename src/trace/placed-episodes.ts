import type { Diagnostic } from "../model/diagnostic.ts";
import type { Episode } from "../model/episode.ts";
import { readEpisodes } from "./episode-file.ts";
import type { EpisodeIndex } from "./episode-index.ts";
import type { TraceFiles } from "./ports.ts";

/** An episode with its place, so that a result can lead back to it. */
export interface PlacedEpisode {
  readonly run: string;
  /** Position in `episodes.jsonl`. */
  readonly index: number;
  readonly episode: Episode;
}

/** A run to read, under the name that leads back to it. */
export interface NamedRun {
  readonly run: string;
  readonly index: EpisodeIndex;
}

/** The episodes of these runs one at a time, in file order; what is wrong with lines is told to `onUnreadable`. */
export async function* placedEpisodes(
  files: TraceFiles,
  runs: readonly NamedRun[],
  onUnreadable: (diagnostics: readonly Diagnostic[]) => void,
): AsyncGenerator<PlacedEpisode> {
  for (const { run, index } of runs) {
    let position = 0;
    for await (const { value, diagnostics } of readEpisodes(files, index)) {
      if (diagnostics.length > 0) onUnreadable(diagnostics);
      if (value !== undefined) yield { run, index: position, episode: value };
      position += 1;
    }
  }
}
