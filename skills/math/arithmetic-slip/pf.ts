import { injectContext, ProgramFunction, type ActionType, type Intervention, type MathContext } from "hasp";

/** Equations that are quoted. */
const QUOTED = 3;
/** Characters of a decimal that is written in place of a fraction. */
const DECIMAL = 8;
/** Characters of a fraction that is written exactly. */
const FRACTION = 16;

export default class ArithmeticSlip extends ProgramFunction {
  override maxFires = 1;

  shouldActivate(ctx: MathContext, actionType: ActionType): boolean {
    return actionType === "FINAL" && ctx.draft.equations.some(({ holds }) => !holds);
  }

  intervene(ctx: MathContext): Intervention {
    const slips = ctx.draft.equations.filter(({ holds }) => !holds).slice(0, QUOTED);
    const facts = slips.map(
      ({ text, left, makes }) => `"${text}" does not hold: ${left} makes ${short(makes)}.`,
    );
    return injectContext(
      `${facts.join(" ")} Compute ${slips.length > 1 ? "these steps" : "this step"} again and correct what follows from it.`,
      "an equation of the draft does not hold",
    );
  }
}

/** 16.5 for "33/2"; a fraction without a short decimal stays one, unless it is long itself. */
function short(value: string): string {
  const [num, den] = value.split("/").map(Number);
  if (num === undefined || den === undefined) return value;
  const decimal = num / den;
  if (String(decimal).length <= DECIMAL) return String(decimal);
  return value.length <= FRACTION ? value : `about ${Number(decimal.toPrecision(6))}`;
}
