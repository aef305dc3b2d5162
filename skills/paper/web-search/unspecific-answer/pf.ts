import {
  freshQuery,
  modifyAction,
  noop,
  ProgramFunction,
  tellingWords,
  type ActionType,
  type Intervention,
  type StepContext,
} from "hasp";

/** Characters of one text that are looked at. */
const LOOKED_AT = 600;

/** Words of an answer that can be a pair; a longer one is a sentence. */
const LONGEST_PAIR = 6;
/** Words of the answer that the query takes in. */
const ANSWER_WORDS = 4;

/** Questions that ask for more than one thing, or offer the answer. */
const ASKS_FOR_SEVERAL =
  /\b(?:two|three|four|both of|which ones|names|items|what are|who are|who were|besides|list|respectively|cities|countries|states|members|sports|roles|occupations|awards|decades)\b/i;

export default class UnspecificAnswer extends ProgramFunction {
  shouldActivate(ctx: StepContext, actionType: ActionType, arg: string): boolean {
    if (actionType !== "FINAL" || ctx.stepCount + 1 >= ctx.maxSteps) return false;
    const answer = arg.slice(0, LOOKED_AT).trim();
    return namesNothing(answer) || (givesSeveral(answer) && !ASKS_FOR_SEVERAL.test(ctx.question));
  }

  intervene(ctx: StepContext, _actionType: ActionType, arg: string): Intervention {
    const answer = arg.slice(0, LOOKED_AT);
    const words = tellingWords(answer).slice(0, ANSWER_WORDS);
    const query = freshQuery(ctx, { with: words });
    if (query === undefined) return noop("that query has run");
    return modifyAction({
      type: "SEARCH",
      arg: query,
      reason: namesNothing(answer.trim())
        ? "the answer is a general term with no name, number or date"
        : "the answer gives several things where one was asked for",
    });
  }
}

/** A general term: no capital letter and no digit, and neither yes nor no. */
function namesNothing(answer: string): boolean {
  return answer !== "" && !/[\p{Lu}\p{N}]/u.test(answer) && !/^\W*(?:yes|no)\b/i.test(answer);
}

/** Two things joined. A capital letter after "and" may belong to one name, and a sentence is another matter. */
function givesSeveral(answer: string): boolean {
  if (answer.split(/\s+/).length > LONGEST_PAIR) return false;
  return /\p{L} (?:and|or) (?:an? |the )?\p{Ll}|\p{L} or \p{Lu}|\p{Ll} ?\/ ?\p{L}/u.test(answer);
}
