import {
  injectContext,
  noop,
  ProgramFunction,
  type ActionType,
  type Intervention,
  type MathContext,
} from "hasp";

export default class SubstitutionInvalid extends ProgramFunction {
  override maxFires = 1;

  shouldActivate(ctx: MathContext, actionType: ActionType): boolean {
    return actionType === "FINAL" && ctx.draft.checks.some(({ holds }) => !holds);
  }

  intervene(ctx: MathContext): Intervention {
    const failed = ctx.draft.checks.find(({ holds }) => !holds);
    if (failed === undefined) return noop("every check holds");
    const { equation, variable, value, left, right } = failed;
    return injectContext(
      `With ${variable} = ${value}, the equation "${equation}" of the question makes ${left} on the left and ${right} on the right. ` +
        "Solve it again, and put the new value into both sides before you answer.",
      "the answer does not satisfy the question's equation",
    );
  }
}
