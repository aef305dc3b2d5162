import {
  injectContext,
  noop,
  ProgramFunction,
  type ActionType,
  type CodeContext,
  type CodeFunction,
  type Intervention,
} from "hasp";

export default class CodeRecursionBase extends ProgramFunction {
  override maxFires = 1;

  shouldActivate(ctx: CodeContext, actionType: ActionType): boolean {
    return actionType === "FINAL" && endless(ctx) !== undefined;
  }

  intervene(ctx: CodeContext): Intervention {
    const found = endless(ctx);
    const [call] = found?.selfCalls ?? [];
    if (found === undefined || call === undefined) return noop("every recursion has a base");
    return injectContext(
      `Every path of "${found.text}" comes to "${call.text}", so that it calls itself without an end. ` +
        "Answer the smallest case before this call.",
      "a recursion without a base",
    );
  }
}

function endless({ code }: CodeContext): CodeFunction | undefined {
  return code.functions.find(({ hasBase }) => !hasBase);
}
