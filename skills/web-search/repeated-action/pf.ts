import {
  freshQuery,
  modifyAction,
  noop,
  ProgramFunction,
  type ActionType,
  type Intervention,
  type StepContext,
} from "hasp";

/** Characters of one text that are looked at. */
const LOOKED_AT = 600;

export default class RepeatedAction extends ProgramFunction {
  shouldActivate(ctx: StepContext, actionType: ActionType, arg: string): boolean {
    if (ctx.actionHistory.length === 0 || ctx.stepCount + 1 >= ctx.maxSteps) return false;
    if (actionType === "FINAL") return hasRepeat(ctx.actionHistory);
    if (actionType !== "SEARCH" && actionType !== "READ") return false;
    const key = keyOf(actionType, arg);
    return ctx.actionHistory.some((past) => past.type === actionType && keyOf(past.type, past.arg) === key);
  }

  intervene(ctx: StepContext, actionType: ActionType, _arg: string): Intervention {
    const query = freshQuery(ctx);
    if (query === undefined) return noop("every query that the question offers has run");
    return modifyAction({
      type: "SEARCH",
      arg: query,
      reason:
        actionType === "FINAL"
          ? "the same action ran twice on the way to this answer; this asks for something else"
          : "the same action has run before and would bring the same",
    });
  }
}

/** Case and punctuation make no other action. */
function keyOf(type: ActionType, arg: string): string {
  return `${type} ${plain(arg.slice(0, LOOKED_AT)).join(" ")}`;
}

function hasRepeat(history: StepContext["actionHistory"]): boolean {
  const keys = history
    .filter(({ type }) => type === "SEARCH" || type === "READ")
    .map(({ type, arg }) => keyOf(type, arg));
  return new Set(keys).size < keys.length;
}

const plain = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
