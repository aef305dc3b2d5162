import {
  FAMILIES,
  FAMILY_SLOTS,
  familyWeights,
  SLOTS,
  type FamilyNumbers,
  type SignalFamily,
  type SignalSlot,
  type SignalWeights,
  type SlotNumbers,
} from "../../model/signals.ts";

/** The slots that count: neither they nor their families are dropped. */
export function countedSlots({ dropped }: Pick<SignalWeights, "dropped">): readonly SignalSlot[] {
  return FAMILIES.flatMap((family) =>
    dropped.includes(family) ? [] : FAMILY_SLOTS[family].filter((slot) => !dropped.includes(slot)),
  );
}

/** Weights as the sums need them, worked out once for many steps. */
interface Plan {
  readonly slots: readonly SignalSlot[];
  readonly byFamily: Readonly<Record<SignalFamily, readonly SignalSlot[]>>;
  readonly families: FamilyNumbers;
}

const plans = new WeakMap<SignalWeights, Plan>();

function planOf(weights: SignalWeights): Plan {
  const known = plans.get(weights);
  if (known !== undefined) return known;
  const slots = countedSlots(weights);
  const counted = (family: SignalFamily) => FAMILY_SLOTS[family].filter((slot) => slots.includes(slot));
  const byFamily = {
    timing: counted("timing"),
    modality: counted("modality"),
    correctness: counted("correctness"),
    outcome: counted("outcome"),
  };
  const plan = { slots, byFamily, families: familyWeights(weights) };
  plans.set(weights, plan);
  return plan;
}

/** Σ w·value of these slots, with the signs of penalties; `normalised` divides it by Σ |w|. 0 without a slot that counts. */
function weightedSum(
  slots: readonly SignalSlot[],
  values: SlotNumbers,
  { slots: weights }: SignalWeights,
  normalised: boolean,
): number {
  let [weighted, total] = [0, 0];
  for (const slot of slots) {
    weighted += weights[slot] * values[slot];
    total += Math.abs(weights[slot]);
  }
  if (!normalised) return weighted;
  return total === 0 ? 0 : weighted / total;
}

/** The families as one number each in [−1, 1]: Σ w·value / Σ |w| of the slots that count; 0 where none does (SPEC §6, coarse mode). */
export function familyScores(values: SlotNumbers, weights: SignalWeights): FamilyNumbers {
  const { byFamily } = planOf(weights);
  const score = (family: SignalFamily): number => weightedSum(byFamily[family], values, weights, true);
  return {
    timing: score("timing"),
    modality: score("modality"),
    correctness: score("correctness"),
    outcome: score("outcome"),
  };
}

/** A_t of coarse mode (SPEC §6): the families, each reduced to one number, by weights that sum to 1. */
export function coarseScore(families: FamilyNumbers, weights: SignalWeights): number {
  const { families: by } = planOf(weights);
  return FAMILIES.reduce((sum, family) => sum + by[family] * families[family], 0);
}

/** The score of fine mode (SPEC §6): Σ w·value over all slots that count; `normalised` divides it by Σ |w|. */
export function fineScore(
  values: SlotNumbers,
  weights: SignalWeights,
  { normalised }: { readonly normalised: boolean },
): number {
  return weightedSum(planOf(weights).slots, values, weights, normalised);
}

/** A(τ): the mean of the rewards of its steps; 0 for an episode without steps (SPEC §6). */
export function meanReward(rewards: readonly number[]): number {
  return rewards.length === 0 ? 0 : rewards.reduce((sum, one) => sum + one, 0) / rewards.length;
}

/** The reward of an episode: half the mean of its steps, half its outcome (SPEC §6). */
export function episodeReward(rewards: readonly number[], passed: boolean): number {
  return 0.5 * meanReward(rewards) + 0.5 * (passed ? 1 : 0);
}

/** Whether the score depends on the outcome of the episode. */
export function needsOutcome(weights: SignalWeights): boolean {
  const counted = countedSlots(weights);
  const byOutcome = (["s4.downstream", "s4.side_effect"] as const).filter((slot) => counted.includes(slot));
  return familyWeights(weights).outcome > 0 && byOutcome.some((slot) => weights.slots[slot] !== 0);
}

/** Values of all slots from a function of the slot. */
export function slotNumbers(of: (slot: SignalSlot) => number): SlotNumbers {
  return Object.fromEntries(SLOTS.map((slot) => [slot, of(slot)])) as SlotNumbers;
}
