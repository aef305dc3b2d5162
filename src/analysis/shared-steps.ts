import type { BacktestReport, SkillBacktest } from "./backtest.ts";
import { stepKey } from "./step-key.ts";
import { wantedHits } from "./trigger-rules.ts";

/** Recorded steps that a skill and another one of its library both want to modify. */
export interface SharedSteps {
  readonly skillId: string;
  readonly steps: number;
  /** All steps that the skill under review wants to modify. */
  readonly wanted: number;
  /** The other one is asked first, so that it gets its way. */
  readonly isFirst: boolean;
}

const stepsOf = (skill: SkillBacktest): ReadonlySet<string> =>
  new Set(wantedHits(skill).map(({ run, index, t }) => stepKey(run, index, t)));

/** The skills that want to modify steps of this one, those with most steps first. `report` is of the whole library, in its order. */
export function sharedSteps({ skills, modifiers }: BacktestReport, skillId: string): readonly SharedSteps[] {
  const can = new Set(modifiers.skillIds);
  const at = skills.findIndex((skill) => skill.skillId === skillId);
  const own = skills[at];
  if (own === undefined || !can.has(skillId)) return [];
  const wanted = stepsOf(own);
  const sharedWith = (other: SkillBacktest): number =>
    [...stepsOf(other)].filter((step) => wanted.has(step)).length;
  return skills
    .flatMap((other, turn) => {
      if (turn === at || !can.has(other.skillId)) return [];
      const steps = sharedWith(other);
      return steps === 0 ? [] : [{ skillId: other.skillId, steps, wanted: wanted.size, isFirst: turn < at }];
    })
    .toSorted((a, b) => b.steps - a.steps);
}
