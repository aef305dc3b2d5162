import {
  injectContext,
  noop,
  ProgramFunction,
  type ActionType,
  type Intervention,
  type StepContext,
} from "hasp";

const HINT = "Use only the one of these like-named results whose kind, dates and place fit the question.";

/** Characters of the results that are looked at. */
const LOOKED_AT = 6_000;
/** Names that are compared at most. */
const MOST_NAMES = 20;
/** Before the titles that a Wikipedia tool offers instead of a page that does not exist. */
const SIMILAR = "Similar: [";
/** Words that many names have in common without being alike. */
const COMMON_WORDS: ReadonlySet<string> = new Set(
  (
    "the and for from with list history season series album film movie song band book novel company university college school " +
    "city county state national international american british saint north south east west new united world"
  ).split(" "),
);

export default class WrongEntityConfusion extends ProgramFunction {
  override after = ["SEARCH"];

  shouldActivate(ctx: StepContext, actionType: ActionType, _arg: string): boolean {
    if (actionType !== "SEARCH") return false;
    const results = ctx.lastSearchResultsText.slice(0, LOOKED_AT);
    if (/refers? to:/i.test(results)) return true;
    return hasLikeNames(namesIn(results));
  }

  intervene(ctx: StepContext, _actionType: ActionType, arg: string): Intervention {
    const same = ctx.actionHistory.filter((past) => past.type === "SEARCH" && past.arg === arg);
    if (same.length > 1) return noop("the hint came with these results before");
    return injectContext(HINT, "the latest search returned several things of nearly the same name");
  }
}

/** The titles that a search lists: one a line behind its document id, or the similar titles offered for a page not found. */
function namesIn(results: string): string[] {
  if (!results.includes("doc_") && !results.includes(SIMILAR)) return [];
  const titles = [...results.matchAll(/^[^\S\n]*\[?doc_\d+\]?[\s:.-]*([^:\n]{2,80})/gm)].map(
    (found) => found[1] ?? "",
  );
  const offered = results.includes(SIMILAR) ? (results.split(SIMILAR).at(-1) ?? "") : "";
  const similar = [...offered.matchAll(/'([^']{2,80})'|"([^"]{2,80})"/g)].map(
    (found) => found[1] ?? found[2] ?? "",
  );
  return [...titles, ...similar].slice(0, MOST_NAMES);
}

/** Two of the names share a telling word. */
function hasLikeNames(names: readonly string[]): boolean {
  const seen = new Set<string>();
  for (const name of new Set(names.map((one) => one.toLowerCase().trim()))) {
    const words = tellingWords(name);
    if (words.some((word) => seen.has(word))) return true;
    for (const word of words) seen.add(word);
  }
  return false;
}

/** The words of a name, without what stands in brackets to tell namesakes apart: "The Guest (album)". */
function tellingWords(name: string): string[] {
  const words = name.replace(/\([^)]*\)/g, " ").match(/[\p{L}\p{N}]{3,}/gu) ?? [];
  return words.filter((word) => !COMMON_WORDS.has(word) && !/^\d+(?:st|nd|rd|th)?$/.test(word));
}
