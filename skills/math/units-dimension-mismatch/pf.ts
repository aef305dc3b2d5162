import { injectContext, ProgramFunction, type ActionType, type Intervention, type MathContext } from "hasp";

export default class UnitsDimensionMismatch extends ProgramFunction {
  override maxFires = 1;

  shouldActivate(ctx: MathContext, actionType: ActionType): boolean {
    return actionType === "FINAL" && askedInstead(ctx) !== undefined;
  }

  intervene(ctx: MathContext): Intervention {
    return injectContext(
      `The question asks for "${askedInstead(ctx)}"; the unit of the answer is "${ctx.draft.answer.unit}". ` +
        "Write each quantity of the draft with its unit and give the answer in what the question asks for.",
      "the unit of the answer is not the one that the question asks for",
    );
  }
}

/** The unit, or the counted things, that the question asks for where the answer has another unit of measure. */
function askedInstead({ draft: { answer, asked } }: MathContext): string | undefined {
  if (answer.unitName === undefined || answer.value === undefined) return undefined;
  if (asked.unitName === undefined) return answer.unitName === "%" ? undefined : asked.counted;
  return measured(answer.unitName) === measured(asked.unitName) ? undefined : asked.unit;
}

/** The upper part of a rate: "$12" answers "how many dollars per hour". Pounds may be money. */
function measured(unitName: string): string {
  const [upper = unitName] = unitName.split("/");
  return upper === "£" ? "lb" : upper;
}
