import {
  injectContext,
  noop,
  ProgramFunction,
  type ActionType,
  type CodeContext,
  type CodeEnd,
  type Intervention,
} from "hasp";

export default class CodeStringIndexSafety extends ProgramFunction {
  override maxFires = 1;

  shouldActivate(ctx: CodeContext, actionType: ActionType): boolean {
    return actionType === "FINAL" && unguarded(ctx) !== undefined;
  }

  intervene(ctx: CodeContext): Intervention {
    const found = unguarded(ctx);
    if (found === undefined) return noop("every first and last item is looked for");
    return injectContext(
      `"${found.text}" reads the ${found.at} item of ${found.of}, and no condition looks whether ${found.of} has one. ` +
        `Say what the task wants for an empty ${found.of}, and answer that case first.`,
      "the first or last item without a test",
    );
  }
}

function unguarded({ code }: CodeContext): CodeEnd | undefined {
  return code.ends.find(({ isGuarded }) => !isGuarded);
}
