import type { ListedEpisode } from "../../src/protocol/replay.ts";

/** Whether what is known of one episode holds for the other, after the run was read again. */
export function isSameEpisode(a: ListedEpisode | undefined, b: ListedEpisode | undefined): boolean {
  return a?.id === b?.id && a?.length === b?.length && a?.outcome === b?.outcome && a?.bytes === b?.bytes;
}
