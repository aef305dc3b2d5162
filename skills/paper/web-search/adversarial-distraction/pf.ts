import { injectContext, ProgramFunction, type ActionType, type Intervention, type StepContext } from "hasp";

const HINT =
  "Take the fact from the passage about exactly the person or thing that the question names; these results contradict one another.";

/** Words that set one account against another. Fewer of them are ordinary prose. */
const LEAST_WORDS = 3;
/** Characters of the results that are looked at. */
const LOOKED_AT = 12_000;

/** Words that say that accounts differ, and words that turn against what was said before. */
const CONFLICT_WORDS: ReadonlySet<string> = new Set(
  (
    "contradict contradicts contradicted contradiction contradictory conflicting dispute disputes disputed disputing disagree " +
    "disagrees disagreed disagreement controversy controversial contrary inconsistent erroneous erroneously incorrect incorrectly " +
    "mistaken mistakenly false falsely debunked discrepancy discrepancies alleged alleges allegedly allegation allegations " +
    "deny denies denied hoax myth rumor rumors rumored rumour rumours rumoured " +
    "however although whereas despite nevertheless nonetheless"
  ).split(" "),
);

export default class AdversarialDistraction extends ProgramFunction {
  override after = ["SEARCH"];

  shouldActivate(ctx: StepContext, actionType: ActionType, _arg: string): boolean {
    if (actionType !== "SEARCH") return false;
    return conflictWords(ctx.lastSearchResultsText.slice(0, LOOKED_AT)) >= LEAST_WORDS;
  }

  intervene(): Intervention {
    return injectContext(HINT, "the latest results hold several words of conflict");
  }
}

function conflictWords(text: string): number {
  const words = text.toLowerCase().match(/[a-z]{4,}/g) ?? [];
  return words.filter((word) => CONFLICT_WORDS.has(word)).length;
}
