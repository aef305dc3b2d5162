import { noop, ProgramFunction, type ActionType, type CodeContext, type Intervention } from "hasp";

/** Words of a question about numbers that may be below zero. */
const WORDS = /\b(?:negative|integers?)\b/i;

export default class CodeNegativeHandling extends ProgramFunction {
  override maxFires = 1;

  shouldActivate(ctx: CodeContext, actionType: ActionType): boolean {
    return actionType === "FINAL" && WORDS.test(ctx.question);
  }

  intervene(_ctx: CodeContext): Intervention {
    return noop("a task about numbers that may be below zero");
  }
}
