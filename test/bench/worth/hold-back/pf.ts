import { injectContext, ProgramFunction, type ActionType, type Intervention, type StepContext } from "hasp";

export default class HoldBack extends ProgramFunction {
  override readonly maxFires = 1;

  shouldActivate(_ctx: StepContext, actionType: ActionType): boolean {
    return actionType === "FINAL";
  }

  intervene(): Intervention {
    return injectContext("Check the answer before it is given.", "the first answer");
  }
}
