import {
  freshQuery,
  injectContext,
  modifyAction,
  ProgramFunction,
  tellingWords,
  type ActionType,
  type Intervention,
  type SearchVote,
  type StepContext,
} from "hasp";

const ANSWER_NOW =
  "Give the best answer that the texts above hold, with FINAL; this action has run before and brings nothing new.";

/** Characters of one text that are looked at. */
const LOOKED_AT = 600;
/** Searches that are compared: an agent in a loop may have made a hundred. */
const RECENT = 8;

export default class RepeatedAction extends ProgramFunction {
  shouldActivate(ctx: StepContext, actionType: ActionType, arg: string): boolean {
    if (ctx.actionHistory.length === 0 || ctx.stepCount + 1 >= ctx.maxSteps) return false;
    if (actionType !== "SEARCH" && actionType !== "READ") return false;
    return keysOf(ctx.actionHistory).includes(
      keysOf([...ctx.actionHistory, { type: actionType, arg }]).at(-1) ?? "",
    );
  }

  intervene(ctx: StepContext): Intervention {
    const query = freshQuery(ctx);
    if (query === undefined) return injectContext(ANSWER_NOW, "every query that the question offers has run");
    return modifyAction({
      type: "SEARCH",
      arg: query,
      reason: "the same action has run before and would bring the same again",
    });
  }

  /** Two searches whose words are the same but for some that one of them adds: no action ran twice, but one was asked twice. */
  override vote(ctx: StepContext, _answer: string): SearchVote | undefined {
    if (!hasWiderSearch(ctx.actionHistory)) return undefined;
    const query = freshQuery(ctx);
    return { reason: "one search says all that another says", ...(query !== undefined && { query }) };
  }
}

/** A result by its number, which means another document after every search. */
const RESULT_ID = /^\[?\s*(?:doc(?:ument)?)?[\s_#-]*\d{1,3}\s*\]?$/i;

/** One text for each action, the same for the same request. Case and punctuation make no other action. */
function keysOf(history: StepContext["actionHistory"]): string[] {
  let searches = 0;
  return history.map(({ type, arg }) => {
    if (type === "SEARCH") searches += 1;
    const of = type === "READ" && RESULT_ID.test(arg) ? ` of search ${searches}` : "";
    return `${type} ${plain(arg.slice(0, LOOKED_AT)).join(" ")}${of}`;
  });
}

/** The words of one search are all in another. */
function hasWiderSearch(history: StepContext["actionHistory"]): boolean {
  const searches = history
    .filter(({ type }) => type === "SEARCH")
    .slice(-RECENT)
    .map(({ arg }) => [...new Set(plain(tellingWords(arg).join(" ")))]);
  return searches.some((words, at) =>
    searches.slice(0, at).some((past) => isWithin(past, words) || isWithin(words, past)),
  );
}

const isWithin = (words: readonly string[], others: readonly string[]): boolean =>
  words.length > 0 && words.every((word) => others.includes(word));

const plain = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
