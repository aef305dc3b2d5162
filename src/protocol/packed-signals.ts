import type { Episode } from "../model/episode.ts";
import {
  SLOTS,
  type ShownSignals,
  type SignalSlot,
  type SlotValue,
  type StepSignals,
} from "../model/signals.ts";

/** The signals of an episode in less room: a rule that gives the same value at several steps is kept once. */
export interface PackedSignals extends Omit<ShownSignals, "steps"> {
  /** Each value with its reason once. */
  readonly rules: readonly SlotValue[];
  readonly steps: readonly PackedStep[];
}

/** The actions of a step are in the episode. */
interface PackedStep extends Omit<StepSignals, "values" | "executed" | "proposed"> {
  /** Positions in `rules`, in the order of `SLOTS`. */
  readonly values: readonly number[];
}

/** Packs the signals of an episode for a page that holds the episode as well. */
export function packSignals({ steps, ...about }: ShownSignals): PackedSignals {
  const rules: SlotValue[] = [];
  const known = new Map<string, number>();
  const place = (rule: SlotValue): number => {
    const key = JSON.stringify(rule);
    const found = known.get(key) ?? rules.push(rule) - 1;
    known.set(key, found);
    return found;
  };
  const packed = steps.map(({ values, executed: _executed, proposed: _proposed, ...rest }) => ({
    ...rest,
    values: SLOTS.map((slot) => place(values[slot])),
  }));
  return { ...about, rules, steps: packed };
}

const MISSING: SlotValue = { value: 0, reason: "missing in this page" };

/** The signals that were packed; a step that the episode does not have is left out. */
export function unpackSignals({ rules, steps, ...about }: PackedSignals, episode: Episode): ShownSignals {
  const byT = new Map(episode.steps.map((step) => [step.t, step]));
  const unpacked = steps.flatMap(({ values, ...rest }): StepSignals[] => {
    const step = byT.get(rest.t);
    const proposed = step?.proposals[0]?.action;
    if (step === undefined || proposed === undefined) return [];
    const entries = SLOTS.map((slot, i) => [slot, rules[values[i] ?? -1] ?? MISSING] as const);
    return [
      {
        ...rest,
        values: Object.fromEntries(entries) as Record<SignalSlot, SlotValue>,
        executed: { type: step.executed.type, arg: step.executed.arg },
        proposed: { type: proposed.type, arg: proposed.arg },
      },
    ];
  });
  return { ...about, steps: unpacked };
}
