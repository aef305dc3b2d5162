import {
  freshQuery,
  injectContext,
  ProgramFunction,
  type ActionType,
  type Intervention,
  type StepContext,
} from "hasp";

/** Characters of one text that are looked at. */
const LOOKED_AT = 600;

/** Answers that tell how the search stands. Most mind the case: "I Am Legend" and "Unknown Pleasures" are titles. */
const NO_ANSWER: readonly RegExp[] = [
  /\bI (?:need|still|could|can|cannot|do|did|should|will|must|have to|am|was|would)\b/,
  /\bI['’](?:m|ll|ve|d) /,
  /\b(?:not|n['’]t) (?:been )?(?:found|find|available|specified|specify|mentioned|mention|known|know|provided|provide|stated|enough|given|clear|possible|have)\b/,
  /\b(?:[Uu]nable to|[Cc]ould ?n[o'’]t|[Cc]ould not|[Cc]annot be determined|unknown|unclear|undetermined|[Nn]o (?:answer|information|results?))\b/,
  /^\W*(?:none|n\/?a|null|nothing|unknown|unclear|thought:.*)?\W*$/i,
  /^\W*[Nn]ot [a-z]/,
];

export default class UnfinishedAnswer extends ProgramFunction {
  override maxFires = 1;

  shouldActivate(ctx: StepContext, actionType: ActionType, arg: string): boolean {
    if (actionType !== "FINAL" || ctx.stepCount + 1 >= ctx.maxSteps) return false;
    const answer = arg.slice(0, LOOKED_AT);
    return NO_ANSWER.some((pattern) => pattern.test(answer));
  }

  intervene(ctx: StepContext): Intervention {
    return injectContext(
      `${nextSearch(freshQuery(ctx))}; what you gave tells how the search stands.`,
      "the answer tells how the search stands and answers nothing",
    );
  }
}

/** A search that has not run, word for word; where all have, how to make one. */
function nextSearch(query: string | undefined): string {
  return query === undefined
    ? "Search for a name that the texts above have and no search has used"
    : `Run SEARCH[${query}] next`;
}
