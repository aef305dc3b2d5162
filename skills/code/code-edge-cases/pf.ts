import {
  injectContext,
  noop,
  ProgramFunction,
  type ActionType,
  type CodeContext,
  type Intervention,
} from "hasp";

/** Branches from which on a program is looked at, and those that are quoted. */
const BRANCHES = 2;
const QUOTED = 3;

export default class CodeEdgeCases extends ProgramFunction {
  override maxFires = 1;

  shouldActivate(ctx: CodeContext, actionType: ActionType): boolean {
    return actionType === "FINAL" && ctx.code.inputs.length > 0 && ctx.code.branches.length >= BRANCHES;
  }

  intervene(ctx: CodeContext): Intervention {
    const { inputs, branches } = ctx.code;
    const [read] = inputs;
    if (read === undefined || branches.length < BRANCHES) return noop("no branches on what is read");
    const quoted = branches.slice(0, QUOTED).map(({ text }) => `"${text}"`);
    return injectContext(
      `The program reads its input with "${read.text}" and branches on ${quoted.join(", ")}. ` +
        "Walk the smallest input that the task allows, and one on the boundary of each condition, through these lines.",
      "branches on what is read",
    );
  }
}
