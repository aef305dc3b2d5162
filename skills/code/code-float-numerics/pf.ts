import {
  injectContext,
  noop,
  ProgramFunction,
  type ActionType,
  type CodeContext,
  type CodeFloat,
  type Intervention,
} from "hasp";

export default class CodeFloatNumerics extends ProgramFunction {
  override maxFires = 1;

  shouldActivate(ctx: CodeContext, actionType: ActionType): boolean {
    return actionType === "FINAL" && ctx.code.floats.length > 0;
  }

  intervene(ctx: CodeContext): Intervention {
    const [found] = ctx.code.floats;
    return found === undefined
      ? noop("no whole number comes of a float")
      : injectContext(fact(found), "a whole number by way of a float");
  }
}

function fact({ text, kind, left, right }: CodeFloat): string {
  if (kind === "compared quotient")
    return (
      `"${text}" compares a quotient in floating point, which may be rounded. ` +
      `Compare without the division by ${right}, or with a tolerance.`
    );
  if (kind === "int of a root")
    return (
      `"${text}" cuts a root of ${left} in floating point, which may lie just under the whole number. ` +
      "Try the neighbouring whole numbers as well."
    );
  return (
    `"${text}" divides in floating point and then cuts, which differs from a division of whole numbers for large and for ` +
    `negative values. If ${left} and ${right} are whole numbers, divide them with //.`
  );
}
