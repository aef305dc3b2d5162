/** The four families of signals, S1 to S4 (SPEC §6), in the order in which they are shown. */
export const FAMILIES = ["timing", "modality", "correctness", "outcome"] as const;
export type SignalFamily = (typeof FAMILIES)[number];

export const SLOTS = [
  "s1.tp",
  "s1.fp",
  "s1.fn",
  "s1.phase",
  "s2.pre_action",
  "s2.post_obs",
  "s2.pre_reasoning",
  "s2.post_action",
  "s3.syntactic",
  "s3.semantic",
  "s3.domain",
  "s4.local",
  "s4.downstream",
  "s4.cost",
  "s4.side_effect",
] as const;
export type SignalSlot = (typeof SLOTS)[number];

/** A family or a slot: the parts that an ablation can drop. */
export type SignalPart = SignalFamily | SignalSlot;

/** A number for each slot. */
export type SlotNumbers = Readonly<Record<SignalSlot, number>>;
/** A number for each family. */
export type FamilyNumbers = Readonly<Record<SignalFamily, number>>;

/** The slots of each family. */
export const FAMILY_SLOTS: Readonly<Record<SignalFamily, readonly SignalSlot[]>> = {
  timing: ["s1.tp", "s1.fp", "s1.fn", "s1.phase"],
  modality: ["s2.pre_action", "s2.post_obs", "s2.pre_reasoning", "s2.post_action"],
  correctness: ["s3.syntactic", "s3.semantic", "s3.domain"],
  outcome: ["s4.local", "s4.downstream", "s4.cost", "s4.side_effect"],
};

/** One sentence for each slot, as help and views show it. */
export const SLOT_MEANINGS: Readonly<Record<SignalSlot, string>> = {
  "s1.tp": "The step was risky, and a Program Function activated.",
  "s1.fp": "The step was not risky, and a Program Function activated.",
  "s1.fn": "The step was risky, and no Program Function activated.",
  "s1.phase": "Where a Program Function activated: the earlier in the episode, the more.",
  "s2.pre_action": "An action was changed before it ran.",
  "s2.post_obs": "A context was added: to an observation, or to hold back an answer.",
  "s2.pre_reasoning": "Reserved: no intervention acts before the reasoning yet.",
  "s2.post_action": "Reserved: no intervention acts right after an action yet.",
  "s3.syntactic": "The executed action has a type of the action space and an argument.",
  "s3.semantic": "How sensible the executed action is, by the teacher or by the kind of change.",
  "s3.domain": "The mean of the measures that the domain registers; 0 without one.",
  "s4.local": "How much the change itself is worth, by its kind.",
  "s4.downstream": "The episode ended with a right answer.",
  "s4.cost": "The episode took more than 15 steps; 1 from 25 on.",
  "s4.side_effect": "The action was changed, and the episode failed all the same.",
};

/** What two families cannot tell where the final action is the only one (SPEC §6, *Single step*). */
export const ONLY_FINAL_NOTE =
  "The final action is the only one here: every answer counts as risky and no other action can replace it, so timing and modality tell only whether a Program Function acted, not whether it was right to.";

/** Weights of both modes, and the parts that are left out. */
export interface SignalWeights {
  /** Of the families in coarse mode. Those that are not dropped are scaled to a sum of 1. */
  readonly families: FamilyNumbers;
  /** Of the slots; negative for a penalty. */
  readonly slots: SlotNumbers;
  readonly dropped: readonly SignalPart[];
}

/** The weights of SPEC §6; the reserved slots, which it leaves open, have 0.15. */
export const DEFAULT_WEIGHTS: SignalWeights = {
  families: { timing: 0.15, modality: 0.1, correctness: 0.25, outcome: 0.5 },
  slots: {
    "s1.tp": 0.25,
    "s1.fp": -0.1,
    "s1.fn": -0.1,
    "s1.phase": 0.05,
    "s2.pre_action": 0.35,
    "s2.post_obs": 0.35,
    "s2.pre_reasoning": 0.15,
    "s2.post_action": 0.15,
    "s3.syntactic": 0.2,
    "s3.semantic": 0.5,
    "s3.domain": 0.3,
    "s4.local": 0.4,
    "s4.downstream": 0.4,
    "s4.cost": -0.1,
    "s4.side_effect": -0.1,
  },
  dropped: [],
};

/** The value of one slot at a step, with the rule that gave it. */
export interface SlotValue {
  readonly value: number;
  /** For people: the rule and the values it looked at. */
  readonly reason: string;
}

/** How HASP changed a step. `revised`: the policy itself proposed another action after a context. */
export type Correction = "none" | "modified" | "revised";

/** All signals of one step. */
export interface StepSignals {
  /** 0-based. */
  readonly t: number;
  readonly values: Readonly<Record<SignalSlot, SlotValue>>;
  /** Reduced to the four families, each in [−1, 1]. */
  readonly families: FamilyNumbers;
  /** A_t of coarse mode: the reward of the step, in [−1, 1]. */
  readonly reward: number;
  /** The score of fine mode, divided by the sum of the absolute weights. */
  readonly fine: number;
  readonly correction: Correction;
  /** Skills whose Program Function applied a change or a context, or whose handler's vote replaced the answer. */
  readonly acted: readonly string[];
  /** The action that ran, and the one that the policy proposed first. */
  readonly executed: { readonly type: string; readonly arg: string };
  readonly proposed: { readonly type: string; readonly arg: string };
}

/** The weights of the families that are not dropped, scaled to a sum of 1; 0 for a dropped one. All 0 where none is left. */
export function familyWeights({ families, slots, dropped }: SignalWeights): FamilyNumbers {
  const isLeft = (family: SignalFamily): boolean =>
    !dropped.includes(family) &&
    FAMILY_SLOTS[family].some((slot) => !dropped.includes(slot) && slots[slot] !== 0);
  const sum = FAMILIES.reduce((total, family) => total + (isLeft(family) ? families[family] : 0), 0);
  const scaled = FAMILIES.map((family) => [family, isLeft(family) && sum > 0 ? families[family] / sum : 0]);
  return Object.fromEntries(scaled) as FamilyNumbers;
}

/** The signals of one episode, as views show them. */
export interface ShownSignals {
  readonly steps: readonly StepSignals[];
  /** Of coarse mode, scaled to a sum of 1. */
  readonly weights: FamilyNumbers;
  /** Of the slots, negative for a penalty; 0 for a dropped one. */
  readonly slotWeights: SlotNumbers;
  /** A(τ), the mean reward of the steps up to the divergence. */
  readonly mean: number;
  /** Half the mean, half the outcome. Absent without an outcome. */
  readonly reward?: number;
  /** 0-based step at which a re-driven episode left its record; the steps behind it have no outcome. */
  readonly divergedAt?: number;
}
