import { noop, ProgramFunction, type ActionType, type CodeContext, type Intervention } from "hasp";

export default class CodeTestWalkthrough extends ProgramFunction {
  override maxFires = 1;

  shouldActivate({ code }: CodeContext, actionType: ActionType): boolean {
    return actionType === "FINAL" && (code.kind === "class" || code.inputs.length > 0);
  }

  intervene(_ctx: CodeContext): Intervention {
    return noop("a program whose examples can be walked through");
  }
}
