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

export default class CodeStubOrEntry extends ProgramFunction {
  override maxFires = 1;

  shouldActivate(ctx: CodeContext, actionType: ActionType): boolean {
    return actionType === "FINAL" && fault(ctx.code) !== undefined;
  }

  intervene(ctx: CodeContext): Intervention {
    const text = fault(ctx.code);
    return text === undefined
      ? noop("the program can be called")
      : injectContext(text, "a program that cannot be called");
  }
}

function fault(code: CodeDraft): string | undefined {
  if (code.source === "") return undefined;
  if (code.problem !== undefined)
    return `Python does not take the program: it stops at "${code.problem.text}". Write this line right and give the whole program.`;
  const missing = code.entries.find(({ isDefined }) => !isDefined);
  if (missing !== undefined)
    return `The task says "${missing.words}", and the program defines no ${missing.name}. Define it by this very name.`;
  const stub = code.functions.find((one) => one.isStub && (one.isUsed || isEntry(one, code)));
  return stub && `"${stub.text}" has no body yet. Write it.`;
}

function isEntry({ name, owner }: CodeFunction, { entries }: CodeDraft): boolean {
  return entries.some((entry) => entry.name === name && entry.owner === owner);
}
