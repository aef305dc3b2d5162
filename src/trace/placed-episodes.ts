import { type Diagnostic, START_OF_FILE } from "../model/diagnostic.ts";
import type { Episode, StandingOutcome } from "../model/episode.ts";
import { isStanding } from "../model/outcomes.ts";
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

/** An episode that no person took back. */
export interface StandingEpisode extends PlacedEpisode {
  readonly episode: Episode & { readonly outcome: StandingOutcome };
}

/** A run to read, under the name that leads back to it. */
export interface NamedRun {
  readonly run: string;
  readonly index: EpisodeIndex;
}

/** As `placedEpisodes` without abandoned branches, whose number is told to `onFound` as well (HASP518). */
export async function* standingEpisodes(
  files: TraceFiles,
  runs: readonly NamedRun[],
  onFound: (diagnostics: readonly Diagnostic[]) => void,
): AsyncGenerator<StandingEpisode> {
  for (const { run, index } of runs) {
    const abandoned = index.entries.filter(({ head }) => !isStanding(head)).length;
    if (abandoned > 0) onFound([abandonedLeftOut(run, abandoned)]);
  }
  for await (const { episode, ...place } of placedEpisodes(files, runs, onFound))
    if (isStanding(episode)) yield { ...place, episode };
}

function abandonedLeftOut(run: string, count: number): Diagnostic {
  return {
    code: "HASP518",
    severity: "information",
    message: `${count} abandoned ${count === 1 ? "branch" : "branches"} of ${run} ${count === 1 ? "is" : "are"} left out: a person took these steps back.`,
    next: "Nothing to do; the replay shows them.",
    file: run,
    range: START_OF_FILE,
  };
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
