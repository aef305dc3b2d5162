import {
  injectContext,
  noop,
  ProgramFunction,
  type ActionType,
  type Intervention,
  type MathContext,
  type SolvedEquation,
} from "hasp";

export default class AlgebraicSignError extends ProgramFunction {
  override maxFires = 1;

  shouldActivate(ctx: MathContext, actionType: ActionType): boolean {
    return actionType === "FINAL" && lostSign(ctx.draft.solved) !== undefined;
  }

  intervene(ctx: MathContext): Intervention {
    const [before, after] = lostSign(ctx.draft.solved) ?? [];
    if (before === undefined || after === undefined) return noop("no sign was lost");
    const { variable, keptSign } = after;
    const term = keptSign === undefined ? "" : ` The term ${keptSign} changed sides and kept its sign.`;
    return injectContext(
      `From "${before.text}" to "${after.text}" the solution changes from ${variable} = ${before.solution} to ${variable} = ` +
        `${after.solution}.${term} Do this step again with the right sign and correct what follows from it.`,
      "two consecutive equations differ by a lost sign",
    );
  }
}

/** The first two consecutive equations between which a sign was lost. */
function lostSign(solved: readonly SolvedEquation[]): [SolvedEquation, SolvedEquation] | undefined {
  for (const [at, after] of solved.entries()) {
    const before = solved[at - 1];
    if (before === undefined || before.variable !== after.variable || isSolved(before)) continue;
    if (after.isCase !== true && (after.keptSign !== undefined || isMirrored(before, after)))
      return [before, after];
  }
  return undefined;
}

/** The equation is the solution: nothing is left to move. */
function isSolved({ text, variable }: SolvedEquation): boolean {
  return sidesOf(text).includes(variable);
}

/** The solutions differ in the sign, and the equations are no two cases. */
function isMirrored(before: SolvedEquation, after: SolvedEquation): boolean {
  const isOpposite = `-${before.solution}` === after.solution || before.solution === `-${after.solution}`;
  return isOpposite && !areCases(before.text, after.text);
}

/** 2x = 6 and 2x = -6, or 2x = 6 and -2x = 6, or the factors x - 3 = 0 and x + 3 = 0. */
function areCases(before: string, after: string): boolean {
  const [left = "", right = ""] = sidesOf(before);
  const [otherLeft = "", otherRight = ""] = sidesOf(after);
  if (left === otherLeft) return true;
  return right === otherRight && (right === "0" || `-${left}` === otherLeft || left === `-${otherLeft}`);
}

function sidesOf(equation: string): readonly string[] {
  return equation.replaceAll(/\s/g, "").split("=");
}
