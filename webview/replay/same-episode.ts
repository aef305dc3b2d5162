import type { EpisodeHead } from "../../src/model/episode.ts";

/** Whether what is known of one episode holds for the other, after the run was read again. */
export function isSameEpisode(a: EpisodeHead | undefined, b: EpisodeHead | undefined): boolean {
  return a?.id === b?.id && a?.length === b?.length && a?.outcome === b?.outcome;
}
