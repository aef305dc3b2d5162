import {
  injectContext,
  noop,
  ProgramFunction,
  type ActionType,
  type CodeContext,
  type CodeDraft,
  type CodeFunction,
  type Intervention,
} from "hasp";

export default class CodeReturnPath extends ProgramFunction {
  override maxFires = 1;

  shouldActivate(ctx: CodeContext, actionType: ActionType): boolean {
    return actionType === "FINAL" && withoutValue(ctx.code) !== undefined;
  }

  intervene(ctx: CodeContext): Intervention {
    const found = withoutValue(ctx.code);
    if (found === undefined) return noop("every path returns a value");
    return injectContext(fact(found), "a path without a value");
  }
}

function fact({ text, prints, endsAfter }: CodeFunction): string {
  if (endsAfter !== undefined)
    return (
      `"${text}" returns a value on some paths alone: it gives None when it runs past "${endsAfter.text}". ` +
      "Add the return for this case."
    );
  return prints === undefined
    ? `No path of "${text}" returns a value, so every call gives None. Return the result.`
    : `"${text}" prints, "${prints.text}", and returns nothing, so every call gives None. Return the result instead.`;
}

/** A function that the question wants a value of, or whose value the program uses, and that has a path without one. */
function withoutValue({ functions, entries }: CodeDraft): CodeFunction | undefined {
  const isWanted = ({ name, owner }: CodeFunction): boolean =>
    entries.some((entry) => entry.name === name && entry.owner === owner && entry.wantsValue);
  return functions.find((one) => {
    if (one.isStub) return false;
    return one.returns === "no path"
      ? isWanted(one)
      : one.returns === "some paths" && (isWanted(one) || one.isUsed);
  });
}
