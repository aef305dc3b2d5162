import { finalActionOf } from "../../model/action-types.ts";
import type { StepMeasure } from "../domain.ts";
import { lastDraft } from "./last-draft.ts";

/** Of a draft without an equation: nothing speaks for it, and nothing against it. */
const NOTHING_MEASURED = 0.5;

/** The share of a draft's equations that hold (SPEC §6, single step). */
const equationsHold: StepMeasure = {
  name: "equations",
  measure({ step, context, facts }) {
    const equations = lastDraft(context.question, step, finalActionOf(facts))?.draft.equations ?? [];
    if (equations.length === 0) return NOTHING_MEASURED;
    return equations.filter(({ holds }) => holds).length / equations.length;
  },
};

export const MATH_MEASURES: readonly StepMeasure[] = [equationsHold];
