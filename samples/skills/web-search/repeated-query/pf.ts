import { injectContext, ProgramFunction, type ActionType, type Intervention, type StepContext } from "hasp";

const ADVICE =
  "Search for another name in the question: you have sent this search before, and these are the results you had then.";

export default class RepeatedQuery extends ProgramFunction {
  override maxFires = 2;

  shouldActivate(ctx: StepContext, actionType: ActionType, arg: string): boolean {
    if (actionType !== "SEARCH") return false;
    return timesSent(ctx, arg) > 0;
  }

  intervene(): Intervention {
    return injectContext(ADVICE, "the same search ran earlier in this episode");
  }
}

function timesSent(ctx: StepContext, query: string): number {
  const words = wordsOf(query);
  return ctx.actionHistory.filter((past) => past.type === "SEARCH" && wordsOf(past.arg) === words).length;
}

/** The words alone, sorted: "Walton, Alice" and "alice walton" are the same search. */
function wordsOf(query: string): string {
  return (query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).sort().join(" ");
}
