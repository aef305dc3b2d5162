import {
  freshQuery,
  modifyAction,
  noop,
  ProgramFunction,
  tellingWords,
  type ActionType,
  type Intervention,
  type SearchVote,
  type StepContext,
} from "hasp";

/** Two queries that share this part of their words ask for the same thing. */
const ALIKE = 0.34;
/** Searches that are compared: an agent in a loop may have made a hundred. */
const RECENT = 8;
/** Characters of results, or of question and queries together, that are looked at. */
const MOST_KNOWN = 4_000;
/** Searches after which an answer is no find but a way out. */
const MANY_SEARCHES = 4;
/** Searches after which the way is no straight one: one or two alike often end at the right page. */
const SOME_SEARCHES = 3;
/** Words of found names that a query takes along. */
const MOST_FOUND = 4;
/** Characters of one text that are looked at. */
const LOOKED_AT = 600;

/** How a policy says that the results did not hold what it was after. */
const ADMITS: readonly RegExp[] = [
  /\b(?:not|no|without|never)\b[^.]{0,40}\b(?:provid|mention|specif|giv|contain|answer|stat|includ|find|found|show|help|clear|enough|information|available|list|need)/i,
  /n['’]t [^.]{0,40}\b(?:provid|mention|specif|giv|contain|answer|stat|includ|find|found|show|help|clear|enough|information|available|list)/i,
  /\b(?:search|look|try) (?:\w+ )?again\b/i,
  /\b(?:another|different|more specific) (?:search|keyword|query|approach|term|way)/i,
];

/** Without one of these no thought admits anything: one look instead of four, for most thoughts. */
const MAYBE_ADMITS = /\bno|\bnever|without|n['’]t |again|another|different|more specific/i;

export default class DeadEndSearch extends ProgramFunction {
  shouldActivate(ctx: StepContext, actionType: ActionType, arg: string): boolean {
    if (ctx.searchCount === 0 || ctx.stepCount + 1 >= ctx.maxSteps) return false;
    if (actionType === "FINAL") return ctx.searchCount >= MANY_SEARCHES && wentInCircles(ctx.actionHistory);
    if (actionType !== "SEARCH") return false;
    const admits = ctx.searchCount >= SOME_SEARCHES && admitsFailure(ctx.thought);
    if (!ctx.emptyResults && !admits) return false;
    return isLikeAny(arg, ctx.actionHistory) && !isOffered(arg, ctx.lastSearchResultsText);
  }

  intervene(ctx: StepContext, actionType: ActionType, arg: string): Intervention {
    const query = freshQuery(ctx, {
      with: [...foundNames(arg, ctx), ...(hasOpenWords(ctx) ? [] : leadFrom(ctx))],
      besides: [...ctx.actionHistory, { type: actionType, arg }],
    });
    if (query === undefined) return noop("every part of the question has been searched for");
    return modifyAction({
      type: "SEARCH",
      arg: query,
      reason:
        actionType === "FINAL"
          ? `${ctx.searchCount} searches asked for much the same, and this one asks for what they left out`
          : "the proposed search asked for much the same as an earlier one that did not help",
    });
  }

  /** Three searches for one answer are many, in whatever words: the way to it was no straight one. */
  override vote(ctx: StepContext, _answer: string): SearchVote | undefined {
    if (ctx.searchCount < SOME_SEARCHES) return undefined;
    const query = freshQuery(ctx);
    return {
      reason: `${ctx.searchCount} searches for one answer: most of them led nowhere`,
      ...(query !== undefined && { query }),
    };
  }
}

/** The results name the query, as tools do that found nothing under one title and list others: a way on, and no dead end. */
function isOffered(query: string, results: string): boolean {
  return results.slice(0, MOST_KNOWN).toLowerCase().includes(query.slice(0, LOOKED_AT).trim().toLowerCase());
}

/** The question has a word that no search has used. */
function hasOpenWords(ctx: StepContext): boolean {
  const asked = plain(ctx.actionHistory.map(({ arg }) => arg.slice(0, LOOKED_AT)).join(" "));
  return tellingWords(ctx.question).some((word) => plain(word).some((part) => !asked.includes(part)));
}

/** Names of the query that were found on the way, and that the question does not have: without them the new query would begin anew. */
function foundNames(
  query: string,
  { question, allReadContents, lastSearchResultsText }: StepContext,
): readonly string[] {
  const asked = plain(question.slice(0, LOOKED_AT));
  const texts = [lastSearchResultsText, ...allReadContents.slice(-RECENT)].map((text) =>
    text.slice(0, MOST_KNOWN),
  );
  const found = new Set(plain(texts.join(" ")));
  const names = query.slice(0, LOOKED_AT).match(/\p{Lu}\p{L}{2,}/gu) ?? [];
  return names
    .filter((name) => !asked.includes(name.toLowerCase()) && found.has(name.toLowerCase()))
    .slice(0, MOST_FOUND);
}

/** A name in the last results that nobody has asked for: where the question's words are used up, the only new lead. */
function leadFrom(ctx: StepContext): readonly string[] {
  const known = plain(
    [ctx.question, ...ctx.actionHistory.map(({ arg }) => arg)].join(" ").slice(0, MOST_KNOWN),
  );
  const names = ctx.lastSearchResultsText
    .slice(0, LOOKED_AT)
    .match(/\p{Lu}[\p{L}'’-]+(?: (?:\p{Lu}[\p{L}'’.-]*|of|the|de|van|von))* \p{Lu}[\p{L}'’-]+/gu);
  const lead = names?.find((name) =>
    plain(tellingWords(name).join(" ")).every((word) => !known.includes(word)),
  );
  return lead === undefined ? [] : tellingWords(lead).slice(0, 4);
}

function admitsFailure(thought: string): boolean {
  const looked = thought.slice(0, LOOKED_AT);
  return MAYBE_ADMITS.test(looked) && ADMITS.some((pattern) => pattern.test(looked));
}

/** Half of the recent searches or more say much the same as one before them. */
function wentInCircles(history: StepContext["actionHistory"]): boolean {
  const searches = recentSearches(history);
  const repeats = searches.filter((words, at) =>
    searches.slice(0, at).some((past) => overlap(words, past) >= ALIKE),
  );
  return repeats.length * 2 >= searches.length;
}

function isLikeAny(query: string, history: StepContext["actionHistory"]): boolean {
  const words = keyWords(query);
  return recentSearches(history).some((past) => overlap(words, past) >= ALIKE);
}

function recentSearches(history: StepContext["actionHistory"]): ReadonlySet<string>[] {
  const searches = history.filter(({ type }) => type === "SEARCH");
  return searches.slice(-RECENT).map(({ arg }) => keyWords(arg));
}

/** Common words over all words. */
function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const common = [...a].filter((word) => b.has(word)).length;
  const all = a.size + b.size - common;
  return all === 0 ? 1 : common / all;
}

const keyWords = (query: string): ReadonlySet<string> => new Set(plain(tellingWords(query).join(" ")));

const plain = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
