import type { Episode } from "../../model/episode.ts";
import { familyWeights, type ShownSignals, type SignalWeights } from "../../model/signals.ts";
import { countedSlots, slotNumbers } from "./aggregate.ts";
import { episodeSignals } from "./episode-signals.ts";
import type { SemanticScores } from "./evidence.ts";

/** The signals of an episode with the weights that gave them, for views. */
export function shownSignals(
  episode: Episode,
  weights: SignalWeights,
  semantic: SemanticScores | undefined,
): ShownSignals {
  const { steps, mean, reward, divergence } = episodeSignals(episode, weights, semantic);
  const counted = new Set(countedSlots(weights));
  return {
    steps,
    weights: familyWeights(weights),
    slotWeights: slotNumbers((slot) => (counted.has(slot) ? weights.slots[slot] : 0)),
    mean,
    ...(reward !== undefined && { reward }),
    ...(divergence !== undefined && { divergedAt: divergence.t }),
  };
}
