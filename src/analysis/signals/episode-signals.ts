import { hasOnlyFinal } from "../../model/action-types.ts";
import type { Episode } from "../../model/episode.ts";
import {
  SLOTS,
  type SignalSlot,
  type SignalWeights,
  type SlotValue,
  type StepSignals,
} from "../../model/signals.ts";
import { coarseScore, episodeReward, familyScores, fineScore, meanReward, slotNumbers } from "./aggregate.ts";
import { evidenceOf, passedOf, type SemanticScores, type StepEvidence } from "./evidence.ts";
import { divergenceOf, type Divergence } from "./divergence.ts";
import { RULES } from "./slots.ts";

/** The signals of an episode. */
export interface EpisodeSignals {
  readonly steps: readonly StepSignals[];
  /** A(τ): the mean of the steps up to the divergence. */
  readonly mean: number;
  /** Half the mean, half the outcome; undefined without an outcome. */
  readonly reward: number | undefined;
  /** Whether the answer is right; undefined where nobody judged it, or the steps do not lead to it. */
  readonly passed: boolean | undefined;
  /** Of an episode whose proposals come from a record: the first step that the recorded policy did not know of. */
  readonly divergence: Divergence | undefined;
  /** The episode could do nothing but answer. */
  readonly onlyFinal: boolean;
}

/** The signals of one step. */
export function stepSignals(evidence: StepEvidence, weights: SignalWeights): StepSignals {
  const { step, executed, proposed, correction, changedBy, contextBy } = evidence;
  const values = Object.fromEntries(SLOTS.map((slot) => [slot, RULES[slot](evidence)])) as Record<
    SignalSlot,
    SlotValue
  >;
  const numbers = slotNumbers((slot) => values[slot].value);
  const families = familyScores(numbers, weights);
  return {
    t: step.t,
    values,
    families,
    reward: coarseScore(families, weights),
    fine: fineScore(numbers, weights, { normalised: true }),
    correction,
    acted: [...new Set([...changedBy, ...contextBy])],
    executed: { type: executed.type, arg: executed.arg },
    proposed: { type: proposed.type, arg: proposed.arg },
  };
}

/**
 * The signals of every step of an episode (SPEC §6). `semantic` are the teacher's scores; a step without one takes the fallback. An episode
 * whose recorded proposals diverged has no outcome (SPEC §8): its slots `s4.downstream` and `s4.side_effect` are 0 and say so.
 */
export function episodeSignals(
  episode: Episode,
  weights: SignalWeights,
  semantic?: SemanticScores,
): EpisodeSignals {
  const divergence = divergenceOf(episode);
  const passed = divergence === undefined ? passedOf(episode) : undefined;
  const evidence = evidenceOf(episode, semantic, divergence?.t);
  const steps = evidence.map((one) => stepSignals(one, weights));
  const counted = divergence === undefined ? steps : steps.filter(({ t }) => t <= divergence.t);
  const rewards = counted.map(({ reward }) => reward);
  return {
    steps,
    mean: meanReward(rewards),
    reward: passed === undefined ? undefined : episodeReward(rewards, passed),
    passed,
    divergence,
    onlyFinal: hasOnlyFinal(episode.facts),
  };
}
