import { injectContext, ProgramFunction, type ActionType, type Intervention, type MathContext } from "hasp";

/** Characters of a question that are looked at. */
const LOOKED_AT = 2_000;
/** Questions whose answer keeps its parts: of an equivalent fraction, of a date. */
const KEEPS_PARTS = /\b(?:denominator|equivalent|out of|date|unsimplified|expand)\b/i;

export default class SimplificationIncomplete extends ProgramFunction {
  override maxFires = 1;

  shouldActivate(ctx: MathContext, actionType: ActionType): boolean {
    if (actionType !== "FINAL" || ctx.draft.puzzle !== undefined) return false;
    return ctx.draft.answer.simplest !== undefined && !KEEPS_PARTS.test(ctx.question.slice(0, LOOKED_AT));
  }

  intervene(ctx: MathContext): Intervention {
    const { text, simplest } = ctx.draft.answer;
    return injectContext(
      `The answer ${text} is not in simplest form; the same number in simplest form is ${simplest}. ` +
        "Give the answer in simplest form.",
      "the answer is not in simplest form",
    );
  }
}
