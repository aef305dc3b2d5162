import {
  injectContext,
  noop,
  ProgramFunction,
  type ActionType,
  type Intervention,
  type MathContext,
  type SolvedEquation,
} from "hasp";

/** Equations before one in which its solution may already be: as the other one of two cases. */
const BEFORE = 6;

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
    const isNew = !solved
      .slice(Math.max(0, at - BEFORE), at)
      .some(({ solution }) => solution === after.solution);
    if (isNew && (after.keptSign !== undefined || isMirrored(before, after))) return [before, after];
  }
  return undefined;
}

/** The equation is the solution: nothing is left to move. */
function isSolved({ text, variable }: SolvedEquation): boolean {
  const sides = text.split("=").map((side) => side.trim());
  return sides.includes(variable);
}

/** The solutions differ in the sign, and the left sides differ: two cases such as 2x = 6 and 2x = -6 have the same. */
function isMirrored(before: SolvedEquation, after: SolvedEquation): boolean {
  const isOpposite = `-${before.solution}` === after.solution || before.solution === `-${after.solution}`;
  const areCases = before.text.split("=")[0] === after.text.split("=")[0] || hasZero(before, after);
  return isOpposite && !areCases;
}

/** Factors that are zero in turn: x - 3 = 0 and x + 3 = 0. */
function hasZero(...both: readonly SolvedEquation[]): boolean {
  return both.every(({ text }) => text.split("=")[1]?.trim() === "0");
}
