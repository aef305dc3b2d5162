import { textQuery } from "../model/text-query.ts";
import type { EpisodeHit } from "../model/episode-hit.ts";
import { connect } from "../protocol/connection.ts";
import { searchEpisodes } from "../trace/search-episodes.ts";
import { searchFiles } from "./search-files.ts";
import { channelToParent } from "./worker-channel.ts";
import type { NoContract, SearchWorkerContract } from "./worker-contract.ts";

/** The worker's side of worker-search.ts. */
export function serveSearch(): void {
  const files = searchFiles();
  const connection = connect<NoContract, SearchWorkerContract>(channelToParent());
  connection.handle("search", async ({ file, lines, query, mostPlaces }, signal) => {
    const found: EpisodeHit[] = [];
    const parsed = textQuery(query);
    if (parsed === undefined) return found;
    for await (const { hits } of searchEpisodes(files, file, lines, parsed, { signal, mostPlaces }))
      found.push(...hits);
    return found;
  });
}
