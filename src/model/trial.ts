import type { Episode } from "./episode.ts";

/** Number of the try of its question that an episode was, as imported runs record it in their settings. */
export function recordedTrial({ settings }: Pick<Episode, "settings">): number | undefined {
  const trial = settings?.["trial"];
  return typeof trial === "number" ? trial : undefined;
}
