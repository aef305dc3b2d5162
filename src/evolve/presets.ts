import type { EvolveMode, Gate } from "../model/evolution.ts";

/** Mode, gate and worth of an experiment (SPEC §7, §8). Held-out worth is ours, so no experiment of the paper has it. */
export interface EvolvePreset {
  readonly mode: EvolveMode;
  /** Undefined: the ablation compares gates, so one has to be named. */
  readonly gate: Gate | undefined;
  readonly worth: boolean;
}

export const EVOLVE_PRESETS = {
  e4: { mode: "full", gate: "strict", worth: false },
  e5: { mode: "lite", gate: "exec-only", worth: false },
  e6: { mode: "lite", gate: "exec-only", worth: false },
  filtering: { mode: "full", gate: undefined, worth: false },
} as const satisfies Readonly<Record<string, EvolvePreset>>;
export type EvolvePresetName = keyof typeof EVOLVE_PRESETS;
export const PRESET_NAMES = Object.keys(EVOLVE_PRESETS) as readonly EvolvePresetName[];
