import {
  injectContext,
  noop,
  ProgramFunction,
  type ActionType,
  type CodeContext,
  type CodeName,
  type Intervention,
} from "hasp";

/** Names that are said. */
const NAMED = 3;

export default class CodeUndefinedName extends ProgramFunction {
  override maxFires = 1;

  shouldActivate(ctx: CodeContext, actionType: ActionType): boolean {
    return actionType === "FINAL" && ctx.code.undefinedNames.length > 0;
  }

  intervene(ctx: CodeContext): Intervention {
    const names = ctx.code.undefinedNames.slice(0, NAMED);
    if (names.length === 0) return noop("every name is defined");
    const facts = names.map(fact).join(" ");
    return injectContext(
      `${facts} Import or define what is missing before the line that reads it.`,
      "a name that nothing defines",
    );
  }
}

function fact({ name, text, defined }: CodeName): string {
  return defined === "never"
    ? `"${text}" reads ${name}, and nothing in the program imports or defines it.`
    : `"${text}" reads ${name} before the program gives it a value there.`;
}
