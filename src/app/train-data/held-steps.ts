import { coarseScore, needsOutcome } from "../../analysis/signals/aggregate.ts";
import type { ScoredStep } from "../../dataset/scored-steps.ts";
import type { RowRules } from "./order.ts";

/** A floor at which steps become rows, and their number. */
export interface LowerFloor {
  readonly floor: number;
  readonly steps: number;
}

/** Steps that have all that a row needs but a reward over the floor, or a verdict. */
export interface HeldSteps {
  /** A floor that most of those under the floor reach which are worth it; undefined where none is. */
  readonly underFloor: LowerFloor | undefined;
  /** The same of steps without a verdict, by weights without the outcome. */
  readonly unjudged: LowerFloor | undefined;
}

/** As a person writes a floor: down to hundredths. The hair makes up for sums of fractions. */
const hundredths = (reward: number): number => Math.floor(reward * 100 + 1e-9) / 100;

/** The floor that the middle one of `worthy` reaches, and how many of all reach it. */
function lowerFloor(
  worthy: readonly number[],
  others: readonly number[],
  floor: number,
): LowerFloor | undefined {
  const middle = worthy.toSorted((a, b) => a - b)[Math.floor(worthy.length / 2)];
  const found = middle === undefined ? 0 : Math.min(floor, hundredths(middle));
  if (found <= 0) return undefined;
  return { floor: found, steps: [...worthy, ...others].filter((reward) => reward >= found).length };
}

/** Counts what a lower floor or other weights would bring. */
export function heldTally({ weights, floor }: RowRules) {
  const withoutOutcome = { ...weights, dropped: [...weights.dropped, "outcome" as const] };
  // Where the weights see the outcome, steps of failed episodes are meant to be under the floor.
  const needsRight = needsOutcome(weights);
  const rewards = { worthy: [] as number[], others: [] as number[], unjudged: [] as number[] };
  return {
    add({ dropped, signals }: ScoredStep, passed: boolean | undefined): void {
      if (dropped === "no_outcome") rewards.unjudged.push(coarseScore(signals.families, withoutOutcome));
      else if (dropped === "under_floor")
        rewards[passed === true || !needsRight ? "worthy" : "others"].push(signals.reward);
    },
    end: (): HeldSteps => ({
      underFloor: lowerFloor(rewards.worthy, rewards.others, floor),
      unjudged: lowerFloor(rewards.unjudged, [], floor),
    }),
  };
}
