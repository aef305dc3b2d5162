import type { Episode } from "../model/episode.ts";
import { canonicalJson } from "./canonical-json.ts";
import { hashText } from "./hash.ts";

/** What is measured of a step rather than decided in it. */
const MEASURED: ReadonlySet<string> = new Set(["usage", "dispatchMs"]);

/**
 * A hash of what happened in an episode, without what it took: tokens, dollars and milliseconds are left out, everything else
 * counts. Two runs of one question with equal fingerprints are the same result.
 */
export function episodeFingerprint(episode: Episode): string {
  const { steps, decisions, extra, cost: _cost, ...rest } = episode;
  const { teacher: _teacher, ...told } = extra ?? {};
  const happened = canonicalJson([steps, decisions ?? [], told], MEASURED);
  return hashText(`${canonicalJson(rest)}\n${happened}`);
}
