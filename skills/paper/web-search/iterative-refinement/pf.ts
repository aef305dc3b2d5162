import {
  injectContext,
  noop,
  ProgramFunction,
  type ActionType,
  type Intervention,
  type StepContext,
} from "hasp";

const HINT =
  "Search next for another name that the texts mention; this search asks for nearly the same as an earlier one.";

/** Share of common words above which two queries are the same search. */
const ALIKE = 0.5;
/** Searches that count as recent. */
const RECENT = 3;
/** Characters of a query that are looked at. */
const LOOKED_AT = 1_000;

export default class IterativeRefinement extends ProgramFunction {
  shouldActivate(ctx: StepContext, actionType: ActionType, arg: string): boolean {
    if (actionType !== "SEARCH") return false;
    const query = tokensOf(arg);
    const recent = ctx.actionHistory.filter((past) => past.type === "SEARCH").slice(-RECENT);
    return recent.some((past) => jaccard(query, tokensOf(past.arg)) > ALIKE);
  }

  intervene(ctx: StepContext, _actionType: ActionType, arg: string): Intervention {
    const query = tokensOf(arg);
    const same = ctx.actionHistory.filter(
      (past) => past.type === "SEARCH" && jaccard(query, tokensOf(past.arg)) === 1,
    );
    if (same.length > 1) return noop("the hint came with this very search, and did not help");
    return injectContext(HINT, "the query repeats most words of a recent one");
  }
}

function tokensOf(query: string): ReadonlySet<string> {
  return new Set(
    query
      .slice(0, LOOKED_AT)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [],
  );
}

/** Common words over all words; 0 where both have none. */
function jaccard(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const common = [...a].filter((token) => b.has(token)).length;
  const all = a.size + b.size - common;
  return all === 0 ? 0 : common / all;
}
